#include "trace/reader.hpp"

#include "base/bounded_json.hpp"
#include "trace/events.hpp"
#include "trace/packed.hpp"

namespace faultline::trace {

namespace {

constexpr std::string_view k_magic = "FLTRACE1";
// Events nest four levels deep, and a record of 1 MiB has no more values than this.
constexpr JsonLimits k_limits{.depth = 16, .values = 1 << 19};

Error not_a_trace(std::string why)
{
  return {ErrorKind::bad_data, "not a trace: " + std::move(why)};
}

} // namespace

Result<std::vector<Event>> Reader::feed(std::string_view bytes)
{
  m_buffer += bytes;
  std::vector<Event> events;
  FL_CHECK(find_form());
  size_t used = 0;
  if (m_form == Form::text) {
    used = read_lines(m_buffer, events);
  } else if (m_form == Form::binary) {
    Result<size_t> read = read_frames(m_buffer, events);
    if (!read) {
      m_form = Form::broken;
      m_buffer.clear();
      return std::move(read).error();
    }
    used = *read;
  }
  m_buffer.erase(0, used);
  return events;
}

std::vector<Event> Reader::finish()
{
  std::vector<Event> events;
  if (m_form == Form::text && !m_in_long_line) {
    read_line(m_buffer, events);
  } else if (!m_buffer.empty()) {
    ++m_skipped;
  }
  m_buffer.clear();
  return events;
}

Result<void> Reader::find_form()
{
  if (m_form == Form::broken) {
    m_buffer.clear();
    return not_a_trace("an earlier part of it could not be read");
  }
  if (m_form != Form::unknown || m_buffer.empty()) {
    return {};
  }
  if (m_buffer.starts_with(k_magic)) {
    m_form = Form::binary;
    m_buffer.erase(0, k_magic.size());
  } else if (m_buffer.find_first_not_of(" \t\r\n") == std::string::npos) {
    m_buffer.clear();
  } else if (m_buffer[m_buffer.find_first_not_of(" \t\r\n")] == '{') {
    m_form = Form::text;
  } else if (!k_magic.starts_with(m_buffer)) {
    m_form = Form::broken;
    m_buffer.clear();
    return not_a_trace("it starts with neither `FLTRACE1` nor a JSON object");
  }
  return {};
}

size_t Reader::read_lines(std::string_view rest, std::vector<Event>& events)
{
  size_t begin = 0;
  for (size_t end = 0; (end = rest.find('\n', begin)) != std::string_view::npos; begin = end + 1) {
    if (m_in_long_line) {
      m_in_long_line = false;
    } else {
      read_line(rest.substr(begin, end - begin), events);
    }
  }
  // An overlong line is dropped, and the rest of it is skipped.
  if (rest.size() - begin > k_longest_record) {
    m_skipped += m_in_long_line ? 0 : 1;
    m_in_long_line = true;
    begin = rest.size();
  }
  return begin;
}

Result<size_t> Reader::read_frames(std::string_view rest, std::vector<Event>& events)
{
  size_t begin = 0;
  while (rest.size() - begin >= sizeof(uint32_t)) {
    // Another run begins: a script has started a second program. No length looks like this.
    const std::string_view next = rest.substr(begin, k_magic.size());
    if (next == k_magic) {
      begin += k_magic.size();
      continue;
    }
    if (k_magic.starts_with(next)) {
      break; // the rest has not arrived yet
    }
    const auto length = first_number<uint32_t>(next);
    if (length > k_longest_record) {
      return not_a_trace(std::to_string(length) + " bytes are too many for a frame");
    }
    if (rest.size() - begin - sizeof length < length) {
      break;
    }
    read_frame(rest.substr(begin + sizeof length, length), events);
    begin += sizeof length + length;
  }
  return begin;
}

void Reader::read_json(std::string_view text, std::vector<Event>& events)
{
  if (text.size() <= k_longest_record) {
    const Result<Json> json = parse_bounded_json(text, k_limits);
    if (std::optional<Event> event = json ? event_of(*json) : std::nullopt) {
      events.push_back(*std::move(event));
      return;
    }
  }
  ++m_skipped;
}

void Reader::read_line(std::string_view line, std::vector<Event>& events)
{
  if (line.find_first_not_of(" \t\r") != std::string_view::npos) {
    read_json(line, events);
  }
}

void Reader::read_frame(std::string_view frame, std::vector<Event>& events)
{
  const char kind = frame.empty() ? '\0' : frame.front();
  const std::string_view content = frame.empty() ? frame : frame.substr(1);
  if (kind == 'J') {
    read_json(content, events);
  } else if (std::optional<Event> event = packed_event(kind, content)) {
    events.push_back(*std::move(event));
  } else {
    ++m_skipped;
  }
}

} // namespace faultline::trace
