// Every recursion over values goes through program/values/walk.hpp, which is bounded. These tests
// read the code and find functions that call themselves, straight or through others of their file.

#include "base/file.hpp"
#include "source/syntax.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace faultline::program {
namespace {

namespace fs = std::filesystem;
using source::Node;
using testing::ElementsAre;
using testing::IsEmpty;

// Function → what it calls by a plain name or on `this`.
using Calls = std::map<std::string, std::set<std::string>>;

// "Interpreter::call" → "call".
std::string last_part(std::string_view name)
{
  const size_t colon = name.rfind("::");
  return std::string(colon == std::string_view::npos ? name : name.substr(colon + 2));
}

std::string defined_name(const Node& definition)
{
  std::optional<Node> at = definition.child("declarator");
  while (at && at->kind() != "function_declarator") {
    const std::optional<Node> inner = at->child("declarator");
    at = inner ? inner
               : (at->named_children().empty() ? std::nullopt
                                               : std::optional(at->named_children().front()));
  }
  const std::optional<Node> name = at ? at->child("declarator") : std::nullopt;
  return name ? last_part(name->text()) : std::string();
}

void add_calls(const Node& body, std::set<std::string>& called)
{
  const auto enter = [&called](const Node& node) {
    if (node.kind() == "call_expression") {
      const std::optional<Node> callee = node.child("function");
      const std::string_view kind = callee ? callee->kind() : std::string_view();
      if (kind == "identifier" || kind == "template_function") {
        const std::string_view text = callee->text();
        called.insert(std::string(text.substr(0, text.find('<'))));
      } else if (kind == "field_expression" && callee->text().starts_with("this->")) {
        called.insert(std::string(callee->text().substr(6)));
      }
    }
    return true;
  };
  source::walk(body, enter, [](const Node&) {});
}

Calls calls_in(std::string text)
{
  const auto tree = source::SyntaxTree::parse(std::move(text), source::Language::cpp);
  Calls calls;
  const auto enter = [&calls](const Node& node) {
    if (node.kind() == "function_definition") {
      if (const std::string name = defined_name(node); !name.empty()) {
        add_calls(node, calls[name]);
      }
    }
    return true;
  };
  source::walk(tree.root(), enter, [](const Node&) {});
  return calls;
}

// Those that come back to themselves.
std::vector<std::string> recursive_functions(const std::string& text)
{
  const Calls calls = calls_in(text);
  std::vector<std::string> found;
  for (const auto& [function, ignored] : calls) {
    std::set<std::string> reached;
    std::vector<std::string> open = {function};
    while (!open.empty()) {
      const auto next = calls.find(open.back());
      open.pop_back();
      if (next == calls.end()) {
        continue;
      }
      for (const std::string& callee : next->second) {
        if (calls.contains(callee) && reached.insert(callee).second) {
          open.push_back(callee);
        }
      }
    }
    if (reached.contains(function)) {
      found.push_back(function);
    }
  }
  return found;
}

// What may recurse, because something else bounds it, or because it only looks as if it did.
bool is_bounded_otherwise(const std::string& path, const std::string& function)
{
  // Everything of the interpreter comes through Deeper (interpreter.hpp), and the syntax that it
  // follows is no deeper than Limits::nesting, as the builder of that syntax sees to.
  if (path.starts_with("program/interpreter/") || path.starts_with("program/syntax/")) {
    return true;
  }
  // Of the compact tree, which is no deeper than Limits::nesting.
  static const std::set<std::string> k_on_syntax = {
      "program/record/syntax_query.cpp find_syntax",
      "program/record/syntax_query.cpp for_each_syntax",
      "program/record/syntax_query.cpp visit_in_function",
      "rules/data/partly_filled_buffer.cpp whole_use",
      "rules/data/windows_split_at_random.cpp window_of",
      "rules/data/remainder_left_out.cpp collect_values",
      "rules/data/remainder_left_out.cpp of",
      "rules/data/remainder_left_out.cpp of_binary",
      "rules/data/remainder_left_out.cpp of_name"};
  // Count their depth, and for joining the work in the whole program.
  static const std::set<std::string> k_counted = {"program/machine/join.cpp joined",
                                                  "program/libraries/keras/functional.cpp again",
                                                  "program/libraries/keras/functional.cpp run",
                                                  "program/libraries/keras/functional.cpp value",
                                                  "check/model_summary.cpp parameters_of",
                                                  "check/model_summary.cpp sum_of_parts",
                                                  "check/model_summary.cpp add_all"};
  // Overloads that call another one, and walks over the folders of a path.
  static const std::set<std::string> k_only_seem_so = {
      "check/config.cpp of_folder",
      "check/outcome.cpp json_of",
      "check/walk.cpp folder",
      "program/domains/interval.cpp power",
      "program/machine/machine.cpp call",
      "program/machine/machine.cpp integer",
      "program/operations/shapes_reshape.cpp better_known"};
  const std::string place = path + " " + function;
  return k_only_seem_so.contains(place) || k_on_syntax.contains(place) || k_counted.contains(place);
}

TEST(Recursion, OverValuesGoesThroughTheBoundedWalk)
{
  const fs::path root = fs::path(FL_SOURCE_DIR) / "src";
  std::vector<std::string> unbounded;
  for (const char* room : {"program", "rules", "check"}) {
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(root / room)) {
      if (entry.path().extension() != ".cpp") {
        continue;
      }
      const std::string path = entry.path().lexically_relative(root).generic_string();
      for (const std::string& function : recursive_functions(*read_file(entry.path()))) {
        if (!is_bounded_otherwise(path, function)) {
          unbounded.push_back(path + " " + function);
        }
      }
    }
  }
  std::ranges::sort(unbounded);
  EXPECT_THAT(unbounded, IsEmpty()) << "use program/values/walk.hpp";
}

TEST(Recursion, IsFoundStraightAndRoundAbout)
{
  EXPECT_THAT(recursive_functions("static bool f(Ref v) { return f(v); }\n"
                                  "int g() { return f(0); }\n"
                                  "std::vector<int> h() { k(); }\n"
                                  "Ref* A::k() { return this->h(); }\n"),
              ElementsAre("f", "h", "k"));
}

} // namespace
} // namespace faultline::program
