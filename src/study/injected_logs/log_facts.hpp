#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace faultline::study::injected {

// The libraries whose mutants were run, in the order of the paper's tables.
enum class Library { theano, tensorflow, keras };
inline constexpr std::array k_libraries = {Library::theano, Library::tensorflow, Library::keras};

enum class LogSymptom { normal, crash, hang };

// Why a log has its symptom; the first that holds, in the order of `LogReader::finish`.
enum class LogRule {
  marked_hang,          // somebody wrote the word "Hang" under the log
  final_result_printed, // whatever tracebacks came before
  uncaught_traceback,
  environment_failure, // a traceback too, but the machine is to blame and not the mutant
  output_stops,        // neither a result nor a traceback
};

// What one log says of its run.
struct LogFacts {
  LogSymptom symptom = LogSymptom::hang;
  LogRule rule = LogRule::output_stops;
  std::string exception; // of the last traceback, without its module; empty for a normal run
  std::optional<double> accuracy;
  std::optional<double> training_seconds;
  size_t epochs_or_steps = 0;
  // Tracebacks that a normal run survived, and the most frequent exception among them.
  size_t handled_tracebacks = 0;
  std::string handled_exception;
  // An epoch number occurs twice: the end of another run's log follows.
  bool repeated_epochs = false;
  std::string last_line; // the last that is not blank, cut to a readable length

  bool is_syntax_error() const;
  bool is_invalid_accuracy() const; // there, but outside of 0 to 1
};

std::string_view name_of(Library library);    // "keras", as in the data
std::string_view title_of(Library library);   // "Keras", as in the paper
std::string_view name_of(LogSymptom symptom); // "normal"
std::string_view name_of(LogRule rule);       // "marked_hang"
std::optional<Library> library_named(std::string_view name);

} // namespace faultline::study::injected
