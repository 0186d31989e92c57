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

Draft& Draft::type(FaultType type)
{
  m_detection.finding.type = type.id();
  return *this;
}

Draft& Draft::fix_pattern(FixPattern pattern)
{
  m_detection.finding.fix_pattern = pattern.id();
  return *this;
}

} // namespace faultline::trace
