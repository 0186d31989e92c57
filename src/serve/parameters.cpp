#include "serve/parameters.hpp"

#include "base/format.hpp"
#include "base/text.hpp"

#include <algorithm>
#include <charconv>

namespace faultline::serve {

// Nobody types more than this; anything longer is a mistake or an attack.
constexpr size_t k_longest_value = 1000;
constexpr size_t k_most_values = 200;

// A value as a message may quote it.
static std::string quoted(const std::string& value)
{
  return value.size() <= 80 ? value : to_valid_utf8(value.substr(0, 80)) + "…";
}

void Parameters::refuse(std::string message)
{
  if (m_wrong.empty()) {
    m_wrong = std::move(message);
  }
}

std::string Parameters::single(const std::string& name)
{
  m_known.insert(name);
  if (m_request.query.count(name) > 1) {
    refuse(format("`{}` is given more than once", name));
  }
  return m_request.parameter(name);
}

std::string Parameters::text(const std::string& name, const std::string& otherwise)
{
  const std::string value = single(name);
  return value.empty() ? otherwise : value;
}

std::vector<std::string> Parameters::texts(const std::string& name)
{
  m_known.insert(name);
  return m_request.parameters(name);
}

void Parameters::check(const std::string& name,
                       const std::string& value,
                       std::span<const std::string> allowed)
{
  if (std::ranges::find(allowed, value) == allowed.end()) {
    const std::string guess = did_you_mean(value, allowed);
    refuse(format("unknown {} `{}`{}",
                  name,
                  quoted(value),
                  !guess.empty()        ? guess
                  : allowed.size() > 12 ? ""
                                        : format("; it is one of {}", join(allowed, ", "))));
  }
}

std::string Parameters::one_of(const std::string& name,
                               std::span<const std::string> allowed,
                               const std::string& otherwise)
{
  const std::string value = single(name);
  if (value.empty()) {
    return otherwise;
  }
  check(name, value, allowed);
  return value;
}

std::vector<std::string> Parameters::some_of(const std::string& name,
                                             std::span<const std::string> allowed)
{
  std::vector<std::string> values = texts(name);
  for (const std::string& value : values) {
    check(name, value, allowed);
  }
  return values;
}

size_t Parameters::number(const std::string& name, size_t otherwise, size_t greatest)
{
  const std::string value = single(name);
  if (value.empty()) {
    return otherwise;
  }
  size_t number = 0;
  const char* end = value.data() + value.size();
  const auto [stop, error] = std::from_chars(value.data(), end, number);
  if (error != std::errc() || stop != end || number > greatest) {
    refuse(format("`{}` must be a whole number from 0 to {}", name, greatest));
    return otherwise;
  }
  return number;
}

Result<void> Parameters::finish() const
{
  std::vector<std::string> known(m_known.begin(), m_known.end());
  for (const auto& [name, value] : m_request.query) {
    if (!m_known.contains(name)) {
      return Error{
          ErrorKind::usage,
          format("unknown parameter `{}`{}", quoted(name), did_you_mean(quoted(name), known))};
    }
    if (value.size() > k_longest_value) {
      return Error{ErrorKind::usage,
                   format("`{}` is longer than {} characters", name, k_longest_value)};
    }
  }
  if (m_request.query.size() > k_most_values) {
    return Error{ErrorKind::usage, format("more than {} parameters", k_most_values)};
  }
  if (!m_wrong.empty()) {
    return Error{ErrorKind::usage, m_wrong};
  }
  return {};
}

} // namespace faultline::serve
