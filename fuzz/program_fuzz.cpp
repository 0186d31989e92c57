// Programs come from strangers. The bytes choose among the rules of a small grammar, so that what
// is analysed is Python that runs deep: names of libraries called with values that hold themselves,
// aliases, classes that inherit from themselves, recursion, loops that grow lists.

#include "base/format.hpp"
#include "program/hostile_values.hpp"
#include "program/record/program.hpp"
#include "rules/reporter.hpp"

#include <cstdint>
#include <string>

using namespace faultline;

namespace {

std::vector<std::string_view> modelled_names()
{
  std::vector<std::string_view> names;
  for (const std::span<const program::Api> table : program::api_tables()) {
    for (const program::Api& api : table) {
      names.push_back(api.name);
    }
  }
  return names;
}

class Writer {
public:
  Writer(const uint8_t* data, size_t size) : m_data(data), m_left(size) {}

  std::string program()
  {
    m_text = "import numpy, torch, keras, tensorflow, pandas, sklearn, builtins, operator\n";
    m_text += program::k_hostile_definitions;
    while (m_left > 0 && m_text.size() < k_longest) {
      statement(0);
    }
    return std::move(m_text);
  }

private:
  static constexpr size_t k_longest = 20'000;
  static constexpr size_t k_deepest = 6;

  size_t choose(size_t many)
  {
    if (m_left == 0) {
      return 0;
    }
    --m_left;
    size_t number = *m_data++;
    if (many > 256 && m_left > 0) {
      --m_left;
      number = number << 8U | *m_data++;
    }
    return number % many;
  }

  std::string variable() { return std::string(1, static_cast<char>('a' + choose(6))); }

  std::string library_name()
  {
    static const std::vector<std::string_view> k_names = modelled_names();
    return std::string(k_names[choose(k_names.size())]);
  }

  std::string value(size_t depth)
  {
    if (depth >= k_deepest || m_left == 0) {
      return variable();
    }
    switch (choose(14)) {
    case 0:
      return variable();
    case 1:
      return std::string(program::k_hostile_values[choose(16)]);
    case 2:
      return format("[{}, {}]", value(depth + 1), value(depth + 1));
    case 3:
      return format("({},)", value(depth + 1));
    case 4:
      return "{" + value(depth + 1) + ": " + value(depth + 1) + "}";
    case 5:
      return format("{}({}, {})", library_name(), value(depth + 1), value(depth + 1));
    case 6:
      return format("{}({})", value(depth + 1), value(depth + 1));
    case 7:
      return format("{}[{}]", variable(), value(depth + 1));
    case 8: {
      constexpr std::array k_signs = {"+", "*", "@", "//", "**", "%", "<<", "==", "and", "in"};
      return format(
          "({} {} {})", value(depth + 1), k_signs[choose(k_signs.size())], value(depth + 1));
    }
    case 9:
      return format("[{} for {} in {}]", value(depth + 1), variable(), value(depth + 1));
    case 10:
      return format("lambda {}: {}", variable(), value(depth + 1));
    case 11: {
      constexpr std::array k_methods = {"append",
                                        "extend",
                                        "shape",
                                        "view",
                                        "forward",
                                        "items",
                                        "add",
                                        "fit",
                                        "update",
                                        "T",
                                        "numpy",
                                        "join"};
      return format("{}.{}", variable(), k_methods[choose(k_methods.size())]);
    }
    case 12:
      return format("{}", static_cast<int64_t>(choose(256)) << choose(56));
    default:
      return format("({} if {} else {})", value(depth + 1), value(depth + 1), value(depth + 1));
    }
  }

  void line(size_t indent, const std::string& text)
  {
    m_text += std::string(indent, ' ') + text + "\n";
  }

  void statement(size_t indent)
  {
    const size_t kind = indent > 8 ? choose(5) : choose(12);
    switch (kind) {
    case 0:
    case 1:
      return line(indent, format("{} = {}", variable(), value(0)));
    case 2:
      return line(indent, format("{}.append({})", variable(), value(0)));
    case 3:
      return line(indent, format("{}[{}] = {}", variable(), value(3), value(0)));
    case 4:
      return line(indent, format("{}.{} = {}", variable(), variable(), value(0)));
    case 5:
      line(indent, format("for {} in {}:", variable(), value(2)));
      break;
    case 6:
      line(indent, format("if {}:", value(2)));
      break;
    case 7: {
      const std::string name = variable();
      line(indent, format("def {}(*{}, **{}):", name, variable(), variable()));
      break;
    }
    case 8: {
      const std::string name = variable();
      line(indent, format("class {}({}, {}):", name, value(4), value(4)));
      break;
    }
    case 9:
      line(indent, format("while {}:", value(2)));
      break;
    case 10:
      line(indent, format("with {} as {}:", value(2), variable()));
      break;
    default:
      return line(indent, format("return {}", value(0)));
    }
    statement(indent + 1);
    if (choose(2) == 1) {
      statement(indent + 1);
    }
  }

  const uint8_t* m_data;
  size_t m_left;
  std::string m_text;
};

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
  const std::string text = Writer(data, size).program();
  const program::ReadFile read = [&](const std::string& path) -> std::optional<std::string> {
    return path == "main.py" ? std::optional(text) : std::nullopt;
  };
  program::Limits limits;
  limits.steps = 20'000;
  const auto understood = program::analyse("main.py", text, read, limits);
  for (const source::Finding& finding : rules::check(*understood, rules::all_rules())) {
    FL_ASSERT(!finding.message.empty(), "a finding has a message");
  }
  return 0;
}
