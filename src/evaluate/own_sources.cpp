#include "evaluate/own_sources.hpp"

#include "base/digest.hpp"
#include "base/file.hpp"

#include <algorithm>

namespace faultline::evaluate {

// A mark is this, the name of a command, a space and the digest. In the binary of this very
// function the words stand alone, too, which is why the rest of a mark is looked at.
constexpr std::string_view k_mark = "faultline sources of ";
constexpr size_t k_digits = 64;
constexpr size_t k_longest_command = 20;

static bool is_digest(std::string_view text)
{
  return text.size() == k_digits && std::ranges::all_of(text, [](char c) {
           return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
         });
}

std::map<std::string, std::string> own_sources_in(std::string_view binary)
{
  std::map<std::string, std::string> found;
  for (size_t at = binary.find(k_mark); at != std::string_view::npos;
       at = binary.find(k_mark, at + 1)) {
    const std::string_view rest =
        binary.substr(at + k_mark.size(), k_longest_command + 1 + k_digits);
    const size_t space = rest.find(' ');
    if (space == std::string_view::npos || space == 0) {
      continue;
    }
    const std::string_view digest = rest.substr(space + 1).substr(0, k_digits);
    if (is_digest(digest)) {
      found[std::string(rest.substr(0, space))] = digest;
    }
  }
  return found;
}

std::string own_sources_of(const std::filesystem::path& binary, const std::string& command)
{
  const Result<std::string> bytes = read_file(binary);
  if (!bytes) {
    return "unreadable";
  }
  const std::map<std::string, std::string> sources = own_sources_in(*bytes);
  if (const auto known = sources.find(command); known != sources.end()) {
    return known->second;
  }
  Digest digest;
  for (const auto& [name, of_command] : sources) {
    digest.add(name).add(of_command);
  }
  return sources.empty() ? digest.add(*bytes).hex() : digest.hex();
}

} // namespace faultline::evaluate
