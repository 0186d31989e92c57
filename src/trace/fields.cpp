#include "trace/fields.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace faultline::trace {

namespace {

constexpr size_t k_longest_text = 4096;

// Text from a program is shown on terminals: no control characters, no endless lines.
std::string clean(std::string_view text)
{
  size_t length = std::min(text.size(), k_longest_text);
  while (length > 0 && length < text.size() &&
         (static_cast<unsigned char>(text[length]) & 0xC0U) == 0x80U) {
    --length; // not inside of a character
  }
  std::string cleaned(text.substr(0, length));
  for (char& c : cleaned) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) {
      c = ' ';
    }
  }
  return cleaned;
}

std::optional<double> number_of(const Json& json)
{
  if (json.is_number()) {
    return json.get<double>();
  }
  if (json.is_string()) {
    const auto& text = json.get_ref<const std::string&>();
    if (text == "nan") {
      return std::numeric_limits<double>::quiet_NaN();
    }
    if (text == "inf" || text == "-inf") {
      const double infinity = std::numeric_limits<double>::infinity();
      return text == "inf" ? infinity : -infinity;
    }
  }
  return std::nullopt;
}

// A whole number that fits; 3.0 is one.
template <typename T> bool read_whole(const Json& json, T& value)
{
  if (!json.is_number()) {
    return false;
  }
  const double number = json.get<double>();
  // The largest value itself may be rounded up by the conversion to double, and is excluded then.
  if (!(number >= static_cast<double>(std::numeric_limits<T>::min())) ||
      !(number < static_cast<double>(std::numeric_limits<T>::max())) ||
      number != std::floor(number)) {
    return false;
  }
  value = static_cast<T>(number);
  return true;
}

} // namespace

const Json* Fields::find(std::string_view key) const
{
  if (!m_json.is_object()) {
    return nullptr;
  }
  const auto found = m_json.find(key);
  return found == m_json.end() || found->is_null() ? nullptr : &*found;
}

Fields& Fields::read(std::string_view key, double& value)
{
  if (const Json* found = find(key)) {
    const std::optional<double> number = number_of(*found);
    m_good = m_good && number.has_value();
    value = number.value_or(value);
  }
  return *this;
}

Fields& Fields::read(std::string_view key, bool& value)
{
  if (const Json* found = find(key)) {
    m_good = m_good && found->is_boolean();
    value = found->is_boolean() ? found->get<bool>() : value;
  }
  return *this;
}

Fields& Fields::read(std::string_view key, int& value)
{
  const Json* found = find(key);
  m_good = m_good && (found == nullptr || read_whole(*found, value));
  return *this;
}

Fields& Fields::read(std::string_view key, int64_t& value)
{
  const Json* found = find(key);
  m_good = m_good && (found == nullptr || read_whole(*found, value));
  return *this;
}

Fields& Fields::read(std::string_view key, uint32_t& value)
{
  const Json* found = find(key);
  m_good = m_good && (found == nullptr || read_whole(*found, value));
  return *this;
}

Fields& Fields::read(std::string_view key, uint64_t& value)
{
  const Json* found = find(key);
  m_good = m_good && (found == nullptr || read_whole(*found, value));
  return *this;
}

Fields& Fields::read(std::string_view key, std::string& value)
{
  if (const Json* found = find(key)) {
    m_good = m_good && found->is_string();
    value = found->is_string() ? clean(found->get_ref<const std::string&>()) : value;
  }
  return *this;
}

Fields& Fields::read(std::string_view key, Site& value)
{
  if (const Json* found = find(key)) {
    Fields fields(*found);
    fields.read("file", value.file).read("line", value.line).read("text", value.text);
    m_good = m_good && fields.good();
  }
  return *this;
}

Fields& Fields::read(std::string_view key, Role& value)
{
  std::string name;
  read(key, name);
  if (name.empty()) {
    return *this;
  }
  for (const Role role : {Role::input, Role::output, Role::weight, Role::gradient, Role::update}) {
    if (name == name_of(role)) {
      value = role;
      return *this;
    }
  }
  m_good = false;
  return *this;
}

Fields& Fields::read(std::string_view key, TensorFacts& value)
{
  const Json* found = find(key);
  if (found == nullptr) {
    return *this;
  }
  Fields fields(*found);
  fields.read("shape", value.shape)
      .read("dtype", value.dtype)
      .read("min", value.min)
      .read("max", value.max)
      .read("mean", value.mean)
      .read("std", value.std)
      .read("nan", value.nan)
      .read("inf", value.inf)
      .read("constant_columns", value.constant_columns)
      .read("column_scale_ratio", value.column_scale_ratio)
      .read("negative", value.negative)
      .read("row_sum_min", value.row_sum_min)
      .read("row_sum_max", value.row_sum_max)
      .read("fraction", value.fraction)
      .read("class_counts", value.class_counts)
      .read("distinct", value.distinct)
      .read("largest_share", value.largest_share);
  m_good = m_good && fields.good();
  return *this;
}

Fields& Fields::read_object(std::string_view key, Json& value)
{
  if (const Json* found = find(key)) {
    m_good = m_good && found->is_object();
    value = found->is_object() ? *found : value;
  }
  return *this;
}

} // namespace faultline::trace
