#include "program/operations/relations.hpp"

#include "program/record/call.hpp"

#include <algorithm>

namespace faultline::program {

namespace {

constexpr int k_farthest = 12; // calls to go back

const Tensor* first_input(const Tensor* tensor)
{
  return tensor != nullptr && tensor->producer != nullptr ? tensor->producer->input(0) : nullptr;
}

std::string_view op_of(const Tensor* tensor)
{
  return tensor != nullptr && tensor->producer != nullptr ? tensor->producer->op()
                                                          : std::string_view();
}

bool keeps_elements(std::string_view op)
{
  constexpr std::string_view k_ops[] = {"expand_dims",
                                        "reshape",
                                        "detach",
                                        "squeeze",
                                        "expand",
                                        "identity",
                                        "repeat",
                                        "contiguous",
                                        "permute",
                                        "to_device",
                                        "cast",
                                        "flatten"};
  return std::ranges::find(k_ops, op) != std::end(k_ops);
}

} // namespace

const Tensor* original(const Tensor* tensor)
{
  for (int step = 0; step < k_farthest; ++step) {
    const Tensor* input = keeps_elements(op_of(tensor)) ? first_input(tensor) : nullptr;
    if (input == nullptr) {
      break;
    }
    tensor = input;
  }
  return tensor;
}

bool is_reduction_of(const Tensor* part, const Tensor* whole, std::string_view op)
{
  const Tensor* reduced = original(part);
  return op_of(reduced) == op && first_input(reduced) != nullptr &&
         original(first_input(reduced)) == original(whole);
}

bool is_shifted_exponential(const Tensor* tensor)
{
  const Tensor* exponential = original(tensor);
  if (op_of(exponential) != "exp") {
    return false;
  }
  const Tensor* shifted = original(first_input(exponential));
  if (op_of(shifted) != "sub" && op_of(shifted) != "subtract") {
    return false;
  }
  return is_reduction_of(shifted->producer->input(1), shifted->producer->input(0), "reduce_max");
}

bool is_resized(const Tensor* tensor)
{
  for (int step = 0; step < k_farthest && tensor != nullptr && tensor->producer != nullptr;
       ++step) {
    const std::string_view op = tensor->producer->op();
    if (tensor->producer->has(k_transposed) || op == "upsample" || op == "crop") {
      return true;
    }
    tensor = tensor->producer->input(0);
  }
  return false;
}

} // namespace faultline::program
