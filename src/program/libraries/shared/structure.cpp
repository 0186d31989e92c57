#include "program/libraries/shared/structure.hpp"

namespace faultline::program {

std::vector<Shape> shapes_of(const std::vector<Tensor*>& tensors)
{
  std::vector<Shape> shapes;
  for (const Tensor* tensor : tensors) {
    shapes.push_back(tensor->shape);
  }
  return shapes;
}

} // namespace faultline::program
