#include "source/finding.hpp"

namespace faultline::source {

std::string_view name_of(Severity severity)
{
  switch (severity) {
  case Severity::info:
    return "info";
  case Severity::warning:
    return "warning";
  case Severity::error:
    return "error";
  }
  return {};
}

std::string_view name_of(Confidence confidence)
{
  switch (confidence) {
  case Confidence::low:
    return "low";
  case Confidence::medium:
    return "medium";
  case Confidence::high:
    return "high";
  }
  return {};
}

} // namespace faultline::source
