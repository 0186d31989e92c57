#pragma once

#include "study/injected_logs/log_facts.hpp"

#include <map>
#include <memory>
#include <string>
#include <string_view>

namespace faultline::study::injected {

// Classifies the log of one run while it is read, in pieces of any size. What the three formats
// have in common is here: lines (a carriage return ends one, backspaces are dropped), tracebacks,
// and the order of the rules. What a finished run looks like is the format's.
class LogReader {
public:
  virtual ~LogReader() = default;

  void feed(std::string_view piece);
  // What the whole log says; nothing is fed afterwards.
  LogFacts finish();

protected:
  // A line without its end, in the order of the log.
  virtual void line(std::string_view text) = 0;
  // Whether the final result was printed; `last` is the last line that is not blank.
  virtual bool finished(std::string_view last) const = 0;
  // Adds accuracy, time and progress.
  virtual void describe(LogFacts& facts) const = 0;

private:
  void end_line();
  void follow_traceback(std::string_view text);

  std::string m_line;
  std::string m_last; // the last line that is not blank
  size_t m_tracebacks = 0;
  bool m_in_traceback = false;
  bool m_environment_failed = false;
  std::string m_exception; // of the last traceback
  std::map<std::string, size_t> m_exceptions;
};

// One file each.
std::unique_ptr<LogReader> keras_log();
std::unique_ptr<LogReader> tensorflow_log();
std::unique_ptr<LogReader> theano_log();

std::unique_ptr<LogReader> log_reader(Library library);

// The number at the start of `text`, spaces before it skipped; "inf" and "nan" are numbers too.
std::optional<double> leading_number(std::string_view text);
// The same for a count.
std::optional<size_t> leading_count(std::string_view text);
// The number that follows `label` in `text`, the last one if it occurs more than once.
std::optional<double> number_after(std::string_view text, std::string_view label);

} // namespace faultline::study::injected
