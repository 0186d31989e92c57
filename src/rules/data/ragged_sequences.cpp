#include "rules/facts.hpp"
#include "rules/reporter.hpp"

namespace faultline::rules {

static void check(const Program& program, Reporter& report)
{
  for (const Call& call : program.calls()) {
    if (!call.is("fit") && !call.is("evaluate") && !call.is("predict")) {
      continue;
    }
    const program::Argument* x = call.argument("x");
    const auto* data = x != nullptr ? program::as<Tensor>(x->value) : nullptr;
    if (data == nullptr || data->dtype != program::DType(program::DType::Kind::object) ||
        data->encoding != program::Encoding::token) {
      continue;
    }
    Draft& draft = report.add(x->span, "lists of different length reach the model")
                       .help("give them one length: `pad_sequences(x, maxlen=…)`")
                       .cause(&call);
    note_loader(draft, *data);
  }
}

extern const Rule ragged_sequences{
    .name = "ragged-sequences",
    .summary = "Finds sequences of different length that reach a model unpadded",
    .applies = "any",
    .type =
        "training/preprocessing-of-training-data/missing-preprocessing/missing-preprocessing-step",
    .fix_pattern = "data-dimension",
    .severity = Severity::error,
    .confidence = Confidence::high,
    .check = check,
};

} // namespace faultline::rules
