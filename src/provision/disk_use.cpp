#include "provision/disk_use.hpp"

#include "base/format.hpp"

#include <sys/stat.h>

namespace faultline::provision {

namespace fs = std::filesystem;

uint64_t bytes_below(const fs::path& folder)
{
  uint64_t sum = 0;
  struct stat top {};
  if (lstat(folder.c_str(), &top) != 0) {
    return 0;
  }
  std::error_code code;
  fs::recursive_directory_iterator at(folder, fs::directory_options::skip_permission_denied, code);
  for (; !code && at != fs::recursive_directory_iterator(); at.increment(code)) {
    // Files come and go while something is being built; what is mounted there is not part of it.
    struct stat entry {};
    if (lstat(at->path().c_str(), &entry) != 0) {
      continue;
    }
    if (entry.st_dev != top.st_dev) {
      at.disable_recursion_pending();
    } else if (S_ISREG(entry.st_mode)) {
      sum += static_cast<uint64_t>(entry.st_size);
    }
  }
  return sum;
}

std::string print_size(uint64_t bytes)
{
  const double size = static_cast<double>(bytes);
  return bytes >= 1'000'000'000 ? format("{:.1f} GB", size / 1e9)
         : bytes >= 1'000'000   ? format("{:.0f} MB", size / 1e6)
                                : format("{:.0f} kB", size / 1e3);
}

} // namespace faultline::provision
