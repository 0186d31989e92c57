#pragma once

#include "base/file.hpp"

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace faultline::evaluate {

// Which lines of a program belong together, coarser than by line.
class ProgramPlaces {
public:
  explicit ProgramPlaces(const FileTree& program);

  // Both lie in one statement; of a compound statement only its head counts, as its body has
  // statements of its own.
  bool same_statement(const std::string& file, size_t a, size_t b) const;

  // In one statement, or in two that build or call the same layer: `self.out = nn.Linear(8, 2)` and
  // `x = self.out(x)`.
  bool same_layer(const std::string& file, size_t a, size_t b) const;

private:
  struct Extent {
    size_t begin = 0;
    size_t end = 0;
  };
  struct Name {
    std::string text;
    size_t at = 0; // byte
  };
  struct File {
    std::vector<size_t> starts; // of each line, its first byte that is no blank
    std::vector<Extent> statements;
    std::vector<Name> built;
    std::vector<Name> called;
  };
  static File read(const std::string& path, const std::string& text);
  // The byte at which the innermost statement around a byte begins.
  static size_t statement_at(const File& file, size_t byte);
  static std::set<std::string> layers_of(const File& file, size_t statement);

  std::map<std::string, File> m_files;
};

} // namespace faultline::evaluate
