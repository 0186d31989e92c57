// Methods of str. Results are computed when all parts are known: names of attributes and layers are
// often put together so.

#include "base/format.hpp"
#include "program/libraries/shared/answers.hpp"
#include "program/libraries/shared/reading.hpp"
#include "program/names/tables.hpp"

#include <algorithm>
#include <cctype>

namespace faultline::program {

// What str() makes of a value; floats are left out, for their digits are Python's own.
static std::optional<std::string> written(const Machine& m, Ref value)
{
  if (const auto* constant = as<Constant>(value)) {
    if (const auto* truth = std::get_if<bool>(&constant->value)) {
      return *truth ? "True" : "False";
    }
  }
  if (const auto text = m.to_string(value)) {
    return std::string(*text);
  }
  if (const auto number = m.to_int(value)) {
    return std::to_string(*number);
  }
  return std::nullopt;
}

static Ref text_or(Machine& m, const std::optional<std::string>& known)
{
  return known ? m.string(*known) : m.text();
}

static Ref make_str(Machine& m, Call& call)
{
  return text_or(m, written(m, take(m, call, "object")));
}

// The value of one field, "" or "0" or "name"; null if there is none such.
static Ref field(const Call& call, std::string_view name, size_t next)
{
  const std::vector<Ref> given = positional(call);
  if (name.empty()) {
    return next < given.size() ? given[next] : nullptr;
  }
  if (name.size() == 1 && std::isdigit(static_cast<unsigned char>(name[0])) != 0) {
    const auto place = static_cast<size_t>(name[0] - '0');
    return place < given.size() ? given[place] : nullptr;
  }
  const Argument* const argument = call.keyword(name);
  return argument != nullptr ? argument->value : nullptr;
}

static std::optional<std::string>
formatted(const Machine& m, const Call& call, std::string_view text)
{
  std::string result;
  size_t next = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if ((c == '{' || c == '}') && i + 1 < text.size() && text[i + 1] == c) {
      result += c;
      ++i;
      continue;
    }
    if (c != '{') {
      result += c;
      continue;
    }
    const size_t end = text.find('}', i);
    if (end == std::string_view::npos) {
      return std::nullopt;
    }
    const std::string_view name = text.substr(i + 1, end - i - 1);
    const Ref value = field(call, name, next++);
    const auto part = value != nullptr ? written(m, value) : std::nullopt;
    if (!part) {
      return std::nullopt;
    }
    result += *part;
    i = end;
  }
  return result;
}

static Ref format_text(Machine& m, Call& call)
{
  const auto text = m.to_string(call.self);
  return text_or(m, text ? formatted(m, call, *text) : std::nullopt);
}

static Ref join_text(Machine& m, Call& call)
{
  const auto separator = m.to_string(call.self);
  const Items items = expand(m, take(m, call, "iterable"), call.span);
  if (!separator || items.open) {
    return m.text();
  }
  std::string result;
  for (size_t i = 0; i < items.items.size(); ++i) {
    const auto part = m.to_string(items.items[i]);
    if (!part) {
      return m.text();
    }
    result += i == 0 ? "" : *separator;
    result += *part;
  }
  return m.string(result);
}

static Ref split_text(Machine& m, Call& call)
{
  const auto text = m.to_string(call.self);
  const bool blanks = m.is_none(take(m, call, "sep"));
  const auto separator =
      blanks ? std::optional<std::string_view>(" ") : m.to_string(take(m, call, "sep"));
  if (!text || !separator || separator->empty() || call.given("maxsplit") != nullptr) {
    return m.open_list(m.text());
  }
  std::vector<Ref> parts;
  std::string_view left = *text;
  for (;;) {
    const size_t end = left.find(*separator);
    const std::string_view part = left.substr(0, end);
    if (!blanks || !part.empty()) {
      parts.push_back(m.string(std::string(part)));
    }
    if (end == std::string_view::npos) {
      break;
    }
    left.remove_prefix(end + separator->size());
  }
  return m.list(std::move(parts));
}

template <typename F> static Ref changed(Machine& m, Call& call, F change)
{
  const auto text = m.to_string(call.self);
  if (!text) {
    return m.text();
  }
  std::string result(*text);
  change(result);
  return m.string(std::move(result));
}

static Ref lower(Machine& m, Call& call)
{
  return changed(m, call, [](std::string& text) {
    std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) {
      return static_cast<char>(std::tolower(c));
    });
  });
}

static Ref upper(Machine& m, Call& call)
{
  return changed(m, call, [](std::string& text) {
    std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) {
      return static_cast<char>(std::toupper(c));
    });
  });
}

static Ref strip(Machine& m, Call& call)
{
  if (call.given("chars") != nullptr) {
    return m.text();
  }
  return changed(m, call, [](std::string& text) {
    const auto blank = [](unsigned char c) { return std::isspace(c) != 0; };
    text.erase(text.begin(), std::find_if_not(text.begin(), text.end(), blank));
    text.erase(std::find_if_not(text.rbegin(), text.rend(), blank).base(), text.end());
  });
}

static Ref replace(Machine& m, Call& call)
{
  const auto old = m.to_string(take(m, call, "old"));
  const auto fresh = m.to_string(take(m, call, "new"));
  if (!old || !fresh || old->empty() || call.given("count") != nullptr) {
    return m.text();
  }
  return changed(m, call, [&](std::string& text) {
    for (size_t at = text.find(*old); at != std::string::npos;
         at = text.find(*old, at + fresh->size())) {
      text.replace(at, old->size(), *fresh);
    }
  });
}

static Ref starts(Machine& m, Call& call)
{
  const auto text = m.to_string(call.self);
  const auto prefix = m.to_string(take(m, call, "prefix"));
  return text && prefix ? m.boolean(text->starts_with(*prefix)) : m.truth();
}

static Ref ends(Machine& m, Call& call)
{
  const auto text = m.to_string(call.self);
  const auto suffix = m.to_string(take(m, call, "suffix"));
  return text && suffix ? m.boolean(text->ends_with(*suffix)) : m.truth();
}

static Ref some_place(Machine& m, Call&)
{
  return m.number(Interval::of(-1, Interval::k_inf), true);
}
static Ref three_texts(Machine& m, Call&)
{
  return m.tuple({m.text(), m.text(), m.text()});
}

static constexpr Api k_rows[] = {
    {"builtins.str", "object='', encoding=None, errors=None", Role::object, {}, 0, make_str},
    {"builtins.unicode", "object='', encoding=None, errors=None", Role::object, {}, 0, make_str},
    {"builtins.basestring", "", Role::object},
    {"builtins.repr", "object", Role::function, {}, 0, answers::text},
    {"builtins.format", "value, format_spec=''", Role::function, {}, 0, answers::text},
    {"builtins.ascii", "object", Role::function, {}, 0, answers::text},
    {"builtins.bin", "number", Role::function, {}, 0, answers::text},
    {"builtins.hex", "number", Role::function, {}, 0, answers::text},
    {"builtins.oct", "number", Role::function, {}, 0, answers::text},
    {"builtins.chr", "number", Role::function, {}, 0, answers::text},
    {"builtins.unichr", "number", Role::function, {}, 0, answers::text},
    {"builtins.str.format", "*args, **kwargs", Role::method, {}, 0, format_text},
    {"builtins.str.join", "iterable", Role::method, {}, 0, join_text},
    {"builtins.str.split", "sep=None, maxsplit=-1", Role::method, {}, 0, split_text},
    {"builtins.str.rsplit", "sep=None, maxsplit=-1", Role::method, {}, 0, split_text},
    {"builtins.str.splitlines", "keepends=False", Role::method, {}, 0, answers::texts},
    {"builtins.str.partition", "sep", Role::method, {}, 0, three_texts},
    {"builtins.str.rpartition", "sep", Role::method, {}, 0, three_texts},
    {"builtins.str.lower", "", Role::method, {}, 0, lower},
    {"builtins.str.casefold", "", Role::method, {}, 0, lower},
    {"builtins.str.upper", "", Role::method, {}, 0, upper},
    {"builtins.str.strip", "chars=None", Role::method, {}, 0, strip},
    {"builtins.str.lstrip", "chars=None", Role::method, {}, 0, answers::text},
    {"builtins.str.rstrip", "chars=None", Role::method, {}, 0, answers::text},
    {"builtins.str.replace", "old, new, count=-1", Role::method, {}, 0, replace},
    {"builtins.str.startswith", "prefix, start=None, end=None", Role::method, {}, 0, starts},
    {"builtins.str.endswith", "suffix, start=None, end=None", Role::method, {}, 0, ends},
    {"builtins.str.find", "sub, start=None, end=None", Role::method, {}, 0, some_place},
    {"builtins.str.rfind", "sub, start=None, end=None", Role::method, {}, 0, some_place},
    {"builtins.str.index", "sub, start=None, end=None", Role::method, {}, 0, some_place},
    {"builtins.str.count", "sub, start=None, end=None", Role::method, {}, 0, some_place},
    {"builtins.str.isdigit", "", Role::method, {}, 0, answers::truth},
    {"builtins.str.isalpha", "", Role::method, {}, 0, answers::truth},
    {"builtins.str.isalnum", "", Role::method, {}, 0, answers::truth},
    {"builtins.str.isnumeric", "", Role::method, {}, 0, answers::truth},
    {"builtins.str.isspace", "", Role::method, {}, 0, answers::truth},
    {"builtins.str.isupper", "", Role::method, {}, 0, answers::truth},
    {"builtins.str.islower", "", Role::method, {}, 0, answers::truth},
    {"builtins.str.title", "", Role::method, {}, 0, answers::text},
    {"builtins.str.capitalize", "", Role::method, {}, 0, answers::text},
    {"builtins.str.swapcase", "", Role::method, {}, 0, answers::text},
    {"builtins.str.center", "width, fillchar=' '", Role::method, {}, 0, answers::text},
    {"builtins.str.ljust", "width, fillchar=' '", Role::method, {}, 0, answers::text},
    {"builtins.str.rjust", "width, fillchar=' '", Role::method, {}, 0, answers::text},
    {"builtins.str.zfill", "width", Role::method, {}, 0, answers::text},
    {"builtins.str.expandtabs", "tabsize=8", Role::method, {}, 0, answers::text},
    {"builtins.str.encode",
     "encoding='utf-8', errors='strict'",
     Role::method,
     {},
     0,
     answers::text},
    {"builtins.str.decode",
     "encoding='utf-8', errors='strict'",
     Role::method,
     {},
     0,
     answers::text},
    {"builtins.str.translate", "*args", Role::method, {}, 0, answers::text},
    {"builtins.str.maketrans", "*args", Role::method},
    {"builtins.str.removeprefix", "prefix", Role::method, {}, 0, answers::text},
    {"builtins.str.removesuffix", "suffix", Role::method, {}, 0, answers::text},
};

std::span<const Api> python_strings()
{
  return k_rows;
}

} // namespace faultline::program
