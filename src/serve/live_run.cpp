#include "serve/live_run.hpp"

#include <algorithm>
#include <chrono>

namespace faultline::serve {

void LiveRun::print(std::string_view text)
{
  constexpr std::string_view k_cut = "\n[the rest is left out]\n";
  {
    const std::lock_guard lock(m_mutex);
    const size_t room = k_most_log - std::min(m_log.size(), k_most_log);
    m_log.append(text.substr(0, room));
    if (text.size() > room && !m_cut) {
      m_log.append(k_cut);
      m_cut = true;
    }
    m_record.log_bytes = m_log.size();
  }
  m_changed.notify_all();
}

void LiveRun::set(const RunRecord& record)
{
  {
    const std::lock_guard lock(m_mutex);
    m_record = record;
    m_record.log_bytes = m_log.size();
    ++m_changes;
  }
  m_changed.notify_all();
}

RunRecord LiveRun::record() const
{
  const std::lock_guard lock(m_mutex);
  return m_record;
}

std::string LiveRun::log() const
{
  const std::lock_guard lock(m_mutex);
  return m_log;
}

LiveRun::Version LiveRun::wait(const Version& seen, double seconds) const
{
  std::unique_lock lock(m_mutex);
  m_changed.wait_for(lock, std::chrono::duration<double>(seconds), [&] {
    return m_changes != seen.changes || m_log.size() != seen.log_bytes;
  });
  return {m_changes, m_log.size()};
}

std::string LiveRun::read_log(size_t offset, size_t most) const
{
  const std::lock_guard lock(m_mutex);
  return offset < m_log.size() ? m_log.substr(offset, most) : std::string();
}

} // namespace faultline::serve
