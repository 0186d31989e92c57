#include "base/format.hpp"
#include "inject/source/replace.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <optional>

namespace faultline::inject {

static constexpr std::string_view k_digits = "0123456789abcdef";

// Digits of any length, one more. Large numbers must not lose their last digits.
static std::string increment(std::string digits, size_t base)
{
  for (size_t i = digits.size(); i-- > 0;) {
    const size_t value = k_digits.find(digits[i]) + 1;
    digits[i] = k_digits[value % base];
    if (value < base) {
      return digits;
    }
  }
  return "1" + digits;
}

static std::optional<std::string> next_integer(const std::string& text)
{
  size_t base = 10;
  std::string prefix;
  if (text.size() > 2 && text[0] == '0' && std::isalpha(static_cast<unsigned char>(text[1])) != 0) {
    base = text[1] == 'x' ? 16 : text[1] == 'o' ? 8 : 2;
    prefix = text.substr(0, 2);
  }
  std::string digits = text.substr(prefix.size());
  std::string suffix; // a long number of Python 2
  if (base == 10 && digits.ends_with('l')) {
    digits.pop_back();
    suffix = "l";
  }
  const bool fits = std::ranges::all_of(
      digits, [base](char c) { return k_digits.substr(0, base).find(c) != std::string::npos; });
  const size_t first = digits.find_first_not_of('0');
  // 0777 is an octal number of Python 2, and no number of Python 3.
  const bool is_old_octal = base == 10 && first != 0 && first != std::string::npos;
  if (digits.empty() || !fits || is_old_octal) {
    return std::nullopt;
  }
  digits = first == std::string::npos ? "0" : digits.substr(first);
  return prefix + increment(digits, base) + suffix;
}

static std::optional<std::string> next_float(const std::string& text)
{
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  // A number so large that one more makes no difference stays.
  if (*end != '\0' || !std::isfinite(value) || value + 1 == value) {
    return std::nullopt;
  }
  std::string next = format("{}", value + 1);
  if (next.find_first_of(".e") == std::string::npos) {
    next += ".0";
  }
  return next;
}

// The literal of a number that is one more; nothing if there is none.
static std::optional<std::string> next_number(std::string_view literal, bool is_integer)
{
  std::string text;
  for (const char c : literal) {
    if (c != '_') {
      text += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    }
  }
  const bool is_hex = text.starts_with("0x");
  const bool is_imaginary = !is_hex && text.ends_with('j');
  if (is_imaginary) {
    text.pop_back();
    is_integer = text.find_first_of(".e") == std::string::npos;
  }
  std::optional<std::string> next = is_integer ? next_integer(text) : next_float(text);
  if (next && is_imaginary) {
    *next += "j";
  }
  return next;
}

static void find(const Subject& subject, std::string_view /*setting*/, Mutations& found)
{
  const auto enter = [&found](const source::Node& node) {
    const bool is_integer = node.kind() == "integer";
    if (node.is_named() && !node.is_missing() && (is_integer || node.kind() == "float")) {
      if (std::optional<std::string> next = next_number(node.text(), is_integer)) {
        found.push_back(replace_node(node, *std::move(next)));
      }
    }
    return true;
  };
  source::walk(subject.tree.root(), enter, [](const source::Node&) {});
}

extern const Operator numeric_value;
const Operator numeric_value{
    .name = "increment-numeric-value",
    .acronym = "NVR",
    .summary = "Replaces a number by one more",
    .level = Level::source,
    .find = find,
};

} // namespace faultline::inject
