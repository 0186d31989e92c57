#include "study/injected_logs/log_facts.hpp"

namespace faultline::study::injected {

bool LogFacts::is_syntax_error() const
{
  return exception == "SyntaxError" || exception == "IndentationError";
}

bool LogFacts::is_invalid_accuracy() const
{
  // Written so that NaN is invalid as well.
  return accuracy && !(*accuracy >= 0 && *accuracy <= 1);
}

std::string_view name_of(Library library)
{
  switch (library) {
  case Library::theano:
    return "theano";
  case Library::tensorflow:
    return "tensorflow";
  case Library::keras:
    break;
  }
  return "keras";
}

std::string_view title_of(Library library)
{
  switch (library) {
  case Library::theano:
    return "Theano";
  case Library::tensorflow:
    return "TensorFlow";
  case Library::keras:
    break;
  }
  return "Keras";
}

std::string_view name_of(LogSymptom symptom)
{
  switch (symptom) {
  case LogSymptom::normal:
    return "normal";
  case LogSymptom::crash:
    return "crash";
  case LogSymptom::hang:
    break;
  }
  return "hang";
}

std::string_view name_of(LogRule rule)
{
  switch (rule) {
  case LogRule::marked_hang:
    return "marked_hang";
  case LogRule::final_result_printed:
    return "final_result_printed";
  case LogRule::uncaught_traceback:
    return "uncaught_traceback";
  case LogRule::environment_failure:
    return "environment_failure";
  case LogRule::output_stops:
    break;
  }
  return "output_stops";
}

std::optional<Library> library_named(std::string_view name)
{
  for (const Library library : k_libraries) {
    if (name_of(library) == name) {
      return library;
    }
  }
  return std::nullopt;
}

} // namespace faultline::study::injected
