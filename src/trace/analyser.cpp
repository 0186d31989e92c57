#include "trace/symptom.hpp"

#include <algorithm>

namespace faultline::trace {

Analyser::Analyser(std::span<const Symptom* const> symptoms)
    : m_symptoms(symptoms.begin(), symptoms.end()), m_reporter(m_trace)
{
}

// A symptom reads the whole trace, so running it at every check of a long run would cost the square
// of its length. So the interval between such checks grows with the run, to a twentieth of it.
bool Analyser::is_time_to_look(const Event& event)
{
  if (std::holds_alternative<Check>(event)) {
    ++m_checks;
    if (m_checks < m_next_look) {
      return false;
    }
    m_next_look = m_checks + std::max<size_t>(1, m_checks / 20);
    return true;
  }
  if (std::holds_alternative<NonFinite>(event)) {
    return m_trace.non_finites().empty();
  }
  return (std::holds_alternative<Crash>(event) && !m_trace.crash()) ||
         (std::holds_alternative<End>(event) && !m_trace.ended());
}

std::vector<Detection> Analyser::add(Event event)
{
  const bool look_now = is_time_to_look(event);
  m_trace.add(std::move(event));
  return look_now ? look() : std::vector<Detection>();
}

std::vector<Detection> Analyser::finish()
{
  if (!m_trace.ended()) {
    const auto& steps = m_trace.steps();
    m_trace.add(End{-1, steps.empty() ? 0 : steps.back().step + 1});
  }
  return look();
}

std::vector<Detection> Analyser::look()
{
  for (const Symptom* symptom : m_symptoms) {
    m_reporter.run(*symptom);
  }
  return m_reporter.take();
}

} // namespace faultline::trace
