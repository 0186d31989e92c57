// Logs of the TensorFlow application: "<ISO time>: step <n>, loss <x>, acc <y>" for each training
// step; every hundred steps "Evaluation:", a line of the same form, and "Saved model checkpoint to
// …". The training time is not printed; it is the time between the first step and the last
// evaluation.

#include "study/injected_logs/log_reader.hpp"

#include <chrono>

namespace faultline::study::injected {

namespace {

// Two or four digits, or nothing.
std::optional<int> digits(std::string_view text, size_t from, size_t count)
{
  int value = 0;
  for (const char c : text.substr(from, count)) {
    if (c < '0' || c > '9') {
      return std::nullopt;
    }
    value = value * 10 + (c - '0');
  }
  return value;
}

// Seconds since 1970 of "2020-02-15T11:51:34.860958", if the line starts with such a time.
std::optional<double> time_stamp(std::string_view text)
{
  if (text.size() < 19 || text[4] != '-' || text[7] != '-' || text[10] != 'T' || text[13] != ':' ||
      text[16] != ':') {
    return std::nullopt;
  }
  const std::optional<int> year = digits(text, 0, 4);
  const std::optional<int> month = digits(text, 5, 2);
  const std::optional<int> day = digits(text, 8, 2);
  const std::optional<int> hour = digits(text, 11, 2);
  const std::optional<int> minute = digits(text, 14, 2);
  const std::optional<int> second = digits(text, 17, 2);
  if (!year || !month || !day || !hour || !minute || !second) {
    return std::nullopt;
  }
  const std::chrono::year_month_day date(std::chrono::year(*year),
                                         std::chrono::month(static_cast<unsigned>(*month)),
                                         std::chrono::day(static_cast<unsigned>(*day)));
  if (!date.ok()) {
    return std::nullopt;
  }
  const auto days = std::chrono::sys_days(date).time_since_epoch().count();
  const double whole = static_cast<double>(days) * 86400 + *hour * 3600 + *minute * 60 + *second;
  // The fraction is left out when it happens to be zero.
  const double fraction =
      text.substr(19).starts_with('.') ? leading_number(text.substr(19)).value_or(0) : 0;
  return whole + fraction;
}

class TensorFlowLog final : public LogReader {
  void line(std::string_view text) override
  {
    if (text == "Evaluation:") {
      m_evaluating = true;
      return;
    }
    const size_t at = text.find(": step ");
    // Of three thousand steps a log, only the first and the evaluations matter.
    if (at == std::string_view::npos || (m_first && !m_evaluating)) {
      return;
    }
    const std::optional<double> time = time_stamp(text);
    if (!time) {
      return;
    }
    if (!m_first) {
      m_first = time;
    }
    if (m_evaluating) {
      m_evaluating = false;
      m_last_evaluation = time;
      m_accuracy = number_after(text, ", acc ");
      m_steps = leading_count(text.substr(at + 7)).value_or(m_steps);
    }
  }

  bool finished(std::string_view last) const override
  {
    return m_last_evaluation && last.starts_with("Saved model checkpoint");
  }

  void describe(LogFacts& facts) const override
  {
    facts.accuracy = m_accuracy;
    facts.epochs_or_steps = m_steps;
    if (m_last_evaluation) {
      facts.training_seconds = *m_last_evaluation - *m_first;
    }
  }

  bool m_evaluating = false;
  size_t m_steps = 0;
  std::optional<double> m_first;
  std::optional<double> m_last_evaluation;
  std::optional<double> m_accuracy;
};

} // namespace

std::unique_ptr<LogReader> tensorflow_log()
{
  return std::make_unique<TensorFlowLog>();
}

} // namespace faultline::study::injected
