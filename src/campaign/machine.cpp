#include "base/file.hpp"
#include "base/format.hpp"
#include "base/text.hpp"
#include "campaign/plan.hpp"

#include <sys/utsname.h>
#include <unistd.h>

#include <cmath>

namespace faultline::campaign {

// The first value of `key` in a file of "key : value" lines; files in /proc have no size, but are
// read like any other.
static std::string value_in(const char* file, std::string_view key)
{
  const Result<std::string> text = read_file(file);
  for (const std::string_view line : split_lines(text ? std::string_view(*text) : "")) {
    if (line.starts_with(key)) {
      const size_t colon = line.find(':');
      return colon == std::string_view::npos ? "" : std::string(trim(line.substr(colon + 1)));
    }
  }
  return {};
}

std::string describe_machine()
{
  const std::string model = value_in("/proc/cpuinfo", "model name");
  const std::string memory = value_in("/proc/meminfo", "MemTotal"); // "24689524 kB"
  const double gib = std::strtod(memory.c_str(), nullptr) / 1024 / 1024;
  utsname kernel{};
  uname(&kernel);
  return format("{} × {}, {:.0f} GiB, {} {}",
                sysconf(_SC_NPROCESSORS_ONLN),
                model.empty() ? std::string(kernel.machine) : model,
                std::ceil(gib),
                kernel.sysname,
                kernel.release);
}

} // namespace faultline::campaign
