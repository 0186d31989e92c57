#include "serve/server.hpp"

#include "base/clock.hpp"
#include "base/format.hpp"
#include "serve/task_queue.hpp"

#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include <atomic>
#include <chrono>
#include <cstring>
#include <map>
#include <mutex>
#include <thread>

namespace faultline::serve {

// A silent stream sends a comment now and then, so that no proxy closes it.
constexpr double k_heartbeat_seconds = 15;
constexpr int k_backlog = 1024;
constexpr size_t k_requests_per_connection = 1'000'000;

static std::string address_of(int socket)
{
  sockaddr_storage storage = {};
  socklen_t size = sizeof(storage);
  if (getpeername(socket, reinterpret_cast<sockaddr*>(&storage), &size) != 0) {
    return "";
  }
  std::string text(INET6_ADDRSTRLEN, '\0');
  const void* address =
      storage.ss_family == AF_INET6
          ? static_cast<const void*>(&reinterpret_cast<sockaddr_in6*>(&storage)->sin6_addr)
          : static_cast<const void*>(&reinterpret_cast<sockaddr_in*>(&storage)->sin_addr);
  inet_ntop(storage.ss_family, address, text.data(), static_cast<socklen_t>(text.size()));
  return text.c_str();
}

namespace {

// How many connections there are, in all and of each address.
class Census {
public:
  Census(size_t most, size_t most_of_one) : m_most(most), m_most_of_one(most_of_one) {}

  bool enter(const std::string& address)
  {
    const std::lock_guard lock(m_mutex);
    ++m_all;
    return ++m_of[address] <= m_most_of_one && m_all <= m_most;
  }

  void leave(const std::string& address)
  {
    const std::lock_guard lock(m_mutex);
    --m_all;
    if (--m_of[address] == 0) {
      m_of.erase(address);
    }
  }

private:
  const size_t m_most;
  const size_t m_most_of_one;
  std::mutex m_mutex;
  size_t m_all = 0;
  std::map<std::string, size_t> m_of;
};

// How many bytes of bodies are held for all connections together: each is bounded, their sum must
// be too.
class BodyBudget {
public:
  bool take(size_t bytes)
  {
    if (m_held.fetch_add(bytes) + bytes <= k_most_held) {
      return true;
    }
    m_held -= bytes;
    return false;
  }

  void give_back(size_t bytes) { m_held -= bytes; }

private:
  static constexpr size_t k_most_held = 32UL * 1024 * 1024;
  std::atomic<size_t> m_held = 0;
};

// What httplib reads and writes. It reads a request line that says no more than the method: the
// request itself was read, within its limits, before httplib comes in, and is handed to the
// handler.
class AnswerStream : public httplib::Stream {
public:
  AnswerStream(Connection& connection, const Incoming& incoming, int socket)
      : m_connection(connection), m_socket(socket)
  {
    m_text = incoming.request.method + " / HTTP/1.1\r\n" +
             (incoming.keep_alive ? "\r\n" : "Connection: close\r\n\r\n");
  }

  bool is_readable() const override { return m_at < m_text.size(); }
  bool is_writable() const override { return m_connection.is_open(); }

  ssize_t read(char* bytes, size_t size) override
  {
    const size_t count = std::min(size, m_text.size() - m_at);
    std::memcpy(bytes, m_text.data() + m_at, count);
    m_at += count;
    return static_cast<ssize_t>(count);
  }

  ssize_t write(const char* bytes, size_t size) override
  {
    return m_connection.write({bytes, size}) ? static_cast<ssize_t>(size) : -1;
  }

  void get_remote_ip_and_port(std::string& /*ip*/, int& port) const override { port = 0; }
  void get_local_ip_and_port(std::string& /*ip*/, int& port) const override { port = 0; }
  socket_t socket() const override { return m_socket; }

private:
  Connection& m_connection;
  int m_socket;
  std::string m_text;
  size_t m_at = 0;
};

} // namespace

static std::string print_event(const Event& event)
{
  std::string text;
  if (!event.id.empty()) {
    text += "id: " + event.id + "\n";
  }
  if (!event.name.empty()) {
    text += "event: " + event.name + "\n";
  }
  return text + "data: " + print_json_line(event.data) + "\n"; // JSON text has no line feed inside
}

// Sends what the source gives until it ends or the client is gone.
static bool stream_events(const EventSource& source, httplib::DataSink& sink)
{
  double last = monotonic_seconds();
  // The first bytes tell the client that the stream is open.
  if (!sink.write("retry: 2000\n\n", 13)) {
    return false;
  }
  while (sink.is_writable()) {
    const EventBatch batch = source(1.0);
    std::string text;
    for (const Event& event : batch.events) {
      text += print_event(event);
    }
    if (text.empty() && monotonic_seconds() - last >= k_heartbeat_seconds) {
      text = ": still here\n\n";
    }
    if (!text.empty()) {
      last = monotonic_seconds();
      if (!sink.write(text.data(), text.size())) {
        return false;
      }
    }
    if (batch.end) {
      sink.done();
      return true;
    }
  }
  return false;
}

static bool stream_pieces(const PieceSource& source, httplib::DataSink& sink)
{
  const Result<std::string> piece = source();
  if (!piece) {
    return false;
  }
  if (piece->empty()) {
    sink.done();
    return true;
  }
  return sink.write(piece->data(), piece->size());
}

// An answer that bypasses httplib.
static std::string print_refusal(const Refused& refused, const Request& request)
{
  const Reply reply = packed(error_reply(refused.status, refused.message), request);
  std::string text = format("HTTP/1.1 {} {}\r\n", reply.status, reason_of(reply.status));
  for (const auto& [name, value] : reply.headers) {
    text += name + ": " + value + "\r\n";
  }
  return text + format("Content-Type: {}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{}",
                       reply.type,
                       reply.body.size(),
                       reply.body);
}

class Server::Listener : public httplib::Server {
public:
  Listener(Context& context,
           const FrontEnd& front_end,
           std::span<const Route> table,
           const ServerConfig& config)
      : m_context(context), m_front_end(front_end), m_table(table), m_config(config),
        m_census(config.connections, config.per_address)
  {
    new_task_queue = [this] { return new TaskQueue(m_config.connections); };
    set_keep_alive_max_count(k_requests_per_connection);
    set_keep_alive_timeout(static_cast<time_t>(config.limits.idle_seconds));
    // httplib would share the port with another server of the same user, and each would get some of
    // the requests.
    set_socket_options([](socket_t socket) {
      const int yes = 1;
      setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof(yes));
    });
    set_pre_routing_handler([this](const httplib::Request&, httplib::Response& response) {
      fill(response);
      return HandlerResponse::Handled;
    });
  }

  // httplib was built with a queue of five.
  void widen_backlog() { ::listen(svr_sock_, k_backlog); }

private:
  bool stopping() const { return svr_sock_ == INVALID_SOCKET; }

  bool process_and_close_socket(socket_t socket) override
  {
    const int yes = 1;
    setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof(yes));
    const std::string address = address_of(socket);
    const bool admitted = m_census.enter(address) && !TaskQueue::is_overflow();
    size_t held = 0; // bytes of the body that this connection has asked for
    Connection connection(
        socket,
        m_config.limits,
        [this] { return stopping(); },
        [this, &held](const Request& request, size_t bytes) -> std::optional<Refused> {
          if (std::optional<Refused> refused = m_context.guard->refuse(request)) {
            return refused;
          }
          if (!m_bodies.take(bytes)) {
            return Refused{503, "too much is being sent at once; try again in a moment"};
          }
          held = bytes;
          return std::nullopt;
        });
    if (admitted) {
      // Catches what is outside a single request: reading it, and streams that continue after it.
      try {
        converse(connection, socket, held);
      } catch (const std::exception&) {
        t_request = nullptr;
      }
      m_bodies.give_back(held);
    } else {
      connection.write(
          print_refusal({503, "too many connections; try again in a moment"}, Request()));
    }
    m_census.leave(address);
    shutdown(socket, SHUT_RDWR);
    close(socket);
    return admitted;
  }

  void converse(Connection& connection, int socket, size_t& held)
  {
    while (true) {
      std::variant<Incoming, Refused, Closed> next = connection.next();
      if (const Refused* refused = std::get_if<Refused>(&next)) {
        if (connection.write(print_refusal(*refused, Request()))) {
          connection.end();
        }
        return;
      }
      if (std::holds_alternative<Closed>(next)) {
        return;
      }
      Incoming& incoming = std::get<Incoming>(next);
      AnswerStream stream(connection, incoming, socket);
      t_request = &incoming.request;
      bool closed = false;
      const bool answered = process_request(stream, !incoming.keep_alive, closed, nullptr);
      t_request = nullptr;
      m_bodies.give_back(std::exchange(held, 0));
      if (!answered || closed || !incoming.keep_alive) {
        return;
      }
    }
  }

  void fill(httplib::Response& response)
  {
    Reply reply = answer(m_context, m_front_end, m_table, *t_request);
    response.status = reply.status;
    for (const auto& [name, value] : reply.headers) {
      response.set_header(name, value);
    }
    if (reply.events) {
      response.set_chunked_content_provider(
          "text/event-stream", [source = std::move(reply.events)](size_t, httplib::DataSink& sink) {
            return stream_events(source, sink);
          });
    } else if (reply.pieces) {
      response.set_chunked_content_provider(
          reply.type, [source = std::move(reply.pieces)](size_t, httplib::DataSink& sink) {
            return stream_pieces(source, sink);
          });
    } else {
      response.set_header("Content-Type", reply.type);
      response.body = std::move(reply.body);
    }
  }

  // The request that this thread is answering.
  static thread_local Request* t_request;

  Context& m_context;
  const FrontEnd& m_front_end;
  const std::span<const Route> m_table;
  const ServerConfig m_config;
  Census m_census;
  BodyBudget m_bodies;
};

thread_local Request* Server::Listener::t_request = nullptr;

Server::Server(Context& context,
               const FrontEnd& front_end,
               std::span<const Route> table,
               ServerConfig config)
    : m_config(std::move(config)),
      m_listener(std::make_unique<Listener>(context, front_end, table, m_config))
{
}

Server::~Server() = default;

Result<int> Server::bind()
{
  const bool any = m_config.port == 0;
  const int port =
      any ? m_listener->bind_to_any_port(m_config.host)
          : (m_listener->bind_to_port(m_config.host, m_config.port) ? m_config.port : -1);
  if (port <= 0) {
    return Error{
        ErrorKind::machine,
        format("cannot listen on {}:{}: {}", m_config.host, m_config.port, std::strerror(errno))};
  }
  m_listener->widen_backlog();
  return port;
}

void Server::run()
{
  m_listener->listen_after_bind();
}

void Server::stop()
{
  // httplib does not stop a server that is still starting.
  for (int i = 0; i < 1000 && !m_listener->is_running(); ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  m_listener->stop();
}

} // namespace faultline::serve
