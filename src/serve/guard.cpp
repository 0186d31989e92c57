#include "serve/guard.hpp"

#include "base/format.hpp"
#include "base/text.hpp"

#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/rand.h>

#include <algorithm>
#include <array>
#include <cctype>

namespace faultline::serve {

constexpr std::string_view k_cookie = "faultline_session";
constexpr std::string_view k_attributes = "; HttpOnly; SameSite=Strict; Path=/";

static std::string hex_of(std::string_view bytes)
{
  std::string text;
  for (const char c : bytes) {
    text += format("{:02x}", static_cast<unsigned char>(c));
  }
  return text;
}

std::string random_hex(size_t bytes)
{
  std::string raw(bytes, '\0');
  const int made =
      RAND_bytes(reinterpret_cast<unsigned char*>(raw.data()), static_cast<int>(raw.size()));
  FL_ASSERT(made == 1, "the system has random numbers");
  return hex_of(raw);
}

// In constant time, so that the time does not reveal how much of it was right.
static bool same(std::string_view a, std::string_view b)
{
  return a.size() == b.size() && CRYPTO_memcmp(a.data(), b.data(), a.size()) == 0;
}

static std::string lower(std::string text)
{
  std::ranges::transform(
      text, text.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

Guard::Guard(GuardConfig config) : m_config(std::move(config)) {}

bool Guard::is_allowed_host(const std::string& host) const
{
  const std::string given = lower(host);
  for (const std::string name : {"127.0.0.1", "localhost", "[::1]"}) {
    if (given == format("{}:{}", name, m_config.port) || (m_config.port == 80 && given == name)) {
      return true;
    }
  }
  // A proxy behind such a name may listen on any port.
  return std::ranges::any_of(m_config.allowed_hosts, [&given](const std::string& allowed) {
    const std::string name = lower(allowed);
    return given == name ||
           (given.starts_with(name + ":") &&
            given.find_first_not_of("0123456789", name.size() + 1) == std::string::npos);
  });
}

std::optional<Refused> Guard::refuse(const Request& request) const
{
  const std::string host = request.header("host");
  if (!is_allowed_host(host)) {
    return Refused{421,
                   "this server does not answer under that name (Host); start it with "
                   "--allow-host NAME if it should"};
  }
  if (request.method == "GET" || request.method == "HEAD") {
    return std::nullopt;
  }
  const auto origin = request.headers.find("origin");
  const bool bearer = origin == request.headers.end() && user_of(request) == "token";
  const bool own =
      origin != request.headers.end() && (lower(origin->second) == "http://" + lower(host) ||
                                          lower(origin->second) == "https://" + lower(host));
  if (!bearer && !own) {
    return Refused{403,
                   "a request that changes something must come from this server's own pages "
                   "(Origin), or carry `Authorization: Bearer TOKEN`"};
  }
  return std::nullopt;
}

bool Guard::is_token(std::string_view given) const
{
  return !m_config.token.empty() && same(given, m_config.token);
}

std::string Guard::mac_of(std::string_view user) const
{
  std::array<unsigned char, EVP_MAX_MD_SIZE> bytes;
  unsigned size = 0;
  HMAC(EVP_sha256(),
       m_config.token.data(),
       static_cast<int>(m_config.token.size()),
       reinterpret_cast<const unsigned char*>(user.data()),
       user.size(),
       bytes.data(),
       &size);
  return hex_of({reinterpret_cast<const char*>(bytes.data()), size});
}

std::string Guard::user_of(const Request& request) const
{
  const std::string authorization = request.header("authorization");
  constexpr std::string_view k_bearer = "Bearer ";
  if (authorization.starts_with(k_bearer) &&
      is_token(std::string_view(authorization).substr(k_bearer.size()))) {
    return "token";
  }
  const std::string cookies = request.header("cookie");
  for (std::string_view pair : split(cookies, ';')) {
    pair = trim(pair);
    if (!pair.starts_with(k_cookie) || !pair.substr(k_cookie.size()).starts_with('=')) {
      continue;
    }
    const std::string_view value = pair.substr(k_cookie.size() + 1);
    const size_t dot = value.find('.');
    if (dot != std::string_view::npos && dot > 0 &&
        same(value.substr(dot + 1), mac_of(value.substr(0, dot)))) {
      return std::string(value.substr(0, dot));
    }
  }
  return "";
}

std::string Guard::new_cookie() const
{
  const std::string user = random_hex(8);
  return format("{}={}.{}{}", k_cookie, user, mac_of(user), k_attributes);
}

void Guard::admit(const Request& request, Reply& reply) const
{
  if (request.user.empty() || request.user == "token") {
    reply.headers["Set-Cookie"] = new_cookie();
  }
}

std::string Guard::no_cookie() const
{
  return format("{}={}; Max-Age=0", k_cookie, k_attributes);
}

void add_security_headers(Reply& reply, std::string_view nonce)
{
  const std::string styles = nonce.empty() ? "'self'" : format("'self' 'nonce-{}'", nonce);
  reply.headers["Content-Security-Policy"] =
      format("default-src 'none'; script-src 'self'; style-src {}; img-src 'self' data:; "
             "font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'self'; "
             "frame-ancestors 'none'",
             styles);
  reply.headers["X-Content-Type-Options"] = "nosniff";
  reply.headers["Referrer-Policy"] = "no-referrer";
  reply.headers["Cross-Origin-Opener-Policy"] = "same-origin";
  reply.headers["Cross-Origin-Resource-Policy"] = "same-origin";
}

} // namespace faultline::serve
