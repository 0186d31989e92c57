#include "rules/facts.hpp"
#include "rules/reporter.hpp"

#include <algorithm>

namespace faultline::rules {

using program::as;
using program::Dim;

// Sizes without the axes of size 1, which may go anywhere. Nothing if one is not known.
static std::optional<std::vector<Dim>> essential(const program::Shape& shape)
{
  std::vector<Dim> dims;
  if (!shape.has_rank()) {
    return std::nullopt;
  }
  for (const Dim& dim : shape.dims()) {
    if (dim.is_unknown()) {
      return std::nullopt;
    }
    if (!dim.is(1)) {
      dims.push_back(dim);
    }
  }
  return dims;
}

// The same sizes in another order.
static bool is_permuted(std::vector<Dim> from, const std::vector<Dim>& to)
{
  if (from.size() != to.size() || from == to || from.size() < 2) {
    return false;
  }
  for (const Dim& dim : to) {
    const auto found = std::ranges::find(from, dim);
    if (found == from.end()) {
      return false;
    }
    from.erase(found);
  }
  return true;
}

static void check(const Program& program, Reporter& report)
{
  for (const Call& call : program.calls()) {
    const auto* result = as<Tensor>(call.result);
    const Tensor* input = call.input();
    if (!call.is("reshape") || result == nullptr || input == nullptr || input == result) {
      continue;
    }
    const auto from = essential(input->shape);
    const auto to = essential(result->shape);
    // A range that is laid out in a grid has no axes yet.
    if (!from || !to || !is_permuted(*from, *to)) {
      continue;
    }
    report
        .add(call.span,
             format("reshaping {} to {} does not swap axes",
                    input->shape.text(),
                    result->shape.text()))
        .label("mixes the elements of all axes")
        .help("use `permute` or `transpose`, which move the axes themselves");
  }
}

extern const Rule reshape_instead_of_permute{
    .name = "reshape-instead-of-permute",
    .summary = "Finds view and reshape where axes should be transposed",
    .applies = "any",
    .type = "tensors-and-inputs/wrong-tensor-shape/wrong-tensor-shape",
    .fix_pattern = "data-dimension",
    .severity = Severity::warning,
    .confidence = Confidence::high,
    .check = check,
};

} // namespace faultline::rules
