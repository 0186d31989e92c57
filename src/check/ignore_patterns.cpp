#include "check/ignore_patterns.hpp"

#include "base/text.hpp"

namespace faultline::check {

// The set at the start of `glob`, such as "[!a-z]": whether it has `c`, and how long it is. A
// length of 0 says that the bracket is never closed and stands for itself.
static std::pair<bool, size_t> match_set(std::string_view glob, char c)
{
  size_t i = 1;
  const bool negated = i < glob.size() && (glob[i] == '!' || glob[i] == '^');
  i += negated ? 1 : 0;
  bool found = false;
  for (bool first = true; i < glob.size() && (first || glob[i] != ']'); first = false) {
    if (glob[i] == '\\' && i + 1 < glob.size()) {
      ++i;
    }
    const char low = glob[i];
    const bool range = i + 2 < glob.size() && glob[i + 1] == '-' && glob[i + 2] != ']';
    const char high = range ? glob[i + 2] : low;
    found = found || (low <= c && c <= high);
    i += range ? 3 : 1;
  }
  if (i >= glob.size()) {
    return {false, 0};
  }
  return {found != negated && c != '/', i + 1};
}

// Backtracks to the last `*` and the last `**` only, so the time is at most the product of the
// lengths, squared for patterns that have both.
bool glob_matches(std::string_view glob, std::string_view path)
{
  constexpr size_t k_none = std::string_view::npos;
  size_t g = 0;
  size_t p = 0;
  size_t star_glob = k_none; // where to go on in the pattern and in the path if it fails
  size_t star_path = 0;
  size_t deep_glob = k_none;
  size_t deep_path = 0;
  while (p < path.size() || g < glob.size()) {
    bool fits = false;
    if (g < glob.size()) {
      const bool at_name = g == 0 || glob[g - 1] == '/';
      if (at_name && glob.substr(g).starts_with("**/")) {
        g += 3;
        deep_glob = g;
        deep_path = p;
        star_glob = k_none;
        continue;
      }
      if (at_name && glob.substr(g) == "**") {
        return p < path.size();
      }
      if (glob[g] == '*') {
        star_glob = ++g;
        star_path = p;
        continue;
      }
      if (p < path.size()) {
        size_t step = 1;
        if (glob[g] == '?') {
          fits = path[p] != '/';
        } else if (const auto [in_set, length] = glob[g] == '[' ? match_set(glob.substr(g), path[p])
                                                                : std::pair(false, size_t{0});
                   length > 0) {
          fits = in_set;
          step = length;
        } else {
          const bool escaped = glob[g] == '\\' && g + 1 < glob.size();
          fits = glob[g + (escaped ? 1 : 0)] == path[p];
          step = escaped ? 2 : 1;
        }
        if (fits) {
          g += step;
          ++p;
          continue;
        }
      }
    }
    if (star_glob != k_none && star_path < path.size() && path[star_path] != '/') {
      g = star_glob;
      p = ++star_path;
    } else if (deep_glob != k_none && path.find('/', deep_path) != k_none) {
      deep_path = path.find('/', deep_path) + 1;
      g = deep_glob;
      p = deep_path;
      star_glob = k_none;
    } else {
      return false;
    }
  }
  return true;
}

IgnorePatterns::IgnorePatterns(std::string_view lines)
{
  for (const std::string_view line : split_lines(lines)) {
    add(line);
  }
}

IgnorePatterns::IgnorePatterns(const std::vector<std::string>& patterns)
{
  for (const std::string& pattern : patterns) {
    add(pattern);
  }
}

void IgnorePatterns::add(std::string_view line)
{
  while (line.ends_with('\r') || (line.ends_with(' ') && !line.ends_with("\\ "))) {
    line.remove_suffix(1);
  }
  if (line.empty() || line.starts_with('#')) {
    return;
  }
  Pattern pattern;
  if (line.starts_with('!')) {
    pattern.negated = true;
    line.remove_prefix(1);
  }
  if (line.ends_with('/')) {
    pattern.folders_only = true;
    line.remove_suffix(1);
  }
  pattern.anchored = line.find('/') != std::string_view::npos;
  if (line.starts_with('/')) {
    line.remove_prefix(1);
  }
  if (!line.empty()) {
    pattern.glob = line;
    m_patterns.push_back(std::move(pattern));
  }
}

std::optional<bool> IgnorePatterns::ignores(std::string_view path, EntryKind kind) const
{
  const std::string_view name = path.substr(path.rfind('/') + 1);
  for (auto pattern = m_patterns.rbegin(); pattern != m_patterns.rend(); ++pattern) {
    if (pattern->folders_only && kind != EntryKind::folder) {
      continue;
    }
    if (glob_matches(pattern->glob, pattern->anchored ? path : name)) {
      return !pattern->negated;
    }
  }
  return std::nullopt;
}

bool IgnorePatterns::covers(std::string_view path) const
{
  for (size_t end = path.find('/'); end != std::string_view::npos; end = path.find('/', end + 1)) {
    if (ignores(path.substr(0, end), EntryKind::folder).value_or(false)) {
      return true;
    }
  }
  return ignores(path, EntryKind::file).value_or(false);
}

} // namespace faultline::check
