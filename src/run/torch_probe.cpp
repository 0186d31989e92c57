#include "run/torch_probe.hpp"

#include "run/installation.hpp"

namespace faultline::run {

std::filesystem::path torch_probe_beside(const std::filesystem::path& binary)
{
  return helper_of(binary, "libfaultline_watch_torch.so");
}

} // namespace faultline::run
