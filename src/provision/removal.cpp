#include "provision/removal.hpp"

#include "base/file.hpp"
#include "base/format.hpp"
#include "base/text.hpp"

#include <sys/mount.h>

#include <algorithm>
#include <vector>

namespace faultline::provision {

namespace fs = std::filesystem;

// Where something is mounted below `folder`, the innermost first.
static std::vector<std::string> mounts_below(const fs::path& folder)
{
  std::vector<std::string> found;
  const Result<std::string> mounts = read_file("/proc/self/mounts");
  const std::string prefix = folder.string() + "/";
  for (const std::string_view line : split_lines(mounts ? std::string_view(*mounts) : "")) {
    const std::vector<std::string_view> fields = split(line, ' ');
    if (fields.size() > 1) {
      std::string place = replace_all(std::string(fields[1]), "\\040", " ");
      if (place.starts_with(prefix)) {
        found.push_back(std::move(place));
      }
    }
  }
  std::ranges::sort(found, std::ranges::greater(), &std::string::size);
  return found;
}

Result<void> remove_tree(const fs::path& folder)
{
  for (const std::string& place : mounts_below(folder)) {
    umount2(place.c_str(), MNT_DETACH);
  }
  if (const std::vector<std::string> left = mounts_below(folder); !left.empty()) {
    return Error{
        ErrorKind::machine,
        format("{} has {} mounted in it; unmount it first", folder.string(), left.front())};
  }
  std::error_code code;
  fs::remove_all(folder, code);
  if (code) {
    return Error{ErrorKind::io, format("cannot remove {}: {}", folder.string(), code.message())};
  }
  return {};
}

} // namespace faultline::provision
