#include "campaign/coverage_file.hpp"

#include "base/format.hpp"
#include "base/json.hpp"
#include "base/sqlite.hpp"
#include "source/statement.hpp"
#include "source/syntax.hpp"

#include <algorithm>

namespace faultline::campaign {

namespace fs = std::filesystem;

static Error not_coverage(const fs::path& file)
{
  return {ErrorKind::bad_data,
          format("{} is neither a .coverage file of coverage.py nor what `coverage json` writes",
                 file.string())};
}

static int value_of(char hex)
{
  return hex <= '9' ? hex - '0' : (hex | 0x20) - 'a' + 10;
}

// Numbits: bit b of byte n stands for line 8 n + b.
static void add_numbits(const std::string& hex, std::set<size_t>& lines)
{
  for (size_t byte = 0; 2 * byte + 1 < hex.size(); ++byte) {
    const int bits = 16 * value_of(hex[2 * byte]) + value_of(hex[2 * byte + 1]);
    for (size_t bit = 0; bit < 8; ++bit) {
      if ((bits >> bit & 1) != 0) {
        lines.insert(8 * byte + bit);
      }
    }
  }
}

static Result<CoveredLines> read_database(Database& database)
{
  CoveredLines covered;
  FL_TRY(Statement bits,
         database.prepare("SELECT path, hex(numbits) FROM line_bits "
                          "JOIN file ON file.id = line_bits.file_id"));
  while (true) {
    FL_TRY(const bool more, bits.step());
    if (!more) {
      break;
    }
    add_numbits(bits.text(1), covered[bits.text(0)]);
  }
  // With branches, jumps from line to line; negative numbers are entries and exits.
  FL_TRY(Statement arcs,
         database.prepare("SELECT path, fromno, tono FROM arc JOIN file ON file.id = arc.file_id"));
  while (true) {
    FL_TRY(const bool more, arcs.step());
    if (!more) {
      break;
    }
    for (const int column : {1, 2}) {
      if (arcs.integer(column) > 0) {
        covered[arcs.text(0)].insert(static_cast<size_t>(arcs.integer(column)));
      }
    }
  }
  return covered;
}

static Result<CoveredLines> read_sqlite(const fs::path& file, const std::string& bytes)
{
  // Opening a database may write to it, so a copy is opened.
  FL_TRY(const TempDir folder, TempDir::create());
  FL_CHECK(write_file(folder.path() / "coverage", bytes));
  Result<Database> database = Database::open(folder.path() / "coverage");
  if (!database) {
    return not_coverage(file);
  }
  Result<CoveredLines> covered = read_database(*database);
  if (!covered) {
    return not_coverage(file);
  }
  return covered;
}

static Result<CoveredLines> read_json(const fs::path& file, const std::string& text)
{
  const Json json = parse_json(text);
  if (!json.is_object() || !json.contains("files") || !json["files"].is_object()) {
    return not_coverage(file);
  }
  CoveredLines covered;
  for (const auto& [path, entry] : json["files"].items()) {
    if (!entry.is_object() || !entry.contains("executed_lines")) {
      return not_coverage(file);
    }
    for (const Json& line : entry["executed_lines"]) {
      if (line.is_number_unsigned()) {
        covered[path].insert(line.get<size_t>());
      }
    }
  }
  return covered;
}

Result<CoveredLines> read_coverage(const fs::path& file)
{
  FL_TRY(const std::string bytes, read_file(file));
  return bytes.starts_with("SQLite format 3") ? read_sqlite(file, bytes) : read_json(file, bytes);
}

// All lines of simple statements of which some line is covered.
static std::set<size_t> whole_statements(const std::string& text, const std::set<size_t>& lines)
{
  std::set<size_t> all = lines;
  const source::SyntaxTree tree = source::SyntaxTree::parse(text, source::Language::python);
  const auto enter = [&](const source::Node& node) {
    const bool is_simple = source::is_statement(node.kind(), source::Language::python) &&
                           !node.child("body") && !node.child("consequence");
    const size_t first = node.begin_position().line + 1;
    const size_t last = node.end_position().line + 1;
    const auto covered = lines.lower_bound(first);
    const bool has_block = std::ranges::any_of(
        node.children(), [](const source::Node& child) { return child.kind() == "block"; });
    if (is_simple && !has_block && last > first && covered != lines.end() && *covered <= last) {
      for (size_t line = first; line <= last; ++line) {
        all.insert(line);
      }
    }
    return true;
  };
  source::walk(tree.root(), enter, [](const source::Node&) {});
  return all;
}

CoveredLines
covered_lines_of(const CoveredLines& recorded, const FileTree& files, const fs::path& folder)
{
  std::error_code code;
  std::map<fs::path, const std::set<size_t>*> by_path;
  for (const auto& [path, lines] : recorded) {
    by_path[fs::weakly_canonical(path, code)] = &lines;
  }
  CoveredLines covered;
  for (const auto& [path, text] : files) {
    if (const auto found = by_path.find(fs::weakly_canonical(folder / path, code));
        found != by_path.end()) {
      covered[path] = whole_statements(text, *found->second);
    }
  }
  if (!covered.empty()) {
    return covered;
  }
  for (const auto& [path, text] : files) {
    for (const auto& [known, lines] : recorded) {
      if (known == path || known.ends_with("/" + path)) {
        covered[path] = whole_statements(text, lines);
      }
    }
  }
  return covered;
}

} // namespace faultline::campaign
