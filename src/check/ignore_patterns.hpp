#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace faultline::check {

enum class EntryKind { file, folder };

// Patterns as in .gitignore: `*` and `?` stay within a name, `**` does not, a pattern with a slash
// before its end is relative to the folder of the patterns, one that ends in a slash means folders
// only, `!` takes back what an earlier pattern said.
class IgnorePatterns {
public:
  explicit IgnorePatterns(std::string_view lines);
  explicit IgnorePatterns(const std::vector<std::string>& patterns);

  // What the last pattern that fits says of `path`, relative to the folder of the patterns with "/"
  // between names: ignored or not. Nothing if none fits.
  std::optional<bool> ignores(std::string_view path, EntryKind kind) const;

  // Whether `path` or a folder above it is ignored.
  bool covers(std::string_view path) const;

  bool empty() const { return m_patterns.empty(); }

private:
  struct Pattern {
    std::string glob;
    bool negated = false;
    bool folders_only = false;
    bool anchored = false;
  };
  void add(std::string_view line);

  std::vector<Pattern> m_patterns;
};

// Whether `glob` describes all of `path`.
bool glob_matches(std::string_view glob, std::string_view path);

} // namespace faultline::check
