#include "stream.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>

namespace faultline_watch {

constexpr size_t k_flush_bytes = 1 << 15;
constexpr auto k_flush_time = std::chrono::milliseconds(50);
constexpr size_t k_longest_frame = 1 << 20;
// A descriptor that programs which close or replace low ones do not meet.
constexpr int k_out_of_reach = 200;

void Stream::open(int descriptor)
{
  const int high = fcntl(descriptor, F_DUPFD_CLOEXEC, k_out_of_reach);
  if (high >= 0) {
    close(descriptor);
  }
  m_descriptor = high >= 0 ? high : descriptor;
  m_buffer = "FLTRACE1";
}

void Stream::forget()
{
  m_buffer.clear();
  m_descriptor = -1;
}

template <typename T> void Stream::put(T value)
{
  m_buffer.append(reinterpret_cast<const char*>(&value), sizeof value);
}

void Stream::frame(char kind, size_t bytes)
{
  put(static_cast<uint32_t>(bytes + 1));
  m_buffer += kind;
}

void Stream::event(std::string_view kind, const Object& content)
{
  std::string text = content.done();
  text.replace(0, 1, "{\"event\":" + json_text(kind) + (text.size() > 2 ? "," : ""));
  if (text.size() < k_longest_frame) {
    frame('J', text.size());
    m_buffer += text;
  }
}

void Stream::step(uint32_t step, double loss, double rate, double accuracy, uint32_t samples)
{
  const auto now = std::chrono::steady_clock::now();
  frame('S', 36);
  put(step);
  put(uint32_t{0}); // nothing tells where an epoch begins
  put(loss);
  put(rate);
  put(static_cast<float>(accuracy));
  put(std::chrono::duration<float>(now - m_began).count());
  put(samples);
  if (m_buffer.size() > k_flush_bytes || now - m_flushed > k_flush_time) {
    flush();
  }
}

void Stream::tensor(uint32_t step, int layer, Role role, uint8_t slot, const Statistics& statistics)
{
  frame('T', 72);
  put(step);
  put(static_cast<uint32_t>(layer));
  put(static_cast<uint8_t>(role));
  put(slot);
  put(uint16_t{0});
  put(statistics.count);
  put(statistics.nan);
  put(statistics.inf);
  for (const double number : {statistics.zeros,
                              statistics.mean,
                              statistics.std,
                              statistics.min,
                              statistics.max,
                              statistics.norm}) {
    put(static_cast<float>(number));
  }
  put(statistics.units);
  put(statistics.dead);
  put(static_cast<float>(statistics.saturated));
}

void Stream::flush()
{
  m_flushed = std::chrono::steady_clock::now();
  const int kept_errno = errno;
  for (size_t sent = 0; m_descriptor >= 0 && sent < m_buffer.size();) {
    const ssize_t size = write(m_descriptor, m_buffer.data() + sent, m_buffer.size() - sent);
    if (size > 0) {
      sent += static_cast<size_t>(size);
    } else if (errno != EINTR) {
      m_descriptor = -1; // nobody reads any more
    }
  }
  m_buffer.clear();
  errno = kept_errno;
}

} // namespace faultline_watch
