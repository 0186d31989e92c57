#include "serve/connection.hpp"

#include "base/clock.hpp"
#include "base/format.hpp"
#include "base/text.hpp"

#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <charconv>

namespace faultline::serve {

constexpr std::string_view k_head_end = "\r\n\r\n";

// A client that reads more slowly than this, in bytes per second, only holds a thread.
constexpr double k_slowest = 64.0 * 1024;

// How long, and how many bytes, a client may continue to send after its request was rejected.
constexpr double k_drain_seconds = 2;
constexpr size_t k_drain_bytes = 64UL * 1024 * 1024;

Connection::Connection(int socket,
                       ReadLimits limits,
                       std::function<bool()> stopping,
                       Admission admission)
    : m_socket(socket), m_limits(limits), m_stopping(std::move(stopping)),
      m_admission(std::move(admission))
{
}

Connection::Waited Connection::receive(double deadline)
{
  while (true) {
    const double left = deadline - monotonic_seconds();
    if (left <= 0) {
      return Waited::timeout;
    }
    if (m_stopping()) {
      return Waited::closed;
    }
    pollfd waiting = {m_socket, POLLIN, 0};
    const int ready = poll(&waiting, 1, static_cast<int>(std::min(left, 1.0) * 1000) + 1);
    if (ready < 0 && errno != EINTR) {
      return Waited::closed;
    }
    if (ready <= 0) {
      continue;
    }
    std::array<char, 16384> piece;
    const ssize_t got = recv(m_socket, piece.data(), piece.size(), MSG_DONTWAIT);
    if (got > 0) {
      m_buffer.append(piece.data(), static_cast<size_t>(got));
      return Waited::data;
    }
    if (got == 0 || (errno != EAGAIN && errno != EINTR)) {
      return Waited::closed;
    }
  }
}

std::variant<Incoming, Refused, Closed> Connection::next()
{
  if (m_buffer.empty()) {
    const double patience = m_first ? m_limits.seconds : m_limits.idle_seconds;
    if (receive(monotonic_seconds() + patience) != Waited::data) {
      return Closed{};
    }
  }
  m_first = false;
  // One deadline for the whole request: sending a byte now and then does not extend it.
  const double deadline = monotonic_seconds() + m_limits.seconds;
  const Refused late{408, "the request did not arrive in time"};
  size_t end = 0;
  while ((end = m_buffer.find(k_head_end)) == std::string::npos) {
    const size_t line = m_buffer.find("\r\n");
    if (std::min(line, m_buffer.size()) > m_limits.target + 32) {
      return Refused{414, format("the address is longer than {} bytes", m_limits.target)};
    }
    if (m_buffer.size() > m_limits.head) {
      return Refused{431, format("the headers are longer than {} bytes", m_limits.head)};
    }
    const Waited waited = receive(deadline);
    if (waited != Waited::data) {
      return waited == Waited::timeout ? std::variant<Incoming, Refused, Closed>(late) : Closed{};
    }
  }
  end += k_head_end.size();
  if (end > m_limits.head + k_head_end.size() && m_buffer.find("\r\n") <= m_limits.target + 32) {
    return Refused{431, format("the headers are longer than {} bytes", m_limits.head)};
  }
  size_t length = 0;
  std::variant<Incoming, Refused> read =
      read_head(std::string_view(m_buffer).substr(0, end), m_limits, length);
  if (Refused* refused = std::get_if<Refused>(&read)) {
    return std::move(*refused);
  }
  Incoming& incoming = std::get<Incoming>(read);
  m_buffer.erase(0, end);
  if (std::optional<Refused> refused = m_admission(incoming.request, length)) {
    return *std::move(refused);
  }
  if (length > 0 && incoming.request.header("expect") == "100-continue" &&
      !write("HTTP/1.1 100 Continue\r\n\r\n")) {
    return Closed{};
  }
  while (m_buffer.size() < length) {
    const Waited waited = receive(deadline);
    if (waited != Waited::data) {
      return waited == Waited::timeout ? std::variant<Incoming, Refused, Closed>(late) : Closed{};
    }
  }
  incoming.request.body = m_buffer.substr(0, length);
  m_buffer.erase(0, length);
  return std::move(incoming);
}

bool Connection::write(std::string_view bytes)
{
  const double deadline =
      monotonic_seconds() + m_limits.write_seconds + static_cast<double>(bytes.size()) / k_slowest;
  while (!bytes.empty()) {
    const ssize_t sent = send(m_socket, bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent > 0) {
      bytes.remove_prefix(static_cast<size_t>(sent));
      continue;
    }
    if (sent < 0 && errno != EAGAIN && errno != EINTR) {
      return false;
    }
    const double left = deadline - monotonic_seconds();
    if (left <= 0 || m_stopping()) {
      return false;
    }
    pollfd waiting = {m_socket, POLLOUT, 0};
    poll(&waiting, 1, static_cast<int>(std::min(left, 1.0) * 1000) + 1);
  }
  return true;
}

bool Connection::is_open() const
{
  pollfd waiting = {m_socket, POLLRDHUP, 0};
  return !m_stopping() && poll(&waiting, 1, 0) == 0;
}

void Connection::end()
{
  shutdown(m_socket, SHUT_WR);
  const double deadline = monotonic_seconds() + k_drain_seconds;
  size_t drained = 0;
  while (drained < k_drain_bytes) {
    m_buffer.clear();
    if (receive(deadline) != Waited::data) {
      return;
    }
    drained += m_buffer.size();
  }
}

static std::string lower(std::string_view text)
{
  std::string out(text);
  std::ranges::transform(
      out, out.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return out;
}

static bool is_name(std::string_view text)
{
  return !text.empty() && std::ranges::all_of(text, [](unsigned char c) {
    return std::isalnum(c) != 0 ||
           std::string_view("!#$%&'*+-.^_`|~").find(static_cast<char>(c)) != std::string_view::npos;
  });
}

static bool is_value(std::string_view text)
{
  return std::ranges::all_of(text,
                             [](unsigned char c) { return (c >= 0x20 && c != 0x7f) || c == '\t'; });
}

// Headers that would be ambiguous if they came twice.
static bool is_single(std::string_view name)
{
  return name == "host" || name == "content-length" || name == "transfer-encoding" ||
         name == "origin" || name == "authorization" || name == "content-type";
}

std::variant<Incoming, Refused>
read_head(std::string_view head, const ReadLimits& limits, size_t& length)
{
  const Refused broken{400, "this is not a request that can be read"};
  const size_t line_end = head.find("\r\n");
  const std::vector<std::string_view> line = split(head.substr(0, line_end), ' ');
  if (line.size() != 3 || !is_name(line[0]) || !is_value(line[1])) {
    return broken;
  }
  if (line[2] != "HTTP/1.1" && line[2] != "HTTP/1.0") {
    return line[2].starts_with("HTTP/") ? Refused{505, "this server speaks HTTP/1.1"} : broken;
  }
  if (line[1].size() > limits.target) {
    return Refused{414, format("the address is longer than {} bytes", limits.target)};
  }
  Incoming incoming;
  Request& request = incoming.request;
  request.method = line[0];
  std::string_view rest = head.substr(line_end + 2);
  while (!rest.starts_with("\r\n")) {
    const size_t end = rest.find("\r\n");
    const std::string_view header = rest.substr(0, end);
    rest.remove_prefix(end + 2);
    const size_t colon = header.find(':');
    if (colon == std::string_view::npos || !is_name(header.substr(0, colon)) ||
        !is_value(header.substr(colon + 1))) {
      return broken;
    }
    const std::string name = lower(header.substr(0, colon));
    const std::string value(trim(header.substr(colon + 1)));
    const auto [known, is_new] = request.headers.emplace(name, value);
    if (!is_new) {
      if (is_single(name)) {
        return broken;
      }
      known->second += (name == "cookie" ? "; " : ", ") + value;
    }
  }
  if (const Result<void> read = read_target(line[1], request); !read) {
    return Refused{400, read.error().message};
  }
  static const std::array<std::string_view, 7> k_methods = {
      "GET", "HEAD", "POST", "DELETE", "OPTIONS", "PUT", "PATCH"};
  if (std::ranges::find(k_methods, line[0]) == k_methods.end()) {
    return Refused{501, "this server does not know that method"};
  }
  if (request.headers.contains("transfer-encoding")) {
    return Refused{411, "say how long the body is with Content-Length"};
  }
  if (const std::string packing = lower(request.header("content-encoding"));
      !packing.empty() && packing != "identity") {
    return Refused{415, "send the body as it is, not packed"};
  }
  length = 0;
  if (const auto given = request.headers.find("content-length"); given != request.headers.end()) {
    const std::string& text = given->second;
    const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), length);
    if (error == std::errc::result_out_of_range || length > limits.body) {
      return Refused{413, format("the body is longer than {} bytes", limits.body)};
    }
    if (error != std::errc() || stop != text.data() + text.size()) {
      return broken;
    }
  }
  const std::string connection = lower(request.header("connection"));
  incoming.keep_alive = line[2] == "HTTP/1.1" ? connection.find("close") == std::string::npos
                                              : connection.find("keep-alive") != std::string::npos;
  return incoming;
}

} // namespace faultline::serve
