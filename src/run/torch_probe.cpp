#include "run/torch_probe.hpp"

namespace faultline::run {

std::filesystem::path torch_probe_beside(const std::filesystem::path& binary)
{
  std::error_code code;
  std::filesystem::path probe = binary.parent_path() / "libfaultline_watch_torch.so";
  return std::filesystem::exists(probe, code) ? probe : std::filesystem::path();
}

} // namespace faultline::run
