#pragma once

// What tests of the interpreter and of the models ask of a program.

#include "base/format.hpp"
#include "program/record/program.hpp"
#include "program/values/scope.hpp"

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace faultline::program {

// A value in words: `7`, `'adam'`, `[1, 2]`, `float32 (B, 10) [0, 1]`, `Dense object`, `?`.
inline std::string describe(Ref value, int depth = 0)
{
  if (value == nullptr || depth > 4) {
    return "…";
  }
  switch (value->kind) {
  case Kind::unknown:
    return "?";
  case Kind::none:
    return "None";
  case Kind::constant: {
    const auto& held = as<Constant>(value)->value;
    if (const bool* truth = std::get_if<bool>(&held)) {
      return *truth ? "True" : "False";
    }
    if (const int64_t* whole = std::get_if<int64_t>(&held)) {
      return format("{}", *whole);
    }
    if (const double* real = std::get_if<double>(&held)) {
      return format("{:g}f", *real);
    }
    return format("'{}'", std::get<std::string>(held));
  }
  case Kind::number: {
    const auto* number = as<Number>(value);
    return format("{}{}",
                  number->integer ? "int" : "float",
                  number->dim.is_unknown() ? "" : " " + number->dim.text());
  }
  case Kind::text:
    return "str";
  case Kind::sequence: {
    const auto* sequence = as<Sequence>(value);
    std::string text;
    for (const Ref item : sequence->items) {
      text += (text.empty() ? "" : ", ") + describe(item, depth + 1);
    }
    if (sequence->open) {
      text += (text.empty() ? "" : ", ") + std::string("*") + describe(sequence->rest, depth + 1);
    }
    const bool tuple = sequence->type == Sequence::Type::tuple;
    return (tuple ? "(" : "[") + text + (tuple ? ")" : "]");
  }
  case Kind::dict: {
    std::string text;
    for (const auto& [key, held] : as<Dict>(value)->items) {
      text +=
          (text.empty() ? "" : ", ") + describe(key, depth + 1) + ": " + describe(held, depth + 1);
    }
    return "{" + text + "}";
  }
  case Kind::function:
    return format("function {}", as<Function>(value)->name);
  case Kind::klass:
    return format("class {}", as<Class>(value)->name);
  case Kind::instance: {
    const auto* object = as<Instance>(value);
    return format("{} object",
                  object->klass != nullptr
                      ? object->klass->name
                      : object->api->name.substr(object->api->name.rfind('.') + 1));
  }
  case Kind::bound:
    return "method";
  case Kind::api:
    return as<ApiName>(value)->path;
  case Kind::module:
    return "module";
  case Kind::tensor: {
    const auto* tensor = as<Tensor>(value);
    return format("{} {}{}",
                  tensor->dtype.text(),
                  tensor->shape.text(),
                  tensor->interval.is_known() ? " " + tensor->interval.text() : "");
  }
  case Kind::choice: {
    std::string text;
    for (const Ref option : as<Choice>(value)->options) {
      text += (text.empty() ? "" : " or ") + describe(option, depth + 1);
    }
    return text;
  }
  case Kind::slice:
    return "slice";
  }
  return {};
}

// What a global name of `program` holds at the end.
inline std::string global(const Program& program, std::string_view name)
{
  const auto found = program.main().globals->names.find(name);
  return found != program.main().globals->names.end() ? describe(found->second) : "undefined";
}

using Files = std::map<std::string, std::string>;

inline std::unique_ptr<const Program> analyse_text(std::string text, const Files& files = {})
{
  const ReadFile read = [&files](const std::string& path) -> std::optional<std::string> {
    const auto found = files.find(path);
    return found != files.end() ? std::optional(found->second) : std::nullopt;
  };
  return analyse("main.py", std::move(text), read);
}

// One row of a table of tests: after `source`, the name `x` is described by `expected`.
struct Example {
  std::string_view source;
  std::string_view expected;
};

inline void check(std::span<const Example> examples)
{
  for (const Example& example : examples) {
    const auto program = analyse_text(std::string(example.source));
    EXPECT_EQ(global(*program, "x"), example.expected) << example.source;
  }
}

} // namespace faultline::program
