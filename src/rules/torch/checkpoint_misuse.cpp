#include "rules/facts.hpp"
#include "rules/modules.hpp"
#include "rules/reporter.hpp"
#include "rules/values.hpp"

#include <algorithm>

namespace faultline::rules {

using program::Argument;
using program::as;

namespace {

// The n-th argument, bound or not.
const Argument* argument(const Call& call, size_t n)
{
  if (n < call.arguments.size()) {
    return &call.arguments[n];
  }
  n -= call.arguments.size();
  return n < call.surplus.size() ? &call.surplus[n] : nullptr;
}

bool is_same_file(Ref a, Ref b)
{
  return a == b || (text_of(a) && text_of(a) == text_of(b));
}

struct Saved {
  enum class Kind { other, weights, module, checkpoint } kind = Kind::other;
  const Call* call = nullptr;
};

bool is_state(const Program& program, Ref value)
{
  return std::ranges::any_of(program.calls(), [value](const Call& call) {
    return call.is("state_dict") && call.result == value;
  });
}

Saved::Kind kind_of(const Program& program, Ref value)
{
  if (is_module(value)) {
    return Saved::Kind::module;
  }
  if (is_state(program, value)) {
    return Saved::Kind::weights;
  }
  if (const auto* dict = as<program::Dict>(value)) {
    for (const auto& [key, held] : dict->items) {
      if (text_of(key) && is_state(program, held)) {
        return Saved::Kind::checkpoint;
      }
    }
  }
  return Saved::Kind::other;
}

// What this program itself writes to the file; `other` if nothing or several things.
Saved saved_in(const Program& program, Ref file)
{
  Saved saved;
  for (const Call& call : program.calls()) {
    const Argument* what = call.name == "torch.save" ? argument(call, 0) : nullptr;
    const Argument* where = what != nullptr ? argument(call, 1) : nullptr;
    if (where == nullptr || !is_same_file(where->value, file)) {
      continue;
    }
    const Saved::Kind kind = kind_of(program, what->value);
    if (saved.call != nullptr && kind != saved.kind) {
      return {};
    }
    saved = {kind, &call};
  }
  return saved;
}

// Someone treats the value as a model.
const Call* use_as_model(const Program& program, Ref value)
{
  constexpr std::string_view k_methods[] = {
      "?.eval", "?.train", "?.parameters", "?.forward", "?.cuda", "?.to", "?.state_dict", "?"};
  for (const Call& call : program.calls()) {
    if (call.self == value && call.self != nullptr &&
        std::ranges::find(k_methods, call.name) != std::end(k_methods)) {
      return &call;
    }
  }
  return nullptr;
}

void check_loaded_weights(const Program& program, Reporter& report, const Call& call)
{
  if (const Call* use = call.discarded ? nullptr : use_as_model(program, call.result)) {
    report.add(call.span, "`load_state_dict` does not return the model")
        .label("returns the names of the keys that did not fit")
        .note(use->span, "used as a model here")
        .help("call it as a statement: the model is changed in place")
        .cause(&call);
  }
  const Argument* strict = call.given("strict");
  if (strict != nullptr && bool_of(strict->value) == false && call.discarded) {
    report.add(strict->span, "weights that do not fit are left out without a word")
        .help("look at the `missing_keys` and `unexpected_keys` that it returns")
        .severity(Severity::info);
  }
}

void check_loaded_file(const Program& program, Reporter& report, const Call& call)
{
  const Argument* file = argument(call, 0);
  if (file == nullptr || call.result == nullptr) {
    return;
  }
  const Saved saved = saved_in(program, file->value);
  if (saved.kind == Saved::Kind::weights || saved.kind == Saved::Kind::checkpoint) {
    if (const Call* use = use_as_model(program, call.result)) {
      report.add(call.span, "this file holds weights, not a model")
          .note(saved.call->span, "written here")
          .note(use->span, "used as a model here")
          .help("build the model, then `model.load_state_dict(torch.load(…))`")
          .cause(&call);
    }
  }
  if (saved.kind != Saved::Kind::module && saved.kind != Saved::Kind::checkpoint) {
    return;
  }
  for (const Call& other : program.calls()) {
    const Argument* given = other.is("load_weights") ? argument(other, 0) : nullptr;
    if (given == nullptr || given->value != call.result) {
      continue;
    }
    const bool is_module = saved.kind == Saved::Kind::module;
    report
        .add(given->span,
             is_module ? "this file holds a whole model, not its weights"
                       : "this file holds a dictionary with the weights inside, not the weights")
        .note(saved.call->span, "written here")
        .help(is_module ? "save `model.state_dict()` instead of the model"
                        : "take the entry with the weights out of what was loaded")
        .cause(&other);
  }
}

void check(const Program& program, Reporter& report)
{
  for (const Call& call : program.calls()) {
    if (call.is("load_weights") && is_module(call.self)) {
      check_loaded_weights(program, report, call);
    } else if (call.name == "torch.load") {
      check_loaded_file(program, report, call);
    }
  }
}

} // namespace

extern const Rule checkpoint_misuse{
    .name = "checkpoint-misuse",
    .summary = "Finds saved weights that are loaded as something else",
    .applies = "torch",
    .type = "training/training-process/reference-to-non-existing-checkpoint",
    .fix_pattern = "api-contract",
    .severity = Severity::error,
    .confidence = Confidence::high,
    .check = check,
};

} // namespace faultline::rules
