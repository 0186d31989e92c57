#include "rules/facts.hpp"
#include "rules/reporter.hpp"
#include "rules/values.hpp"

#include <algorithm>

namespace faultline::rules {

using program::as;
using program::Device;
using program::Truth;

namespace {

// Why NumPy cannot read this tensor; empty if it can.
std::string_view obstacle(const Tensor* tensor)
{
  if (tensor == nullptr || tensor->library != program::Library::torch) {
    return {};
  }
  if (tensor->requires_grad == Truth::yes) {
    return "requires a gradient";
  }
  return tensor->device.kind() == Device::Kind::cuda     ? "is on a GPU"
         : tensor->device.kind() == Device::Kind::chosen ? "is on a GPU where there is one"
                                                         : std::string_view();
}

void check_method(const Program& program, Reporter& report, const Call& call)
{
  const auto* tensor = as<Tensor>(call.self);
  const std::string_view why = obstacle(tensor);
  if (why.empty() || bool_of(call.arg("force")) == true) {
    return;
  }
  const bool on_cpu = tensor->device == Device::cpu();
  const std::string before = format(
      "{}{}", tensor->requires_grad == Truth::yes ? ".detach()" : "", on_cpu ? "" : ".cpu()");
  Draft& draft = report.add(call.span, format("`numpy()` of a tensor that {}", why))
                     .help(format("take its values first: `{}.numpy()`", before))
                     .cause(&call);
  const std::string_view callee = program.text(call.callee);
  if (callee.ends_with(".numpy")) {
    Span dot = call.callee;
    dot.begin = dot.end - 6;
    draft.insert(dot, before).safe("take the values out of the graph and off the GPU");
  }
}

bool wants_arrays(const Call& call)
{
  return call.name.starts_with("numpy.") || call.name.starts_with("sklearn.") ||
         call.name.starts_with("matplotlib.pyplot.");
}

void check_function(const Program& program, Reporter& report, const Call& call)
{
  for (const auto* list : {&call.arguments, &call.surplus}) {
    for (const program::Argument& argument : *list) {
      const auto* tensor = as<Tensor>(argument.value);
      if (const auto* several = as<program::Sequence>(argument.value)) {
        tensor = as<Tensor>(several->items.empty() ? several->rest : several->items.front());
      }
      const std::string_view why = obstacle(tensor);
      if (!why.empty()) {
        report.add(argument.span, format("`{}` gets a tensor that {}", written(program, call), why))
            .help("convert it first: `.detach().cpu().numpy()`")
            .cause(&call);
      }
    }
  }
}

// torch.LongTensor(t) and its kin are types of the CPU and take no tensor of another device.
void check_constructor(const Program& program, Reporter& report, const Call& call)
{
  constexpr std::string_view k_types[] = {"torch.FloatTensor",
                                          "torch.DoubleTensor",
                                          "torch.LongTensor",
                                          "torch.IntTensor",
                                          "torch.ByteTensor",
                                          "torch.BoolTensor",
                                          "torch.HalfTensor",
                                          "torch.ShortTensor"};
  const Tensor* tensor =
      std::ranges::find(k_types, call.name) != std::end(k_types) ? call.input() : nullptr;
  if (tensor == nullptr || tensor->library != program::Library::torch ||
      (tensor->device.kind() != Device::Kind::cuda &&
       tensor->device.kind() != Device::Kind::chosen)) {
    return;
  }
  report
      .add(
          call.span,
          format("`{}` makes tensors on the CPU and takes none from a GPU", written(program, call)))
      .help("convert the tensor itself, such as with `.long()`")
      .cause(&call);
}

void check(const Program& program, Reporter& report)
{
  for (const Call& call : program.calls()) {
    if (call.is("to_numpy")) {
      check_method(program, report, call);
    } else if (wants_arrays(call)) {
      check_function(program, report, call);
    } else {
      check_constructor(program, report, call);
    }
  }
}

} // namespace

extern const Rule numpy_of_gpu_or_graph_tensor{
    .name = "numpy-of-gpu-or-graph-tensor",
    .summary = "Finds tensors that NumPy cannot read: on a GPU or with a gradient",
    .applies = "torch",
    .type = "gpu-usage/gpu-tensor-is-used-instead-of-cpu-tensor",
    .fix_pattern = "api-contract",
    .severity = Severity::error,
    .confidence = Confidence::high,
    .rank = 5,
    .check = check,
};

} // namespace faultline::rules
