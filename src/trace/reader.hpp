#pragma once

#include "base/result.hpp"
#include "trace/event.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace faultline::trace {

// Decodes the stream of a probe as its bytes come, in either form. The stream is not trusted: a
// malformed record is skipped and counted; only a stream that is not a trace at all is an error.
// Several runs may follow each other, each with a `start`.
class Reader {
public:
  // The events that `bytes` complete.
  Result<std::vector<Event>> feed(std::string_view bytes);
  // No more bytes will come: a last line needs no line feed.
  std::vector<Event> finish();

  size_t skipped() const { return m_skipped; }
  // Bytes of a record that is not complete.
  size_t pending() const { return m_buffer.size(); }

private:
  enum class Form { unknown, text, binary, broken };

  Result<void> find_form();
  // Return how many bytes of `rest` were used: whole records only.
  size_t read_lines(std::string_view rest, std::vector<Event>& events);
  Result<size_t> read_frames(std::string_view rest, std::vector<Event>& events);
  void read_json(std::string_view text, std::vector<Event>& events);
  void read_line(std::string_view line, std::vector<Event>& events);
  void read_frame(std::string_view frame, std::vector<Event>& events);

  Form m_form = Form::unknown;
  std::string m_buffer;
  size_t m_skipped = 0;
  bool m_in_long_line = false; // the rest of a line that is too long is still to come
};

// Longer records are rejected, in either form.
inline constexpr size_t k_longest_record = 1 << 20;

} // namespace faultline::trace
