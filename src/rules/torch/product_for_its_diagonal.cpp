#include "rules/facts.hpp"
#include "rules/regions.hpp"
#include "rules/reporter.hpp"

#include <algorithm>

namespace faultline::rules {

using program::as;

namespace {

bool takes_diagonal(const Call& call)
{
  constexpr std::string_view k_names[] = {"torch.diagonal",
                                          "torch.Tensor.diagonal",
                                          "torch.diag",
                                          "torch.Tensor.diag",
                                          "torch.trace",
                                          "torch.Tensor.trace",
                                          "numpy.trace",
                                          "numpy.diag",
                                          "numpy.diagonal",
                                          "tensorflow.trace",
                                          "tensorflow.diag_part",
                                          "tensorflow.matrix_diag_part"};
  return std::ranges::find(k_names, call.name) != std::end(k_names);
}

// Takes a matrix only, while `diag` of a vector makes one.
bool takes_matrices_only(const Call& call)
{
  return !call.name.ends_with("diag");
}

bool is_large_product(const Call& call)
{
  constexpr int64_t k_small = 4;
  const auto* result = as<Tensor>(call.result);
  if (!call.is("matmul") || result == nullptr) {
    return false;
  }
  const bool has_rank = result->shape.has_rank() && *result->shape.rank() >= 2;
  const auto width = has_rank ? result->shape.at(-1).constant() : std::nullopt;
  return !(width && *width <= k_small);
}

// What is done once for a formula costs nothing worth a warning: done in each round or step, for
// each matrix of a batch, or for large matrices, it does.
bool is_costly(const Call& call, const Call& diagonal)
{
  constexpr int64_t k_large = 32;
  constexpr std::string_view k_steps[] = {"forward", "call", "training_step", "train_step"};
  const auto& shape = as<Tensor>(call.result)->shape;
  const bool has_rank = shape.has_rank() && *shape.rank() >= 2;
  const auto width = has_rank ? shape.at(-1).constant() : std::nullopt;
  const bool is_batch = (has_rank && *shape.rank() > 2) || diagonal.given("dim1") != nullptr;
  if (is_batch || (width && *width >= k_large)) {
    return true;
  }
  for (const Context* around = call.context; around != nullptr; around = around->parent) {
    const bool is_step = around->kind == Context::Kind::function &&
                         std::ranges::find(k_steps, function_name(around)) != std::end(k_steps);
    if (is_step || around->kind == Context::Kind::loop) {
      return true;
    }
  }
  return false;
}

bool is_matrix(const Tensor& tensor)
{
  return tensor.shape.has_rank() && *tensor.shape.rank() >= 2;
}

// The call that only takes the diagonal of a product; null if more of it is used.
const Call* diagonal_of(const Program& program, const Call& product)
{
  const std::vector<const Call*>& users = program.consumers(as<Tensor>(product.result));
  const bool is_known_matrix = is_matrix(*as<Tensor>(product.result));
  const bool only_diagonal = !users.empty() && std::ranges::all_of(users, [=](const Call* user) {
    return takes_diagonal(*user) && (is_known_matrix || takes_matrices_only(*user));
  });
  return only_diagonal ? users.front() : nullptr;
}

void check(const Program& program, Reporter& report)
{
  std::vector<std::pair<const Call*, const Call*>> found;
  for (const Call& call : program.calls()) {
    const Call* diagonal = is_large_product(call) ? diagonal_of(program, call) : nullptr;
    if (diagonal != nullptr) {
      found.emplace_back(&call, diagonal);
    }
  }
  // Of one place that is reached in several ways the first report is kept: the costly one.
  std::stable_partition(found.begin(), found.end(), [](const auto& both) {
    return is_costly(*both.first, *both.second);
  });
  for (const auto& [product, diagonal] : found) {
    report.add(product->span, "a whole matrix product is computed for its diagonal")
        .label("of k entries in each row one is used")
        .note(diagonal->span, "the others are dropped here")
        .help("multiply element by element and sum: `(a * b.transpose(-2, -1)).sum(-1)`, or "
              "`einsum(\"...ij,...ji->...i\", a, b)`")
        .severity(is_costly(*product, *diagonal) ? Severity::warning : Severity::info)
        .cause(product);
  }
}

} // namespace

extern const Rule product_for_its_diagonal{
    .name = "product-for-its-diagonal",
    .summary = "Finds matrix products of which only the diagonal or the trace is used",
    .applies = "any",
    .type = "training/training-process/wrong-management-of-memory-resources",
    .fix_pattern = "loss-function",
    .severity = Severity::warning,
    .confidence = Confidence::medium,
    .check = check,
};

} // namespace faultline::rules
