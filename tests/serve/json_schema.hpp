#pragma once

// Holds JSON against the schemas of openapi.json: the keywords that these use, and no others.

#include "base/format.hpp"
#include "base/json.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace faultline::serve {

class JsonSchema {
public:
  explicit JsonSchema(const Json& description) : m_description(description) {}

  // What is wrong with `value`, one line each.
  std::vector<std::string> problems(const Json& value, const Json& schema) const
  {
    std::vector<std::string> found;
    check(value, schema, "$", found);
    return found;
  }

private:
  static bool has_type(const Json& value, const std::string& type)
  {
    return type == "object"    ? value.is_object()
           : type == "array"   ? value.is_array()
           : type == "string"  ? value.is_string()
           : type == "integer" ? value.is_number_integer()
           : type == "number"  ? value.is_number()
           : type == "boolean" ? value.is_boolean()
                               : type == "null" && value.is_null();
  }

  size_t fitting(const Json& value, const Json& choices) const
  {
    size_t count = 0;
    for (const Json& choice : choices) {
      std::vector<std::string> found;
      check(value, choice, "", found);
      count += found.empty() ? 1 : 0;
    }
    return count;
  }

  void check(const Json& value,
             const Json& schema,
             const std::string& place,
             std::vector<std::string>& found) const
  {
    if (schema.contains("$ref")) {
      const std::string reference = schema["$ref"];
      check(value, m_description.at(Json::json_pointer(reference.substr(1))), place, found);
      return;
    }
    for (const auto& [keyword, rule] : schema.items()) {
      if (keyword == "type") {
        bool fits = false;
        for (const Json& type : rule.is_array() ? rule : Json::array({rule})) {
          fits = fits || has_type(value, type);
        }
        if (!fits) {
          found.push_back(format(
              "{}: {} is no {}", place, print_json_compact(value).substr(0, 60), rule.dump()));
          return;
        }
      } else if (keyword == "required" && value.is_object()) {
        for (const Json& key : rule) {
          if (!value.contains(key.get<std::string>())) {
            found.push_back(format("{}: lacks {}", place, key.get<std::string>()));
          }
        }
      } else if (keyword == "properties" && value.is_object()) {
        for (const auto& [key, inner] : rule.items()) {
          if (value.contains(key)) {
            check(value[key], inner, place + "." + key, found);
          }
        }
      } else if (keyword == "additionalProperties" && value.is_object()) {
        for (const auto& [key, inner] : value.items()) {
          if (schema.contains("properties") && schema["properties"].contains(key)) {
            continue;
          }
          if (rule.is_object()) {
            check(inner, rule, place + "." + key, found);
          } else if (rule == false) {
            found.push_back(format("{}: has {}, which is not described", place, key));
          }
        }
      } else if (keyword == "items" && value.is_array()) {
        for (size_t i = 0; i < value.size(); ++i) {
          check(value[i], rule, format("{}[{}]", place, i), found);
        }
      } else if (keyword == "enum") {
        if (std::find(rule.begin(), rule.end(), value) == rule.end()) {
          found.push_back(
              format("{}: {} is none of {}", place, print_json_compact(value), rule.dump()));
        }
      } else if (keyword == "const" && value != rule) {
        found.push_back(format("{}: {} is not {}", place, print_json_compact(value), rule.dump()));
      } else if (keyword == "anyOf" && fitting(value, rule) == 0) {
        found.push_back(format("{}: fits none", place));
      } else if (keyword == "oneOf" && fitting(value, rule) != 1) {
        found.push_back(format("{}: fits none or several", place));
      }
    }
  }

  const Json& m_description;
};

} // namespace faultline::serve
