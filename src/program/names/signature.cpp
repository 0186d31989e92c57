#include "program/names/signature.hpp"

#include "base/text.hpp"

namespace faultline::program {

// Split at commas that are in no bracket and in no string.
static std::vector<std::string_view> split_parameters(std::string_view signature)
{
  std::vector<std::string_view> parts;
  int depth = 0;
  char quote = 0;
  size_t start = 0;
  for (size_t i = 0; i < signature.size(); ++i) {
    const char c = signature[i];
    if (quote != 0) {
      quote = c == quote ? '\0' : quote;
    } else if (c == '\'' || c == '"') {
      quote = c;
    } else if (c == '(' || c == '[' || c == '{') {
      ++depth;
    } else if (c == ')' || c == ']' || c == '}') {
      --depth;
    } else if (c == ',' && depth == 0) {
      parts.push_back(signature.substr(start, i - start));
      start = i + 1;
    }
  }
  parts.push_back(signature.substr(start));
  return parts;
}

std::vector<Parameter> parse_signature(std::string_view signature)
{
  using Form = Parameter::Form;
  std::vector<Parameter> parameters;
  Form form = Form::ordinary;
  for (const std::string_view part : split_parameters(signature)) {
    const std::string_view text = trim(part);
    if (text.empty() || text == "/") {
      continue;
    }
    if (text == "*") {
      form = Form::keyword_only;
    } else if (text.starts_with("**")) {
      parameters.push_back({text.substr(2), {}, Form::double_star});
    } else if (text.starts_with('*')) {
      parameters.push_back({text.substr(1), {}, Form::star});
      form = Form::keyword_only;
    } else {
      const size_t equals = text.find('=');
      const std::string_view name = trim(text.substr(0, equals));
      const std::string_view fallback =
          equals == std::string_view::npos ? std::string_view() : trim(text.substr(equals + 1));
      parameters.push_back({name, fallback, form});
    }
  }
  return parameters;
}

} // namespace faultline::program
