#pragma once

#include "serve/request.hpp"

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

namespace faultline::serve {

struct ReadLimits {
  size_t target = 8192;      // bytes of the URL in the request line
  size_t head = 32UL * 1024; // of request line and headers
  size_t body = 2UL * 1024 * 1024;
  double seconds = 10;       // for a whole request, from its first byte on
  double idle_seconds = 30;  // between two requests
  double write_seconds = 10; // for an answer, and more for a long one
};

struct Closed {};

// Request line and headers, as parsed by `read_head`.
struct Incoming {
  Request request;
  bool keep_alive = true;
};

// Called when request line and headers have been read, before the `bytes` of the body.
using Admission = std::function<std::optional<Refused>(const Request& request, size_t bytes)>;

// One client's connection, which may be slow, broken or hostile: every wait has a timeout, and
// anything too long is rejected as soon as that is known, before it is held in memory.
class Connection {
public:
  // The socket remains the caller's. `stopping` is asked about once a second.
  Connection(int socket, ReadLimits limits, std::function<bool()> stopping, Admission admission);

  // The next request, whole.
  std::variant<Incoming, Refused, Closed> next();

  // Sends all of it; false if the client reads too slowly or is gone.
  bool write(std::string_view bytes);
  // Whether the client is still connected and the server still running.
  bool is_open() const;
  // Send no more, and let the client read what was sent although it is still sending itself.
  void end();

private:
  enum class Waited { data, closed, timeout };

  // Read what there is, waiting until `deadline` at the latest.
  Waited receive(double deadline);

  int m_socket;
  ReadLimits m_limits;
  std::function<bool()> m_stopping;
  Admission m_admission;
  std::string m_buffer; // received, but not yet part of a request
  bool m_first = true;
};

// Parse request line and headers, including the empty line. `length` is set to that of the body
// that follows.
std::variant<Incoming, Refused>
read_head(std::string_view head, const ReadLimits& limits, size_t& length);

} // namespace faultline::serve
