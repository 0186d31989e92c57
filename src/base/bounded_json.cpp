#include "base/bounded_json.hpp"

#include "base/format.hpp"

namespace faultline {

namespace {

// Reads without keeping anything.
class Measure final : public nlohmann::json_sax<Json> {
public:
  explicit Measure(JsonLimits limits) : m_limits(limits) {}

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
    if (++m_values > m_limits.values) {
      problem = format("JSON of more than {} values", m_limits.values);
    }
    return problem.empty();
  }
  bool open()
  {
    if (++m_depth > m_limits.depth) {
      problem = format("JSON nested more than {} deep", m_limits.depth);
    }
    return problem.empty() && value();
  }
  bool close()
  {
    --m_depth;
    return true;
  }

  JsonLimits m_limits;
  size_t m_values = 0;
  size_t m_depth = 0;
};

} // namespace

Result<Json> parse_bounded_json(std::string_view text, JsonLimits limits)
{
  Measure measure(limits);
  if (!Json::sax_parse(text, &measure)) {
    return Error{ErrorKind::bad_data, measure.problem.empty() ? "not JSON" : measure.problem};
  }
  return parse_json(text);
}

} // namespace faultline
