#include "rules/facts.hpp"
#include "rules/keras_facts.hpp"
#include "rules/reporter.hpp"
#include "rules/values.hpp"

namespace faultline::rules {

static void check(const Program& program, Reporter& report)
{
  for (const Call& call : program.calls()) {
    if (call.api == nullptr || call.api->role != program::Role::layer || call.layer != nullptr) {
      continue;
    }
    for (const std::string_view name : {"input_shape", "batch_input_shape"}) {
      const program::Argument* argument = call.given(name);
      if (argument == nullptr) {
        argument = call.keyword(name);
      }
      if (argument == nullptr || !int_of(argument->value)) {
        continue;
      }
      const std::string text(program.text(argument->span));
      Draft& draft =
          report
              .add(argument->span,
                   format("`{}` is the number {}, not a tuple", name, *int_of(argument->value)))
              .help("a tuple of one size needs a comma: `(n,)`")
              .cause(&call);
      if (text.starts_with('(') && text.ends_with(')')) {
        draft.replace(argument->span, text.substr(0, text.size() - 1) + ",)").safe("add the comma");
      } else {
        draft.replace(argument->span, "(" + text + ",)").safe("make it a tuple");
      }
    }
  }
}

extern const Rule input_shape_not_a_tuple{
    .name = "input-shape-not-a-tuple",
    .summary = "Finds input shapes that are a number where a tuple is needed",
    .applies = "keras",
    .type = "model/layers/layer-properties/wrong-defined-input-shape",
    .fix_pattern = "layer-dimension",
    .severity = Severity::error,
    .confidence = Confidence::high,
    .check = check,
};

} // namespace faultline::rules
