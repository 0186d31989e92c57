#pragma once

#include "serve/answer.hpp"
#include "serve/connection.hpp"

#include <memory>
#include <span>
#include <string>

namespace faultline::serve {

struct ServerConfig {
  std::string host = "127.0.0.1";
  int port = 8600; // 0 takes a free one
  size_t connections = 1024;
  size_t per_address = 600; // of them
  ReadLimits limits;
};

// Listens, and answers every request by `answer`. A connection has a thread of its own.
class Server {
public:
  // `context`, `front_end` and `table` must outlive the server.
  Server(Context& context,
         const FrontEnd& front_end,
         std::span<const Route> table,
         ServerConfig config);
  ~Server();

  // Bind the port; returns its number. `context.guard` is first used by `run`.
  Result<int> bind();
  // Answers until `stop`.
  void run();
  // From any thread: requests in progress are answered, streams are cut.
  void stop();

private:
  class Listener;

  ServerConfig m_config;
  std::unique_ptr<Listener> m_listener;
};

} // namespace faultline::serve
