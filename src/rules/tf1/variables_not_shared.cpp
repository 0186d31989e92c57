#include "rules/facts.hpp"
#include "rules/reporter.hpp"
#include "rules/tf1/graph.hpp"
#include "rules/values.hpp"

#include <map>
#include <tuple>

namespace faultline::rules {

using namespace tf1;

namespace {

bool is_no(Ref value)
{
  if (value == nullptr || value->kind == program::Kind::none) {
    return true;
  }
  return bool_of(value) == false;
}

// "net/layer/w" of a variable; nothing if a scope's name is not known or it shares its variables.
std::optional<std::string> full_name(const Call& call)
{
  const std::optional<std::string_view> own = text_of(call.arg("name"));
  if (!own) {
    return std::nullopt;
  }
  std::string name(*own);
  for (const Context* context = call.context; context != nullptr; context = context->parent) {
    const auto* scope = program::as<Instance>(context->subject);
    const Call* made = scope != nullptr ? scope->made_by : nullptr;
    if (context->kind != Context::Kind::with || made == nullptr || !made->is("variable_scope")) {
      continue;
    }
    const std::optional<std::string_view> outer = text_of(made->arg("name_or_scope"));
    if (!outer || !is_no(made->arg("reuse")) || !made->surplus.empty()) {
      return std::nullopt;
    }
    name = format("{}/{}", *outer, name);
  }
  return name;
}

// Anything else that makes variables shared.
bool shares_otherwise(const Program& program)
{
  for (const program::NameUse& use : program.name_uses()) {
    for (const std::string_view name : {"make_template",
                                        "reuse_variables",
                                        "get_variable_scope",
                                        "AUTO_REUSE",
                                        "arg_scope",
                                        "EagerVariableStore",
                                        "enable_eager_execution"}) {
      if (use.path.find(name) != std::string::npos) {
        return true;
      }
    }
  }
  for (const Call& call : program.calls()) {
    if (call.is("reuse_variables")) {
      return true;
    }
  }
  return false;
}

bool makes_named_variables(const Call& call)
{
  if (call.name == "tensorflow.get_variable") {
    return true;
  }
  return call.name.starts_with("tensorflow.layers.") && makes_variables(call) &&
         is_no(call.arg("reuse"));
}

// Where the second one comes from: the call that the first was not made by.
Span second_place(const Call& first, const Call& second)
{
  if (first.span != second.span) {
    return second.span;
  }
  std::vector<const Context*> chain;
  for (const Context* context = second.context; context != nullptr; context = context->parent) {
    chain.push_back(context);
  }
  for (auto context = chain.rbegin(); context != chain.rend(); ++context) {
    const bool is_shared = [&] {
      for (const Context* other = first.context; other != nullptr; other = other->parent) {
        if (other == *context) {
          return true;
        }
      }
      return false;
    }();
    if (!is_shared) {
      return (*context)->kind == Context::Kind::function ? (*context)->span : second.span;
    }
  }
  return second.span;
}

// A network that is built twice makes many variables twice: one finding for all.
const void* second_cause(const Call& call)
{
  const Context* function = call.within(Context::Kind::function);
  return function != nullptr ? static_cast<const void*>(function) : &call;
}

} // namespace

static void check(const Program& program, Reporter& report)
{
  if (shares_otherwise(program)) {
    return;
  }
  std::map<std::tuple<const void*, std::string>, const Call*> made;
  for (const Call& call : program.calls()) {
    if (!makes_named_variables(call) || call.speculative) {
      continue;
    }
    const std::optional<std::string> name = full_name(call);
    if (!name) {
      continue;
    }
    const auto [place, is_new] = made.try_emplace({graph_of(program, call), *name}, &call);
    const Call& first = *place->second;
    if (is_new || are_exclusive(first, call)) {
      continue;
    }
    const Span span = second_place(first, call);
    Draft& draft =
        report.add(span, format("makes the variable `{}` a second time", *name))
            .help("share it: `tf.variable_scope(name, reuse=True)` around the second use, or give "
                  "it another scope")
            .cause(second_cause(call));
    if (span != first.span) {
      draft.note(first.span, "made here");
    }
  }
}

extern const Rule variables_not_shared{
    .name = "variables-not-shared",
    .summary = "Finds variables of the same name that are made twice without `reuse`",
    .applies = "tf1",
    .type = "api/missing-argument-scoping",
    .fix_pattern = "api-contract",
    .severity = Severity::error,
    .confidence = Confidence::high,
    .check = check,
};

} // namespace faultline::rules
