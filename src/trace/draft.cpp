#include "trace/symptom.hpp"

namespace faultline::trace {

Draft& Draft::evidence(std::string text)
{
  m_detection.finding.notes.push_back({std::move(text)});
  return *this;
}

Draft& Draft::help(std::string text)
{
  m_detection.finding.help = std::move(text);
  return *this;
}

Draft& Draft::severity(Severity severity)
{
  m_detection.finding.severity = severity;
  return *this;
}

Draft& Draft::leaf(std::string_view code)
{
  m_leaf = code;
  return *this;
}

Draft& Draft::fix(std::string_view code)
{
  m_fix = code;
  return *this;
}

} // namespace faultline::trace
