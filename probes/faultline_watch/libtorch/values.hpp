#pragma once

// The values of a tensor as an array of floats, without a copy where that is possible.

#include <ATen/core/Tensor.h>

#include <vector>

namespace faultline_watch {

struct Values {
  const float* data = nullptr;
  size_t size = 0;            // of a large tensor every n-th value is taken
  uint64_t count = 0;         // that the tensor has
  std::vector<int64_t> shape; // empty if values were left out
  at::Tensor owner;           // keeps them alive
  std::vector<float> taken;

  explicit operator bool() const { return size > 0; }
};

Values values_of(const at::Tensor& tensor);

// "float32", as the other probes call it.
std::string type_name(at::ScalarType type);

} // namespace faultline_watch
