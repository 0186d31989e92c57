#include "evaluate/bounded_json.hpp"

#include "base/format.hpp"
#include "base/text.hpp"

#include <charconv>

namespace faultline::evaluate {

namespace {

constexpr size_t k_deepest = 100;
constexpr size_t k_most_values = 2'000'000;

// Reads without keeping anything.
class Measure final : public nlohmann::json_sax<Json> {
public:
  std::string problem;

  bool null() override { return value(); }
  bool boolean(bool) override { return value(); }
  bool number_integer(number_integer_t) override { return value(); }
  bool number_unsigned(number_unsigned_t) override { return value(); }
  bool number_float(number_float_t, const string_t&) override { return value(); }
  bool string(string_t&) override { return value(); }
  bool binary(binary_t&) override { return value(); }
  bool key(string_t&) override { return true; }
  bool start_object(std::size_t) override { return open(); }
  bool start_array(std::size_t) override { return open(); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }
  bool
  parse_error(std::size_t position, const std::string&, const nlohmann::detail::exception&) override
  {
    problem = format("not JSON from byte {} on", position);
    return false;
  }

private:
  bool value()
  {
    if (++m_values > k_most_values) {
      problem = format("JSON of more than {} values", k_most_values);
    }
    return problem.empty();
  }
  bool open()
  {
    if (++m_depth > k_deepest) {
      problem = format("JSON nested more than {} deep", k_deepest);
    }
    return problem.empty() && value();
  }
  bool close()
  {
    --m_depth;
    return true;
  }

  size_t m_values = 0;
  size_t m_depth = 0;
};

} // namespace

Result<Json> parse_bounded_json(std::string_view text)
{
  if (trim(text).empty()) {
    return Error{ErrorKind::bad_data, "printed nothing where JSON was expected"};
  }
  Measure measure;
  if (!Json::sax_parse(text, &measure)) {
    return Error{ErrorKind::bad_data, measure.problem.empty() ? "not JSON" : measure.problem};
  }
  return Json::parse(text, nullptr, false);
}

const Json* at_path(const Json& value, std::string_view path)
{
  const Json* at = &value;
  while (!path.empty()) {
    const size_t dot = path.find('.');
    const std::string key(path.substr(0, dot));
    path = dot == std::string_view::npos ? std::string_view() : path.substr(dot + 1);
    if (at->is_object()) {
      const auto found = at->find(key);
      if (found == at->end()) {
        return nullptr;
      }
      at = &*found;
    } else if (at->is_array()) {
      size_t index = 0;
      const auto [end, error] = std::from_chars(key.data(), key.data() + key.size(), index);
      if (error != std::errc() || end != key.data() + key.size() || index >= at->size()) {
        return nullptr;
      }
      at = &(*at)[index];
    } else {
      return nullptr;
    }
  }
  return at;
}

std::string text_of(const Json* value)
{
  if (value == nullptr) {
    return {};
  }
  return value->is_string()   ? value->get_ref<const std::string&>()
         : value->is_number() ? value->dump()
                              : std::string();
}

size_t line_of(const Json* value)
{
  size_t line = 0;
  if (value == nullptr) {
    return 0;
  }
  if (value->is_number_unsigned()) {
    return value->get<size_t>();
  }
  const std::string text = text_of(value);
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), line);
  return error == std::errc() && end == text.data() + text.size() ? line : 0;
}

} // namespace faultline::evaluate
