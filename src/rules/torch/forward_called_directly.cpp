#include "rules/facts.hpp"
#include "rules/modules.hpp"
#include "rules/regions.hpp"
#include "rules/reporter.hpp"

#include <set>

namespace faultline::rules {

namespace {

void report_call(const Program& program, Reporter& report, Span span)
{
  constexpr std::string_view k_method = ".forward(";
  const std::string_view text = program.text(span);
  const size_t at = text.find(k_method);
  if (at == std::string_view::npos) {
    return; // called as it should be
  }
  const std::string_view object = text.substr(0, at);
  if (object.starts_with("super(") || object == "self" || object.find('(') != object.npos) {
    return; // the class goes on to its own or its parent's method
  }
  Span method = span;
  method.begin += static_cast<uint32_t>(at);
  method.end = method.begin + static_cast<uint32_t>(k_method.size()) - 1;
  report.add(span, format("`{}.forward` is called directly", object))
      .label("skips the hooks that a call of the module runs")
      .help(format("call the module: `{}(…)`", object))
      .replace(method, "")
      .unsafe("call the module");
}

void check(const Program& program, Reporter& report)
{
  std::set<Span> places;
  for (const Call& call : program.calls()) {
    if (call.is("forward") && is_module(call.self)) {
      places.insert(call.span);
    }
    for (const Context* region = call.context; region != nullptr; region = region->parent) {
      if (region->kind == Context::Kind::function && is_module(region->self) &&
          function_name(region) == "forward") {
        places.insert(region->span);
      }
    }
  }
  for (const Span& place : places) {
    report_call(program, report, place);
  }
}

} // namespace

extern const Rule forward_called_directly{
    .name = "forward-called-directly",
    .summary = "Finds module.forward(x) instead of module(x)",
    .applies = "torch",
    .type = "api/wrong-api-usage",
    .fix_pattern = "api-contract",
    .severity = Severity::info,
    .confidence = Confidence::medium,
    .check = check,
};

} // namespace faultline::rules
