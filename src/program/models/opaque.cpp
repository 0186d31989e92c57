// Families of names that are understood to have no influence on tensors or training: logging,
// plots, files, profiling, process groups. A name that has a row of its own is not opaque.

#include "program/models/tables.hpp"

namespace faultline::program {

std::span<const std::string_view> opaque_prefixes()
{
  static constexpr std::string_view k_prefixes[] = {
      "tensorflow.__version__",
      "keras.__version__",
      "numpy.__version__",
      "torch.__config__",
      "torch.__version__",
      "torch._C",
      "torch._dynamo",
      "torch._inductor",
      "torch._logging",
      "torch.accelerator",
      "torch.ao",
      "torch.autograd.profiler",
      "torch.backends",
      "torch.classes",
      "torch.compiler",
      "torch.cuda",
      "torch.distributed",
      "torch.export",
      "torch.futures",
      "torch.fx",
      "torch.hub",
      "torch.jit",
      "torch.library",
      "torch.mps",
      "torch.multiprocessing",
      "torch.nested",
      "torch.nn.parallel",
      "torch.nn.quantized",
      "torch.onnx",
      "torch.ops",
      "torch.overrides",
      "torch.package",
      "torch.profiler",
      "torch.quantization",
      "torch.random",
      "torch.serialization",
      "torch.sparse",
      "torch.testing",
      "torch.types",
      "torch.utils.benchmark",
      "torch.utils.bottleneck",
      "torch.utils.collect_env",
      "torch.utils.cpp_extension",
      "torch.utils.dlpack",
      "torch.utils.hooks",
      "torch.utils.mobile_optimizer",
      "torch.utils.model_zoo",
      "torch.utils.tensorboard",
      "torch.version",
      "torch.xpu",
  };
  return k_prefixes;
}

} // namespace faultline::program
