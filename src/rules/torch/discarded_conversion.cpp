#include "rules/facts.hpp"
#include "rules/regions.hpp"
#include "rules/reporter.hpp"

namespace faultline::rules {

using program::as;

// The last line of a notebook's cell shows its value.
static bool may_be_shown(const Program& program, const Call& call)
{
  return program.units()[call.span.file]->path.ends_with(".ipynb") &&
         function_around(call.context) == nullptr && call.within(Context::Kind::loop) == nullptr;
}

static void check(const Program& program, Reporter& report)
{
  for (const Call& call : program.calls()) {
    const auto* input = as<Tensor>(call.self);
    const bool converts = call.is("to_device") || call.is("cast") || call.is("detach") ||
                          call.is("contiguous") || call.has(program::k_reshaping);
    if (!call.discarded || input == nullptr || !converts || call.has(program::k_in_place) ||
        input->library != program::Library::torch || call.api->role != program::Role::method ||
        may_be_shown(program, call)) {
      continue;
    }
    const std::string_view callee = program.text(call.callee);
    const std::string_view object = callee.substr(0, callee.rfind('.'));
    const std::string_view method = callee.substr(callee.rfind('.') + 1);
    Draft& draft =
        report.add(call.span, format("the result of `{}` is thrown away", method))
            .label("returns a new tensor and leaves this one as it is")
            .help(format("assign it: `{0} = {0}.{1}(…)`", object, method))
            .type(call.is("to_device") ? FaultType("gpu-usage/wrong-tensor-transfer-to-gpu")
                                       : FaultType("api/wrong-api-usage"))
            .cause(&call);
    if (indentation(program, call.span) && object.find_first_of("()[] \n") == object.npos) {
      draft.insert(call.span, format("{} = ", object)).unsafe("keep the result");
    }
  }
}

extern const Rule discarded_conversion{
    .name = "discarded-conversion",
    .summary = "Finds x.cuda(), x.float() or x.view(…) whose result is not used",
    .applies = "torch",
    .type = "gpu-usage/wrong-tensor-transfer-to-gpu",
    .fix_pattern = "api-contract",
    .severity = Severity::error,
    .confidence = Confidence::high,
    .check = check,
};

} // namespace faultline::rules
