#include "study/injected_logs/log_reader.hpp"

#include "base/result.hpp"
#include "base/text.hpp"

#include <algorithm>
#include <charconv>

namespace faultline::study::injected {

// No real log has a line of this length; the rest of a longer one is dropped, not kept in memory.
static constexpr size_t k_longest_line = 1 << 20;
static constexpr size_t k_readable = 200;

void LogReader::feed(std::string_view piece)
{
  while (!piece.empty()) {
    const size_t stop = std::min(piece.find_first_of("\n\r\b"), piece.size());
    m_line += piece.substr(0, std::min(stop, k_longest_line - m_line.size()));
    if (stop == piece.size()) {
      return;
    }
    if (piece[stop] != '\b') {
      end_line();
    }
    piece.remove_prefix(stop + 1);
  }
}

void LogReader::end_line()
{
  if (!trim(m_line).empty()) {
    follow_traceback(m_line);
    line(m_line);
    std::swap(m_last, m_line);
  }
  m_line.clear();
}

// "theano.tensor.AsTensorError: …" → "AsTensorError".
static std::string exception_named(std::string_view text)
{
  const auto is_part = [](char c) {
    return c == '.' || c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') ||
           (c >= 'A' && c <= 'Z');
  };
  const auto end = std::ranges::find_if_not(text, is_part);
  std::string_view name = text.substr(0, static_cast<size_t>(end - text.begin()));
  if (const size_t dot = name.rfind('.'); dot != std::string_view::npos) {
    name.remove_prefix(dot + 1);
  }
  return std::string(name);
}

void LogReader::follow_traceback(std::string_view text)
{
  if (text.find("Traceback (most recent call last)") != std::string_view::npos) {
    ++m_tracebacks;
    m_in_traceback = true;
    m_exception.clear();
    return;
  }
  if (!m_in_traceback || text.starts_with(' ') || text.starts_with('\t')) {
    return;
  }
  // The first line that is not indented says what was raised.
  m_in_traceback = false;
  m_exception = exception_named(text);
  ++m_exceptions[m_exception];
  // The folder for checkpoints had been deleted while the run went on.
  m_environment_failed = text.find("Parent directory of") != std::string_view::npos &&
                         text.find("doesn't exist, can't save") != std::string_view::npos;
}

LogFacts LogReader::finish()
{
  end_line();
  LogFacts facts;
  describe(facts);
  facts.last_line = to_valid_utf8(trim(m_last).substr(0, k_readable));
  facts.exception = m_exception;
  if (trim(m_last) == "Hang") {
    facts.symptom = LogSymptom::hang;
    facts.rule = LogRule::marked_hang;
  } else if (finished(m_last)) {
    facts.symptom = LogSymptom::normal;
    facts.rule = LogRule::final_result_printed;
    facts.exception.clear();
    facts.handled_tracebacks = m_tracebacks;
    const auto most = std::ranges::max_element(
        m_exceptions, {}, [](const auto& counted) { return counted.second; });
    facts.handled_exception = most == m_exceptions.end() ? "" : most->first;
  } else if (m_tracebacks > 0) {
    facts.symptom = LogSymptom::crash;
    facts.rule = m_environment_failed ? LogRule::environment_failure : LogRule::uncaught_traceback;
  } else {
    facts.symptom = LogSymptom::hang;
    facts.rule = LogRule::output_stops;
  }
  return facts;
}

std::unique_ptr<LogReader> log_reader(Library library)
{
  switch (library) {
  case Library::theano:
    return theano_log();
  case Library::tensorflow:
    return tensorflow_log();
  case Library::keras:
    break;
  }
  return keras_log();
}

template <typename Number> static std::optional<Number> leading(std::string_view text)
{
  while (text.starts_with(' ')) {
    text.remove_prefix(1);
  }
  Number number = 0;
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), number);
  return failed == std::errc() ? std::optional(number) : std::nullopt;
}

std::optional<double> leading_number(std::string_view text)
{
  return leading<double>(text);
}

std::optional<size_t> leading_count(std::string_view text)
{
  return leading<size_t>(text);
}

std::optional<double> number_after(std::string_view text, std::string_view label)
{
  const size_t at = text.rfind(label);
  return at == std::string_view::npos ? std::nullopt
                                      : leading_number(text.substr(at + label.size()));
}

} // namespace faultline::study::injected
