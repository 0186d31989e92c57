#include "values.hpp"

#include <ATen/core/grad_mode.h>
#include <ATen/record_function.h>

namespace faultline_watch {

constexpr uint64_t k_largest = 1 << 20;

Values values_of(const at::Tensor& tensor)
{
  Values values;
  if (!tensor.defined() || tensor.layout() != at::kStrided || tensor.numel() == 0 ||
      !tensor.has_storage() || at::isComplexType(tensor.scalar_type()) ||
      at::isQIntType(tensor.scalar_type())) {
    return values;
  }
  const at::RecordFunctionGuard silent(/*is_enabled=*/false);
  const at::NoGradGuard no_graph;
  values.owner = tensor.to(at::kCPU, at::kFloat).contiguous();
  values.count = static_cast<uint64_t>(tensor.numel());
  const auto* data = values.owner.data_ptr<float>();
  if (values.count <= k_largest) {
    values.data = data;
    values.size = values.count;
    values.shape = tensor.sizes().vec();
    return values;
  }
  const uint64_t stride = (values.count + k_largest - 1) / k_largest;
  for (uint64_t i = 0; i < values.count; i += stride) {
    values.taken.push_back(data[i]);
  }
  values.owner.reset();
  values.data = values.taken.data();
  values.size = values.taken.size();
  return values;
}

std::string type_name(at::ScalarType type)
{
  switch (type) {
  case at::kFloat:
    return "float32";
  case at::kDouble:
    return "float64";
  case at::kHalf:
    return "float16";
  case at::kBFloat16:
    return "bfloat16";
  case at::kLong:
    return "int64";
  case at::kInt:
    return "int32";
  case at::kShort:
    return "int16";
  case at::kChar:
    return "int8";
  case at::kByte:
    return "uint8";
  case at::kBool:
    return "bool";
  default:
    return c10::toString(type);
  }
}

} // namespace faultline_watch
