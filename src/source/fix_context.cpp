#include "source/fix_context.hpp"

#include "base/text.hpp"
#include "source/line_diff.hpp"
#include "source/statement.hpp"
#include "source/tree_distance.hpp"

#include <algorithm>
#include <map>

namespace faultline::source {

namespace {

// Lines `begin` up to, not including, `end`.
struct LineRange {
  size_t begin = 0;
  size_t end = 0;
};

// One place where the two versions of a file differ; at least one side has lines.
struct ChangedPlace {
  LineRange buggy;
  LineRange fixed;
};

struct ChangedFile {
  std::string_view buggy;
  std::string_view fixed;
  std::vector<ChangedPlace> places;
};

// The statements of one version of a file, some of which are marked as touched by the fix. They are
// numbered in the order of the text; number 0 is the file itself and never marked.
class Statements {
public:
  Statements(std::string_view text, Language language);

  // Mark the innermost statements with a token in `lines`; false if there is none.
  bool mark(LineRange lines);

  // Mark the statement of the last token before `line`, or if there is none, of the first one.
  void mark_nearest(size_t line);

  // Add what the marked statements say themselves, without the unmarked ones inside.
  void add_marked(LabelledTreeBuilder& builder) const;

private:
  struct Token {
    LineRange lines;
    size_t statement;
  };

  template <typename Open, typename Close> void walk_labelled(Open open, Close close) const;

  SyntaxTree m_tree;
  std::vector<Token> m_tokens;
  std::vector<bool> m_marked;
};

} // namespace

// Call `open(node, label, statement)` and `close(statement)` around all that has a label.
template <typename Open, typename Close>
void Statements::walk_labelled(Open open, Close close) const
{
  std::vector<size_t> statements; // that the open nodes belong to
  size_t count = 0;
  const auto leave = [&](const Node&) {
    close(statements.back());
    statements.pop_back();
  };
  const auto enter = [&](const Node& node) {
    const std::optional<NodeLabel> label = label_of(node);
    if (!label) {
      return false;
    }
    // What stands directly in the file, and broken code, is a statement whatever its kind.
    const bool is_outer = statements.size() == 1;
    const bool begins =
        !statements.empty() && node.is_named() &&
        (is_outer || node.is_error() || is_statement(node.kind(), m_tree.language()));
    statements.push_back(statements.empty() ? 0 : begins ? ++count : statements.back());
    open(node, *label, statements.back());
    if (is_token(node)) {
      leave(node);
      return false;
    }
    return true;
  };
  walk(m_tree.root(), enter, leave);
}

Statements::Statements(std::string_view text, Language language)
    : m_tree(SyntaxTree::parse(std::string(text), language))
{
  size_t last = 0;
  const auto open = [&](const Node& node, const NodeLabel&, size_t statement) {
    last = std::max(last, statement);
    if (is_token(node) && statement != 0) {
      m_tokens.push_back({{node.begin_position().line, node.end_position().line + 1}, statement});
    }
  };
  walk_labelled(open, [](size_t) {});
  m_marked.resize(last + 1);
}

bool Statements::mark(LineRange lines)
{
  bool found = false;
  for (const Token& token : m_tokens) {
    if (token.lines.begin < lines.end && lines.begin < token.lines.end) {
      m_marked[token.statement] = true;
      found = true;
    }
  }
  return found;
}

void Statements::mark_nearest(size_t line)
{
  const auto after =
      std::ranges::find_if(m_tokens, [&](const Token& token) { return token.lines.begin >= line; });
  if (!m_tokens.empty()) {
    m_marked[after == m_tokens.begin() ? after->statement : (after - 1)->statement] = true;
  }
}

void Statements::add_marked(LabelledTreeBuilder& builder) const
{
  const auto open = [&](const Node&, const NodeLabel& label, size_t statement) {
    if (m_marked[statement]) {
      builder.open(label);
    }
  };
  const auto close = [&](size_t statement) {
    if (m_marked[statement]) {
      builder.close();
    }
  };
  walk_labelled(open, close);
}

// Removed and added lines without a kept one between them are one place.
static std::vector<ChangedPlace> changed_places(std::string_view buggy, std::string_view fixed)
{
  std::vector<ChangedPlace> places;
  bool is_open = false;
  for (const LineChange& change : line_diff(buggy, fixed)) {
    if (change.kind == LineKind::kept) {
      is_open = false;
      continue;
    }
    if (!is_open) {
      places.push_back({{change.old_line, change.old_line}, {change.new_line, change.new_line}});
      is_open = true;
    }
    LineRange& side = change.kind == LineKind::removed ? places.back().buggy : places.back().fixed;
    side.end += change.count;
  }
  return places;
}

static std::map<Language, std::vector<ChangedFile>> changed_files(const FileTree& buggy,
                                                                  const FileTree& fixed)
{
  FileTree all = buggy;
  all.insert(fixed.begin(), fixed.end());
  const auto text_in = [](const FileTree& tree, const std::string& path) {
    const auto file = tree.find(path);
    return file == tree.end() ? std::string_view() : std::string_view(file->second);
  };
  std::map<Language, std::vector<ChangedFile>> files;
  for (const auto& [path, content] : all) {
    const std::optional<Language> language = language_of(path);
    ChangedFile file{text_in(buggy, path), text_in(fixed, path), {}};
    if (language && file.buggy != file.fixed) {
      file.places = changed_places(file.buggy, file.fixed);
      files[*language].push_back(std::move(file));
    }
  }
  return files;
}

static size_t changed_lines(const std::vector<ChangedFile>& files)
{
  size_t lines = 0;
  for (const ChangedFile& file : files) {
    for (const ChangedPlace& place : file.places) {
      lines += place.buggy.end - place.buggy.begin + place.fixed.end - place.fixed.begin;
    }
  }
  return lines;
}

// Add one file's statements to both sides. A place where neither side has code, such as one where
// only comments change, has no part in the fix.
static bool add_file(const ChangedFile& file,
                     Language language,
                     LabelledTreeBuilder& buggy,
                     LabelledTreeBuilder& fixed)
{
  Statements buggy_side(file.buggy, language);
  Statements fixed_side(file.fixed, language);
  bool has_code = false;
  for (const ChangedPlace& place : file.places) {
    const bool in_buggy = buggy_side.mark(place.buggy);
    const bool in_fixed = fixed_side.mark(place.fixed);
    if (in_buggy && !in_fixed) {
      fixed_side.mark_nearest(place.fixed.begin);
    } else if (in_fixed && !in_buggy) {
      buggy_side.mark_nearest(place.buggy.begin);
    }
    has_code = has_code || in_buggy || in_fixed;
  }
  buggy_side.add_marked(buggy);
  fixed_side.add_marked(fixed);
  return has_code;
}

std::optional<FixTrees> fix_trees(const FileTree& buggy, const FileTree& fixed)
{
  const std::map<Language, std::vector<ChangedFile>> files = changed_files(buggy, fixed);
  const auto most = std::ranges::max_element(
      files, {}, [](const auto& entry) { return changed_lines(entry.second); });
  if (most == files.end()) {
    return std::nullopt;
  }
  LabelledTreeBuilder buggy_side;
  LabelledTreeBuilder fixed_side;
  buggy_side.open(root_label());
  fixed_side.open(root_label());
  bool has_code = false;
  for (const ChangedFile& file : most->second) {
    has_code = add_file(file, most->first, buggy_side, fixed_side) || has_code;
  }
  if (!has_code) {
    return std::nullopt;
  }
  buggy_side.close();
  fixed_side.close();
  return FixTrees{std::move(buggy_side).finish(), std::move(fixed_side).finish(), most->first};
}

double fix_similarity(const FixTrees& a, const FixTrees& b)
{
  if (a.language != b.language) {
    return 0;
  }
  const size_t nodes = a.buggy.size() + b.buggy.size() + a.fixed.size() + b.fixed.size();
  const double distance = tree_distance(a.buggy, b.buggy) + tree_distance(a.fixed, b.fixed);
  return nodes == 0 ? 1 : 1 - distance / static_cast<double>(nodes);
}

} // namespace faultline::source
