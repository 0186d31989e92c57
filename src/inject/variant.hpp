#pragma once

// A variant is a program plus edits; here the edits are those of one operator at one place.

#include "base/file.hpp"
#include "base/result.hpp"
#include "inject/operator.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace faultline::inject {

struct Variant {
  std::string id;      // "MU003-1f6c2a90": operator and a digest of file and edits
  std::string op;      // code of the operator
  std::string setting; // empty if it has none
  std::string library; // top package the file belongs to, as asked for ("torch.nn"); empty: the
                       // program's own
  std::string file;    // relative to the program's folder, or to the folder of installed packages
  size_t line = 1;     // of the first edit
  size_t column = 1;
  std::string before;
  std::string after;
  std::vector<source::Edit> edits; // of the file's text
};

struct Selection {
  std::vector<const Operator*> operators;
  // Only edits that begin on one of these lines; a file that is not named has none. Nothing: all.
  std::optional<std::map<std::string, std::set<size_t>>> covered;
  std::optional<size_t> per_file;     // at most so many of each file, chosen at random
  std::optional<std::string> setting; // instead of the operators' own values
  uint64_t seed = 1;
};

// Every variant of the Python files of `files` that `selection` asks for, in the order of file,
// line and operator. The changed file always parses, no two variants are the same text, none is the
// original. `library` is noted in each, and says that the files are not the program's own.
std::vector<Variant>
make_variants(const FileTree& files, const Selection& selection, const std::string& library = {});

// The file of `variant` with its edits done.
Result<std::string> changed_text(const Variant& variant, const FileTree& files);

} // namespace faultline::inject
