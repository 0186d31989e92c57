#pragma once

#include "serve/request.hpp"

#include <optional>
#include <string>
#include <vector>

namespace faultline::serve {

// `bytes` random bytes as hexadecimal digits.
std::string random_hex(size_t bytes);

struct GuardConfig {
  std::string token; // whoever has it may start runs
  int port = 0;
  std::vector<std::string> allowed_hosts; // besides the names of this machine's own address
};

// Decides whether a request may be answered at all, and to which user it belongs.
class Guard {
public:
  explicit Guard(GuardConfig config);

  // Whether a request must be rejected because of its headers. A page on another site cannot use
  // this server through a visitor's browser: neither under a name of its own (Host), nor by posting
  // (Origin).
  std::optional<Refused> refuse(const Request& request) const;

  // The user: the id in the session's cookie, or "token" for a bearer token.
  std::string user_of(const Request& request) const;

  const std::string& token() const { return m_config.token; }
  bool is_token(std::string_view given) const;
  // The value of Set-Cookie that begins the session of a new user.
  std::string new_cookie() const;
  // Begin a session for whoever sent `request`. A client that has one keeps it, because runs belong
  // to a user.
  void admit(const Request& request, Reply& reply) const;
  // The value of Set-Cookie that ends a session.
  std::string no_cookie() const;

private:
  bool is_allowed_host(const std::string& host) const;
  std::string mac_of(std::string_view user) const;

  GuardConfig m_config;
};

// The headers that every answer has. `nonce` is what the styles of a page carry.
void add_security_headers(Reply& reply, std::string_view nonce = {});

} // namespace faultline::serve
