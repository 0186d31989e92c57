#include "rules/facts.hpp"
#include "rules/loss/labels.hpp"
#include "rules/reporter.hpp"

#include <cmath>

namespace faultline::rules {

namespace {

// One encoding of class indices: the labels, and the number of columns if it is written.
struct OneHot {
  const Call* call;
  const Tensor* labels;
  const program::Argument* columns; // null if left out
  std::optional<int64_t> width;     // of the result
};

std::optional<OneHot> read(const Call& call)
{
  if (!call.is("to_categorical") && !call.is("one_hot")) {
    return std::nullopt;
  }
  const Tensor* labels = call.input();
  const auto* result = program::as<Tensor>(call.result);
  if (labels == nullptr || result == nullptr) {
    return std::nullopt;
  }
  const program::Argument* columns = nullptr;
  for (const std::string_view name : {"num_classes", "depth"}) {
    columns = columns == nullptr ? call.given(name) : columns;
  }
  return OneHot{&call, labels, columns, result->shape.at(-1).constant()};
}

// Both are parts of one data set: split by hand, or as its loader gives them.
bool are_siblings(const OneHot& a, const OneHot& b)
{
  const auto* x = a.labels->source;
  const auto* y = b.labels->source;
  if (x != nullptr && y != nullptr) {
    return x->name == y->name && x->part == y->part && x->loader == y->loader &&
           a.labels != b.labels;
  }
  const Call* split = value_producer(a.labels);
  return split != nullptr && split->is("train_test_split") && split == value_producer(b.labels) &&
         a.labels->origin != b.labels->origin;
}

bool is_too_narrow(const OneHot& one, Reporter& report)
{
  if (one.columns == nullptr || !one.width || !one.labels->interval.is_known()) {
    return false;
  }
  const double high = one.labels->interval.high();
  const bool are_whole = one.labels->dtype.is_integer() || are_indices(*one.labels);
  if (!are_whole || std::isinf(high) || high < static_cast<double>(*one.width)) {
    return false;
  }
  Draft& draft =
      report.add(one.columns->span, format("{} columns for labels up to {}", *one.width, high))
          .help(format("the labels 0 to {} need {} columns", high, high + 1))
          .cause(one.call);
  if (one.labels->source != nullptr) {
    draft.note(format("the labels of `{}`", one.labels->source->name));
  }
  return true;
}

void compare(const OneHot& first, const OneHot& second, Reporter& report)
{
  if (first.width && second.width) {
    if (*first.width != *second.width) {
      const OneHot& narrow = *first.width < *second.width ? first : second;
      const OneHot& other = &narrow == &first ? second : first;
      report
          .add(narrow.columns != nullptr ? narrow.columns->span : narrow.call->span,
               format("{} columns here, but {} for the other part of the data",
                      *narrow.width,
                      *other.width))
          .note(other.call->span, format("{} columns here", *other.width))
          .help("encode all parts with the same number of classes")
          .cause(narrow.call);
    }
    return;
  }
  if ((first.columns == nullptr) != (second.columns == nullptr)) {
    const OneHot& open = first.columns == nullptr ? first : second;
    const OneHot& other = &open == &first ? second : first;
    report.add(open.call->span, "number of classes left to what this part of the labels holds")
        .note(other.call->span, "the other part is encoded with a fixed number")
        .help("pass the same number of classes for every part")
        .severity(Severity::info)
        .cause(open.call);
  }
}

} // namespace

static void check(const Program& program, Reporter& report)
{
  std::vector<OneHot> earlier;
  for (const Call& call : program.calls()) {
    const std::optional<OneHot> one = read(call);
    if (!one || is_too_narrow(*one, report)) {
      continue;
    }
    for (const OneHot& other : earlier) {
      if (are_siblings(other, *one)) {
        compare(other, *one, report);
      }
    }
    earlier.push_back(*one);
  }
}

extern const Rule one_hot_too_narrow{
    .name = "one-hot-too-narrow",
    .summary = "Finds one-hot encodings with too few columns, or with different ones for train and "
               "test",
    .applies = "any",
    .type =
        "training/preprocessing-of-training-data/missing-preprocessing/missing-preprocessing-step",
    .fix_pattern = "data-dimension",
    .severity = Severity::error,
    .confidence = Confidence::high,
    .check = check,
};

} // namespace faultline::rules
