#include "rules/reporter.hpp"

namespace faultline::rules {

Draft& Draft::label(std::string text)
{
  m_label = std::move(text);
  return *this;
}

Draft& Draft::note(Span span, std::string text)
{
  m_notes.push_back({span, true, std::move(text)});
  return *this;
}

Draft& Draft::note(std::string text)
{
  m_notes.push_back({{}, false, std::move(text)});
  return *this;
}

Draft& Draft::help(std::string text)
{
  m_help = std::move(text);
  return *this;
}

Draft& Draft::severity(Severity severity)
{
  m_severity = severity;
  return *this;
}

Draft& Draft::type(FaultType type)
{
  m_type = type.id();
  return *this;
}

Draft& Draft::cause(const void* cause)
{
  m_cause = cause;
  return *this;
}

Draft& Draft::replace(Span span, std::string text)
{
  m_changes.push_back({span, std::move(text)});
  return *this;
}

Draft& Draft::insert(Span before, std::string text)
{
  before.end = before.begin;
  return replace(before, std::move(text));
}

Draft& Draft::safe(std::string description)
{
  m_safe = true;
  m_fix = std::move(description);
  return *this;
}

Draft& Draft::unsafe(std::string description)
{
  m_safe = false;
  m_fix = std::move(description);
  return *this;
}

} // namespace faultline::rules
