#include "rules/torch/devices.hpp"

#include "program/names/api.hpp"
#include "rules/gradients.hpp"
#include "rules/modules.hpp"
#include "rules/regions.hpp"

#include <algorithm>

namespace faultline::rules {

using program::Device;

// What gave the tensor its device: operations that follow their input are passed over.
static const Call* maker(const Tensor* tensor)
{
  while (tensor != nullptr && tensor->producer != nullptr) {
    const Call* call = tensor->producer;
    if (call->has(program::k_source)) {
      return call;
    }
    const Tensor* input = call->input();
    if (call->is("to_device") || call->is("from_array") || input == tensor || input == nullptr ||
        input->device != tensor->device) {
      return nullptr;
    }
    tensor = input;
  }
  return nullptr;
}

static bool is_made_on_the_way(const Call& source)
{
  if (source.given("device") != nullptr || source.keyword("device") != nullptr) {
    return false;
  }
  for (const Context* region = source.context; region != nullptr; region = region->parent) {
    if (region->kind == Context::Kind::loop ||
        (region->kind == Context::Kind::function && is_module(region->self))) {
      return true;
    }
  }
  return false;
}

std::vector<DeviceClash> device_clashes(const Program& program)
{
  std::vector<DeviceClash> clashes;
  for (const program::Problem& problem : program.problems()) {
    if (problem.kind != program::ProblemKind::device) {
      continue;
    }
    DeviceClash clash{.problem = &problem};
    if (problem.call != nullptr) {
      for (const Tensor* input : problem.call->inputs()) {
        const Call* source = input->device == Device::cpu() ? maker(input) : nullptr;
        if (source != nullptr && is_made_on_the_way(*source)) {
          clash.source = source;
        }
      }
    }
    clashes.push_back(clash);
  }
  return clashes;
}

} // namespace faultline::rules
