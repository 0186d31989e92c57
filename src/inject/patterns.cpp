#include "inject/patterns.hpp"

#include "base/format.hpp"
#include "base/text.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace faultline::inject {

namespace {

// One name for each thing: Keras alone and Keras of TensorFlow are one, and the modules that
// packages are split into inside do not count.
std::string canonical(std::string name)
{
  for (const std::string_view prefix : {"tensorflow.python.keras", "tensorflow.keras"}) {
    if (name == prefix || name.starts_with(std::string(prefix) + ".")) {
      name = "keras" + name.substr(prefix.size());
    }
  }
  for (const std::string_view package :
       {"keras.layers.", "keras.optimizers.", "torch.nn.modules."}) {
    const size_t dot = name.rfind('.');
    if (name.starts_with(package) && dot >= package.size() &&
        is_capitalised(name.substr(dot + 1))) {
      const std::string_view target = package == "torch.nn.modules." ? "torch.nn." : package;
      name = std::string(target) + name.substr(dot + 1);
    }
  }
  if (name == "keras.models.Sequential") {
    return "keras.Sequential";
  }
  return name;
}

bool gives_itself(std::string_view method)
{
  const auto same = {"to", "cuda", "cpu", "train", "eval", "float", "double", "fit"};
  return std::ranges::find(same, method) != same.end();
}

} // namespace

std::string_view Call::last() const
{
  const std::string_view all = name;
  return all.substr(all.rfind('.') == std::string_view::npos ? 0 : all.rfind('.') + 1);
}

bool Call::is_any(std::initializer_list<std::string_view> names) const
{
  return std::ranges::find(names, std::string_view(name)) != names.end();
}

const Argument* Call::find(std::string_view keyword, size_t position) const
{
  for (const Argument& argument : arguments) {
    if (!keyword.empty() && argument.keyword == keyword) {
      return &argument;
    }
  }
  if (position < arguments.size() && arguments[position].keyword.empty() && !has_stars) {
    return &arguments[position];
  }
  return nullptr;
}

Code::Code(const Subject& subject) : m_text(subject.tree.text()), m_root(subject.tree.root())
{
  // Names first: a function may be called before the text of what it needs.
  source::walk(
      m_root,
      [this](const Node& node) {
        if (node.kind() == "import_statement" || node.kind() == "import_from_statement") {
          note_import(node);
        } else if (node.kind() == "class_definition") {
          const std::string name(node.child("name")->text());
          m_imports.emplace(name, "local." + name);
        }
        return true;
      },
      [](const Node&) {});
  source::walk(
      m_root,
      [this](const Node& node) {
        if (node.kind() == "assignment") {
          note_assignment(node);
        }
        return true;
      },
      [](const Node&) {});
  source::walk(
      m_root,
      [this](const Node& node) {
        if (node.kind() == "call") {
          add_call(node);
        }
        return true;
      },
      [](const Node&) {});
}

void Code::note_import(const Node& statement)
{
  std::string module;
  const std::optional<Node> from = statement.child("module_name");
  if (from) {
    module = std::string(from->text()) + ".";
  }
  for (const Node& child : statement.named_children()) {
    if (from && child == *from) {
      continue;
    }
    if (child.kind() == "aliased_import") {
      m_imports[std::string(child.child("alias")->text())] =
          canonical(module + std::string(child.child("name")->text()));
    } else if (child.kind() == "dotted_name") {
      const std::string name(child.text());
      // `import torch.nn` binds `torch`.
      const std::string bound = from ? name : name.substr(0, name.find('.'));
      m_imports[bound] = from ? canonical(module + name) : bound;
    }
  }
}

void Code::note_assignment(const Node& assignment)
{
  const Node left = *assignment.child("left");
  const std::optional<Node> right = assignment.child("right");
  if (!right) {
    return;
  }
  const auto note = [this](std::string name, const std::string& value) {
    const auto [place, is_new] = m_variables.emplace(std::move(name), value);
    if (!is_new && place->second != value) {
      place->second.clear(); // Sometimes this, sometimes that: nothing is known.
    }
  };
  if (left.kind() == "identifier" || left.kind() == "attribute") {
    std::string value = resolve(*right);
    note(std::string(left.text()), value.starts_with(".") ? std::string() : std::move(value));
  } else {
    for (const Node& name : left.named_children()) {
      note(std::string(name.text()), "");
    }
  }
}

void Code::add_call(const Node& node)
{
  const std::optional<Node> list = node.child("arguments");
  const std::optional<Node> callee = node.child("function");
  if (!list || !callee || list->kind() != "argument_list" || node.has_error()) {
    return;
  }
  Call call{node, *callee, *list, resolve(*callee), {}, false};
  for (const Node& child : list->named_children()) {
    if (child.kind() == "comment") {
      continue;
    }
    if (child.kind() == "list_splat" || child.kind() == "dictionary_splat") {
      call.has_stars = true;
    } else if (child.kind() == "keyword_argument") {
      call.arguments.push_back({child, *child.child("value"), child.child("name")->text()});
    } else {
      call.arguments.push_back({child, child, {}});
    }
  }
  m_calls.push_back(std::move(call));
}

const Call* Code::call_at(const Node& node) const
{
  const auto found =
      std::ranges::find_if(m_calls, [&](const Call& call) { return call.node == node; });
  return found == m_calls.end() ? nullptr : &*found;
}

bool Code::uses(std::string_view library) const
{
  return std::ranges::any_of(m_imports, [&](const auto& entry) {
    const std::string& name = entry.second;
    return name.starts_with(library) &&
           (name.size() == library.size() || name[library.size()] == '.');
  });
}

std::string Code::resolve(const Node& expression, size_t depth) const
{
  constexpr size_t k_deepest = 200;
  if (depth >= k_deepest) {
    return {};
  }
  const std::string_view kind = expression.kind();
  if (kind == "parenthesized_expression" && expression.named_children().size() == 1) {
    return resolve(expression.named_children().front(), depth + 1);
  }
  if (kind == "identifier" || kind == "attribute") {
    if (const auto found = m_variables.find(expression.text()); found != m_variables.end()) {
      return found->second;
    }
  }
  if (kind == "identifier") {
    const auto found = m_imports.find(expression.text());
    return found == m_imports.end() ? std::string() : found->second;
  }
  if (kind == "attribute") {
    const std::string object = resolve(*expression.child("object"), depth + 1);
    return canonical((object.starts_with(".") ? std::string() : object) + "." +
                     std::string(expression.child("attribute")->text()));
  }
  if (kind == "call") {
    const std::string callee = resolve(*expression.child("function"), depth + 1);
    if (callee.empty() || callee.starts_with(".")) {
      return {};
    }
    const size_t dot = callee.rfind('.');
    if (dot != std::string::npos && gives_itself(std::string_view(callee).substr(dot + 1)) &&
        callee.find("()") != std::string::npos) {
      return callee.substr(0, dot);
    }
    // What calling an object or a plain function gives is not known.
    const bool makes_object = is_capitalised(std::string_view(callee).substr(dot + 1));
    return makes_object && !callee.ends_with("()") ? callee + "()" : std::string();
  }
  return {};
}

std::string Code::spelled(std::string_view canonical) const
{
  // The longest module or name that was imported wins: `nn.ReLU` before `torch.nn.ReLU`.
  std::string best;
  size_t length = 0;
  for (const auto& [here, full] : m_imports) {
    const bool fits =
        canonical == full || (canonical.starts_with(full) && canonical[full.size()] == '.');
    if (fits && full.size() > length) {
      length = full.size();
      best = here + std::string(canonical.substr(full.size()));
    }
  }
  if (length == 0 && canonical.starts_with("keras.")) {
    const auto tensorflow = std::ranges::find_if(
        m_imports, [](const auto& entry) { return entry.second == "tensorflow"; });
    if (tensorflow != m_imports.end()) {
      return tensorflow->first + "." + std::string(canonical);
    }
    if (m_text.find("tensorflow") != std::string::npos) {
      return "__import__(\"tensorflow\")." + std::string(canonical);
    }
  }
  if (length > 0) {
    return best;
  }
  const size_t dot = canonical.find('.');
  return format("__import__(\"{}\"){}",
                canonical.substr(0, dot),
                dot == std::string_view::npos ? std::string_view() : canonical.substr(dot));
}

Mutation mutation(std::vector<Edit> edits, std::string_view before, std::string_view after)
{
  const auto cut = [](std::string_view words) {
    constexpr size_t k_most = 60;
    std::string line(trim(words.substr(0, words.find('\n'))));
    const bool is_cut = line.size() > k_most || line.size() < trim(words).size();
    return is_cut ? to_valid_utf8(line.substr(0, k_most)) + " …" : line;
  };
  return {std::move(edits), cut(before), cut(after)};
}

std::optional<Node> enclosing(const Node& node, std::initializer_list<std::string_view> kinds)
{
  for (std::optional<Node> at = node.parent(); at; at = at->parent()) {
    if (std::ranges::find(kinds, at->kind()) != kinds.end()) {
      return at;
    }
  }
  return std::nullopt;
}

bool contains(const Node& outer, const Node& inner)
{
  return outer.begin_byte() <= inner.begin_byte() && inner.end_byte() <= outer.end_byte();
}

std::vector<Node> nodes_of(const Node& root, std::string_view kind)
{
  std::vector<Node> nodes;
  source::walk(
      root,
      [&](const Node& node) {
        if (node.kind() == kind) {
          nodes.push_back(node);
        }
        return true;
      },
      [](const Node&) {});
  return nodes;
}

std::optional<double> number_of(std::string_view text)
{
  std::string digits = replace_all(std::string(trim(text)), "_", "");
  double value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error != std::errc() || end != digits.data() + digits.size()) {
    return std::nullopt;
  }
  return value;
}

std::optional<double> number_of(const Node& node)
{
  if (node.kind() == "integer" || node.kind() == "float" || node.kind() == "unary_operator") {
    return number_of(node.text());
  }
  return std::nullopt;
}

std::optional<std::string> string_of(const Node& node)
{
  if (node.kind() != "string") {
    return std::nullopt;
  }
  std::string content;
  for (const Node& child : node.named_children()) {
    if (child.kind() == "string_content") {
      content += child.text();
    } else if (child.kind() == "interpolation") {
      return std::nullopt;
    }
  }
  return content;
}

std::string python_number(double value)
{
  return format("{:.6g}", value);
}

bool is_capitalised(std::string_view name)
{
  return !name.empty() && name.front() >= 'A' && name.front() <= 'Z';
}

std::string bracketed(const Node& expression)
{
  const std::string text(expression.text());
  const auto simple = {"identifier",
                       "attribute",
                       "call",
                       "subscript",
                       "parenthesized_expression",
                       "integer",
                       "list",
                       "tuple"};
  return std::ranges::find(simple, expression.kind()) != simple.end() ? text : "(" + text + ")";
}

std::string scaled(const Node& value, double factor)
{
  if (const std::optional<double> number = number_of(value)) {
    return python_number(*number * factor);
  }
  return format("{} * {}", bracketed(value), python_number(factor));
}

std::string scaled_count(const Node& value, double factor)
{
  if (const std::optional<double> number = number_of(value)) {
    return python_number(std::max(1.0, std::floor(*number * factor + 0.5)));
  }
  return format("max(1, round({} * {}))", bracketed(value), python_number(factor));
}

} // namespace faultline::inject
