#pragma once

// What DL operators see of a Python file: its calls by the name of what is called, whatever the
// file imported it as, and edits that leave good Python behind.

#include "inject/operator.hpp"
#include "source/syntax.hpp"

#include <cstddef>
#include <initializer_list>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace faultline::inject {

using source::Edit;
using source::Node;

inline constexpr size_t k_keyword_only = std::numeric_limits<size_t>::max();

struct Argument {
  Node whole; // with `name=`
  Node value;
  std::string_view keyword; // empty for a positional one
};

struct Call {
  Node node;
  Node callee;
  Node list; // the parentheses and what is in them
  // Canonical: "torch.nn.Linear", "keras.layers.Dense" (with or without TensorFlow before it). Of
  // an object whose class is known, "torch.optim.SGD().step"; of any other ".step". Empty if
  // nothing is known of what is called.
  std::string name;
  std::vector<Argument> arguments;
  bool has_stars = false; // `*args` or `**kwargs`: other arguments may be there as well

  std::string_view last() const; // "step"
  bool is_any(std::initializer_list<std::string_view> names) const;
  const Argument* find(std::string_view keyword, size_t position = k_keyword_only) const;
};

class Code {
public:
  explicit Code(const Subject& subject);

  const std::string& text() const { return m_text; }
  Node root() const { return m_root; }
  const std::vector<Call>& calls() const { return m_calls; } // in the order of the text
  const Call* call_at(const Node& node) const;               // null if `node` is no call
  bool uses(std::string_view library) const;                 // "torch", "keras", "tensorflow"

  // Canonical name of an expression, as in Call::name. "local.Net" for a class of this file.
  std::string resolve(const Node& expression, size_t depth = 0) const;

  // How this file can write a canonical name. Always works: without a fitting import, by
  // `__import__("torch")`.
  std::string spelled(std::string_view canonical) const;

private:
  void note_import(const Node& statement);
  void note_assignment(const Node& assignment);
  void add_call(const Node& node);

  const std::string& m_text;
  Node m_root;
  std::map<std::string, std::string, std::less<>> m_imports;   // name here → canonical
  std::map<std::string, std::string, std::less<>> m_variables; // "self.fc" → "torch.nn.Linear()"
  std::vector<Call> m_calls;
};

// A Mutation whose words are cut to a few characters.
Mutation mutation(std::vector<Edit> edits, std::string_view before, std::string_view after);

Edit replace(const Node& node, std::string text);
Edit insert_behind(const Node& node, std::string text);

// The item of a list, tuple or call, with its comma.
Edit remove_item(const Node& item);
Edit add_argument(const Call& call, std::string_view text);

// The statement that `node` is in: the one that stands in a block. Nothing for a node of a
// lambda or comprehension if `plain` is asked for: what is computed there cannot be put before the
// statement.
enum class Reach { any, plain };
std::optional<Node> statement_of(const Node& node, Reach reach = Reach::any);

// Without the statement; `pass` if its block or line needs one.
Edit remove_statement(const Code& code, const Node& statement);

// Lines before or behind a statement, with its indentation. Nothing if it shares its line.
std::optional<Edit>
insert_before(const Code& code, const Node& statement, const std::vector<std::string>& lines);
std::optional<Edit>
insert_after(const Code& code, const Node& statement, const std::vector<std::string>& lines);

// The nearest node of one of the kinds around `node`.
std::optional<Node> enclosing(const Node& node, std::initializer_list<std::string_view> kinds);
bool contains(const Node& outer, const Node& inner);

// All nodes of one kind at or below `root`, in the order of the text.
std::vector<Node> nodes_of(const Node& root, std::string_view kind);

std::optional<double> number_of(const Node& node); // of a literal, with or without sign
std::optional<double> number_of(std::string_view text);
std::optional<std::string> string_of(const Node& node); // what stands in the quotes
std::string python_number(double value);                // "0.05", "1e-06", "32"
bool is_capitalised(std::string_view name);

// `(a + b)` for what needs it, `a` for a name or call.
std::string bracketed(const Node& expression);

// `value * factor`, computed if it can be.
std::string scaled(const Node& value, double factor);
// The same as a whole number of at least 1.
std::string scaled_count(const Node& value, double factor);

} // namespace faultline::inject
