#include "base/toml.hpp"

#include "base/format.hpp"
#include "base/text.hpp"

#include <limits>

namespace faultline {

Result<toml::table> parse_toml(std::string_view text, const std::string& file)
{
  // toml++ reports errors as exceptions; they are caught here.
  try {
    return toml::parse(text, file);
  } catch (const toml::parse_error& error) {
    return Error{ErrorKind::bad_data,
                 format("{}:{}: broken TOML: {}",
                        file,
                        error.source().begin.line,
                        replace_all(std::string(error.description()), "\n", " "))};
  }
}

TomlReader::TomlReader(const toml::table& table, std::string file)
    : TomlReader(table, std::make_shared<Shared>(Shared{std::move(file), {}, {}}))
{
}

TomlReader::TomlReader(const toml::table& table, std::shared_ptr<Shared> shared)
    : m_table(&table), m_shared(std::move(shared))
{
  m_shared->visits.push_back({m_table, m_read});
}

void TomlReader::note(const toml::source_position& at, std::string_view why)
{
  if (!m_shared->problem) {
    m_shared->problem =
        Error{ErrorKind::bad_data, format("{}:{}: {}", m_shared->file, std::max(at.line, 1U), why)};
  }
}

const toml::node* TomlReader::find(std::string_view key, bool required)
{
  m_read->emplace(key);
  const toml::node* node = m_table->get(key);
  if (node == nullptr && required) {
    note(m_table->source().begin, format("missing key `{}`", key));
  }
  return node;
}

bool TomlReader::has(std::string_view key) const
{
  return m_table->contains(key);
}

std::optional<std::string> TomlReader::optional_text(std::string_view key)
{
  const toml::node* node = find(key, false);
  if (node == nullptr) {
    return std::nullopt;
  }
  const std::optional<std::string> value = node->value_exact<std::string>();
  if (!value) {
    note(node->source().begin, format("`{}` must be a string", key));
  }
  return value;
}

std::string TomlReader::text(std::string_view key)
{
  const std::optional<std::string> value = optional_text(key);
  if (!has(key)) {
    find(key, true);
  } else if (value && trim(*value).empty()) {
    refuse(key, format("`{}` is empty", key));
  }
  return value.value_or("");
}

std::optional<long long> TomlReader::optional_integer(std::string_view key)
{
  const toml::node* node = find(key, false);
  if (node == nullptr) {
    return std::nullopt;
  }
  const std::optional<int64_t> value = node->value_exact<int64_t>();
  if (!value) {
    note(node->source().begin, format("`{}` must be an integer", key));
  }
  return value;
}

std::optional<double> TomlReader::optional_number(std::string_view key)
{
  const toml::node* node = find(key, false);
  if (node == nullptr) {
    return std::nullopt;
  }
  if (!node->is_number()) {
    note(node->source().begin, format("`{}` must be a number", key));
    return std::nullopt;
  }
  return node->value<double>();
}

long long TomlReader::integer(std::string_view key)
{
  find(key, true);
  return optional_integer(key).value_or(0);
}

double TomlReader::number(std::string_view key)
{
  find(key, true);
  return optional_number(key).value_or(0);
}

bool TomlReader::flag(std::string_view key, bool otherwise)
{
  const toml::node* node = find(key, false);
  if (node == nullptr) {
    return otherwise;
  }
  const std::optional<bool> value = node->value_exact<bool>();
  if (!value) {
    note(node->source().begin, format("`{}` must be true or false", key));
  }
  return value.value_or(otherwise);
}

std::vector<std::string> TomlReader::texts(std::string_view key)
{
  std::vector<std::string> values;
  const toml::node* node = find(key, false);
  if (node == nullptr) {
    return values;
  }
  const toml::array* array = node->as_array();
  if (array == nullptr) {
    note(node->source().begin, format("`{}` must be a list of strings", key));
    return values;
  }
  for (const toml::node& element : *array) {
    const std::optional<std::string> value = element.value_exact<std::string>();
    if (!value) {
      note(element.source().begin, format("`{}` must be a list of strings", key));
      return values;
    }
    values.push_back(*value);
  }
  return values;
}

std::vector<int> TomlReader::integers(std::string_view key)
{
  std::vector<int> values;
  const toml::node* node = find(key, false);
  if (node == nullptr) {
    return values;
  }
  const toml::array* array = node->as_array();
  if (array == nullptr) {
    note(node->source().begin, format("`{}` must be a list of integers", key));
    return values;
  }
  for (const toml::node& element : *array) {
    const std::optional<int64_t> value = element.value_exact<int64_t>();
    if (!value || *value > std::numeric_limits<int>::max() ||
        *value < std::numeric_limits<int>::min()) {
      note(element.source().begin, format("`{}` must be a list of integers", key));
      return values;
    }
    values.push_back(static_cast<int>(*value));
  }
  return values;
}

std::vector<double> TomlReader::numbers(std::string_view key)
{
  std::vector<double> values;
  const toml::node* node = find(key, false);
  if (node == nullptr) {
    return values;
  }
  const toml::array* array = node->as_array();
  if (array == nullptr) {
    note(node->source().begin, format("`{}` must be a list of numbers", key));
    return values;
  }
  for (const toml::node& element : *array) {
    if (!element.is_number()) {
      note(element.source().begin, format("`{}` must be a list of numbers", key));
      return values;
    }
    values.push_back(element.value<double>().value_or(0));
  }
  return values;
}

TomlReader TomlReader::table(std::string_view key)
{
  if (std::optional<TomlReader> reader = optional_table(key)) {
    return *reader;
  }
  if (!has(key)) {
    note(m_table->source().begin, format("missing table `[{}]`", key));
  }
  static const toml::table k_empty;
  return {k_empty, m_shared};
}

std::optional<TomlReader> TomlReader::optional_table(std::string_view key)
{
  const toml::node* node = find(key, false);
  if (node == nullptr) {
    return std::nullopt;
  }
  const toml::table* table = node->as_table();
  if (table == nullptr) {
    note(node->source().begin, format("`{}` must be a table", key));
    return std::nullopt;
  }
  return TomlReader(*table, m_shared);
}

std::vector<TomlReader> TomlReader::tables(std::string_view key)
{
  std::vector<TomlReader> readers;
  const toml::node* node = find(key, false);
  if (node == nullptr) {
    return readers;
  }
  const toml::array* array = node->as_array();
  if (array == nullptr) {
    note(node->source().begin, format("`{0}` must be a list of tables: [[{0}]]", key));
    return readers;
  }
  for (const toml::node& element : *array) {
    if (const toml::table* table = element.as_table()) {
      readers.push_back(TomlReader(*table, m_shared));
    } else {
      note(element.source().begin, format("`{0}` must be a list of tables: [[{0}]]", key));
    }
  }
  return readers;
}

std::vector<std::string> TomlReader::keys()
{
  std::vector<std::string> names;
  for (const auto& [key, node] : *m_table) {
    names.emplace_back(key.str());
  }
  return names;
}

void TomlReader::refuse(std::string_view key, std::string_view why)
{
  const toml::node* node = m_table->get(key);
  note(node != nullptr ? node->source().begin : m_table->source().begin, why);
}

void TomlReader::refuse(std::string_view why)
{
  note(m_table->source().begin, why);
}

void TomlReader::fail(Error problem)
{
  if (!m_shared->problem) {
    m_shared->problem = std::move(problem);
  }
}

std::string TomlReader::place(std::string_view key) const
{
  const toml::node* node = m_table->get(key);
  const auto line = node != nullptr ? node->source().begin.line : m_table->source().begin.line;
  return format("{}:{}", m_shared->file, line);
}

Result<void> TomlReader::finish()
{
  for (const Visit& visit : m_shared->visits) {
    for (const auto& [key, node] : *visit.table) {
      if (!visit.read->contains(key.str())) {
        const std::vector<std::string> known(visit.read->begin(), visit.read->end());
        note(key.source().begin,
             format("unknown key `{}`{}", key.str(), did_you_mean(key.str(), known)));
      }
    }
  }
  if (m_shared->problem) {
    return *m_shared->problem;
  }
  return {};
}

} // namespace faultline
