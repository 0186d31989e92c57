#include "program/projects/pins.hpp"

#include "base/format.hpp"
#include "base/text.hpp"

#include <algorithm>
#include <cctype>

namespace faultline::program {

std::optional<Version> Version::parse(std::string_view text)
{
  Version version;
  size_t part = 0;
  bool digits = false;
  for (const char c : text) {
    if (std::isdigit(static_cast<unsigned char>(c)) != 0) {
      constexpr int k_largest = 100'000; // a date is a version, too
      version.parts[part] = std::min(version.parts[part] * 10 + (c - '0'), k_largest);
      digits = true;
    } else if (c == '.' && digits && part + 1 < version.parts.size()) {
      ++part;
    } else {
      break;
    }
  }
  return digits ? std::optional(version) : std::nullopt;
}

std::string Version::text() const
{
  return parts[2] != 0 ? format("{}.{}.{}", parts[0], parts[1], parts[2])
                       : format("{}.{}", parts[0], parts[1]);
}

static std::string module_of(std::string name)
{
  std::ranges::transform(name, name.begin(), [](unsigned char c) { return std::tolower(c); });
  if (name.starts_with("tensorflow")) { // -gpu, -cpu, -macos
    const bool other = name.find("data") != name.npos || name.find("hub") != name.npos ||
                       name.find("addons") != name.npos || name.find("prob") != name.npos;
    return other ? name : "tensorflow";
  }
  return name == "scikit-learn" ? "sklearn" : name == "pytorch" ? "torch" : name;
}

std::map<std::string, Version> parse_requirements(std::string_view text)
{
  std::map<std::string, Version> versions;
  for (std::string_view line : split_lines(text)) {
    line = trim(line.substr(0, line.find('#')));
    if (line.starts_with("- ")) {
      line = trim(line.substr(2));
    }
    size_t end = 0;
    while (end < line.size() && (std::isalnum(static_cast<unsigned char>(line[end])) != 0 ||
                                 line[end] == '-' || line[end] == '_')) {
      ++end;
    }
    const std::string_view rest = trim(line.substr(end));
    if (end == 0 || !(rest.starts_with("==") || rest.starts_with(">=") || rest.starts_with("~=") ||
                      rest.starts_with('='))) {
      continue;
    }
    const size_t digits = rest.find_first_of("0123456789");
    if (digits == rest.npos) {
      continue;
    }
    if (const std::optional<Version> version = Version::parse(rest.substr(digits))) {
      versions[module_of(std::string(line.substr(0, end)))] = *version;
    }
  }
  return versions;
}

} // namespace faultline::program
