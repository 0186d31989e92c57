#include "evaluate/places.hpp"

#include "base/text.hpp"
#include "source/statement.hpp"
#include "source/syntax.hpp"

#include <algorithm>
#include <cctype>
#include <limits>

namespace faultline::evaluate {

using source::Node;

namespace {

// "self.out" → "out", "this->out" → "out", "tf.layers.dense" → "dense".
std::string last_word(std::string_view text)
{
  size_t from = text.size();
  while (from > 0 && (std::isalnum(static_cast<unsigned char>(text[from - 1])) != 0 ||
                      text[from - 1] == '_' || text[from - 1] == '$')) {
    --from;
  }
  return std::string(text.substr(from));
}

// What a call calls; in JavaScript and C++ a layer is called by a method of its own.
std::string called_name(const Node& call)
{
  std::optional<Node> callee = call.child("function");
  if (!callee) {
    callee = call.child("constructor");
  }
  if (!callee) {
    return {};
  }
  const std::string_view text = callee->text();
  for (const std::string_view method : {".apply", ".forward", "->forward"}) {
    if (text.ends_with(method)) {
      return last_word(text.substr(0, text.size() - method.size()));
    }
  }
  return last_word(text);
}

bool is_call(const Node& node)
{
  const std::string_view kind = node.kind();
  return kind == "call" || kind == "call_expression" || kind == "new_expression";
}

// Classes are written with a capital, TensorFlow.js has its layers in one place, and LibTorch
// registers what it builds.
bool builds_layer(const Node& call)
{
  const std::string name = called_name(call);
  return (!name.empty() && std::isupper(static_cast<unsigned char>(name[0])) != 0) ||
         name == "register_module" || call.text().find("layers.") != std::string_view::npos;
}

// The two sides of whatever gives a name to a value.
std::optional<std::pair<Node, Node>> sides(const Node& node)
{
  const std::string_view kind = node.kind();
  const char* left = kind == "variable_declarator" ? "name"
                     : kind == "init_declarator"   ? "declarator"
                                                   : "left";
  const char* right =
      kind == "variable_declarator" || kind == "init_declarator" ? "value" : "right";
  if (kind != "assignment" && kind != "assignment_expression" && kind != "variable_declarator" &&
      kind != "init_declarator") {
    return std::nullopt;
  }
  const std::optional<Node> to = node.child(left);
  const std::optional<Node> from = node.child(right);
  return to && from ? std::optional(std::pair(*to, *from)) : std::nullopt;
}

} // namespace

ProgramPlaces::ProgramPlaces(const FileTree& program)
{
  for (const auto& [path, text] : program) {
    m_files[path] = read(path, text);
  }
}

ProgramPlaces::File ProgramPlaces::read(const std::string& path, const std::string& text)
{
  File file;
  size_t at = 0;
  for (const std::string_view line : split_keeping_ends(text)) {
    const size_t blank = std::min(line.find_first_not_of(" \t"), line.size());
    file.starts.push_back(at + blank);
    at += line.size();
  }
  const std::optional<source::Language> language = source::language_of(path);
  if (!language) {
    return file;
  }
  const source::SyntaxTree tree = source::SyntaxTree::parse(text, *language);
  source::walk(
      tree.root(),
      [&](const Node& node) {
        if (source::is_statement(node.kind(), *language)) {
          file.statements.push_back({node.begin_byte(), node.end_byte()});
        }
        if (is_call(node)) {
          file.called.push_back({called_name(node), node.begin_byte()});
        }
        if (const auto both = sides(node);
            both && is_call(both->second) && builds_layer(both->second)) {
          file.built.push_back({last_word(both->first.text()), node.begin_byte()});
        }
        return true;
      },
      [](const Node&) {});
  return file;
}

size_t ProgramPlaces::statement_at(const File& file, size_t byte)
{
  size_t best = byte;
  size_t length = std::numeric_limits<size_t>::max();
  for (const Extent& statement : file.statements) {
    if (statement.begin <= byte && byte < statement.end &&
        statement.end - statement.begin < length) {
      best = statement.begin;
      length = statement.end - statement.begin;
    }
  }
  return best;
}

std::set<std::string> ProgramPlaces::layers_of(const File& file, size_t statement)
{
  std::set<std::string> known;
  std::set<std::string> names;
  for (const Name& name : file.built) {
    known.insert(name.text);
    if (statement_at(file, name.at) == statement) {
      names.insert(name.text);
    }
  }
  for (const Name& name : file.called) {
    if (known.contains(name.text) && statement_at(file, name.at) == statement) {
      names.insert(name.text);
    }
  }
  return names;
}

bool ProgramPlaces::same_statement(const std::string& file, size_t a, size_t b) const
{
  const auto found = m_files.find(file);
  if (a == b) {
    return true;
  }
  if (found == m_files.end() || a == 0 || b == 0 || std::max(a, b) > found->second.starts.size()) {
    return false;
  }
  const File& read = found->second;
  return statement_at(read, read.starts[a - 1]) == statement_at(read, read.starts[b - 1]);
}

bool ProgramPlaces::same_layer(const std::string& file, size_t a, size_t b) const
{
  if (same_statement(file, a, b)) {
    return true;
  }
  const auto found = m_files.find(file);
  if (found == m_files.end() || a == 0 || b == 0 || std::max(a, b) > found->second.starts.size()) {
    return false;
  }
  const File& read = found->second;
  const std::set<std::string> left = layers_of(read, statement_at(read, read.starts[a - 1]));
  const std::set<std::string> right = layers_of(read, statement_at(read, read.starts[b - 1]));
  return std::ranges::any_of(left,
                             [&right](const std::string& name) { return right.contains(name); });
}

} // namespace faultline::evaluate
