#pragma once

#include "trace/event.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace faultline::trace {

// The keys of a JSON object, read as what they have to be. An absent key leaves the value as it is;
// a value of the wrong type makes the whole record worthless.
class Fields {
public:
  explicit Fields(const Json& json) : m_json(json), m_good(json.is_object()) {}

  bool good() const { return m_good; }

  Fields& read(std::string_view key, double& value);
  Fields& read(std::string_view key, bool& value);
  Fields& read(std::string_view key, int& value);
  Fields& read(std::string_view key, int64_t& value);
  Fields& read(std::string_view key, uint32_t& value);
  Fields& read(std::string_view key, uint64_t& value);
  Fields& read(std::string_view key, std::string& value);
  Fields& read(std::string_view key, Site& value);
  Fields& read(std::string_view key, Role& value);
  Fields& read(std::string_view key, TensorFacts& value);
  // An object with arbitrary keys.
  Fields& read_object(std::string_view key, Json& value);

  template <typename T> Fields& read(std::string_view key, std::optional<T>& value)
  {
    if (find(key) != nullptr) {
      read(key, value.emplace());
    }
    return *this;
  }

  template <typename T> Fields& read(std::string_view key, std::vector<T>& values)
  {
    const Json* found = find(key);
    if (found == nullptr) {
      return *this;
    }
    if (!found->is_array()) {
      m_good = false;
      return *this;
    }
    for (const Json& element : *found) {
      // An element is read like a value of its own.
      const Json wrapped = {{"value", element}};
      Fields fields(wrapped);
      T value{};
      fields.read("value", value);
      m_good = m_good && fields.good();
      values.push_back(std::move(value));
    }
    return *this;
  }

private:
  const Json* find(std::string_view key) const;

  const Json& m_json;
  bool m_good;
};

} // namespace faultline::trace
