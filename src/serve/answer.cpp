#include "serve/answer.hpp"

#include "base/digest.hpp"
#include "base/gzip.hpp"
#include "base/text.hpp"
#include "serve/routes.hpp"

#include <algorithm>
#include <exception>

namespace faultline::serve {

// Shorter answers fit into a packet or two uncompressed.
constexpr size_t k_shortest_zipped = 1024;
constexpr int k_quick_level = 2;
constexpr size_t k_longest_unzipped = 64UL * 1024 * 1024;

// `/?token=T`: the URL that is printed at the start. A browser with a wrong token, such as that of
// an earlier start, gets the page, which says so and asks for the right one.
static Reply enter(const Context& context, const FrontEnd& front_end, const Request& request)
{
  if (!context.guard->is_token(request.parameter("token"))) {
    if (request.header("accept").find("text/html") != std::string::npos && front_end.is_built()) {
      Reply reply = front_end.answer("/");
      reply.status = 403;
      return reply;
    }
    return error_reply(403, "that is not the token; it is printed when the server starts");
  }
  Reply reply;
  reply.status = 303;
  reply.type = "text/plain; charset=utf-8";
  reply.cacheable = false;
  reply.headers["Location"] = "/";
  context.guard->admit(request, reply);
  return reply;
}

static Reply answer_method(const Match& found)
{
  Reply reply;
  reply.status = 204;
  reply.type = "text/plain; charset=utf-8";
  reply.headers["Allow"] = found.allow;
  return reply;
}

static Reply dispatch(Context& context,
                      const FrontEnd& front_end,
                      std::span<const Route> table,
                      Request& request)
{
  request.user = context.guard->user_of(request);
  const bool reads = request.method == "GET" || request.method == "HEAD";
  if (request.segments.front() != "api") {
    if (!reads) {
      Reply reply = error_reply(405, "pages can only be read");
      reply.headers["Allow"] = "GET, HEAD";
      return reply;
    }
    return request.path == "/" && request.query.contains("token")
               ? enter(context, front_end, request)
               : front_end.answer(request.path);
  }
  const Match found = match(table, request);
  if (found.route == nullptr) {
    if (found.allow.empty()) {
      return error_reply(404, "there is nothing at this address; see /api/v1/openapi.json");
    }
    if (request.method == "OPTIONS") {
      return answer_method(found);
    }
    Reply reply = error_reply(405, "this address has other methods: " + found.allow);
    reply.headers["Allow"] = found.allow;
    return reply;
  }
  if (found.route->access == Access::token && request.user.empty()) {
    Reply reply = error_reply(
        401, "this needs the token: open the address that the server printed when it started");
    reply.headers["WWW-Authenticate"] = "Bearer";
    return reply;
  }
  return found.route->handler(context, request);
}

Reply answer(Context& context,
             const FrontEnd& front_end,
             std::span<const Route> table,
             Request& request)
{
  // An exception costs only this answer.
  try {
    return packed(dispatch(context, front_end, table, request), request);
  } catch (const std::exception& error) {
    return packed(error_reply(500, std::string("internal error: ") + error.what()), request);
  }
}

// Whether a list such as `gzip, br;q=0.5` has `gzip` and does not rule it out.
static bool accepts_gzip(const Request& request)
{
  const std::string header = request.header("accept-encoding");
  return std::ranges::any_of(split(header, ','), [](std::string_view item) {
    const size_t end = std::min(item.find(';'), item.size());
    const std::string_view name = trim(item.substr(0, end));
    const std::string_view weight = end < item.size() ? trim(item.substr(end + 1)) : "";
    return (name == "gzip" || name == "*") && weight != "q=0" && weight != "q=0.0" &&
           weight != "q=0.00" && weight != "q=0.000";
  });
}

static bool is_text(std::string_view type)
{
  return type.starts_with("text/") || type.starts_with("application/json") ||
         type.starts_with("image/svg") || type.starts_with("application/manifest");
}

static bool knows(const Request& request, std::string_view tag)
{
  const auto plain = [](std::string_view text) {
    text = trim(text);
    return text.starts_with("W/") ? text.substr(2) : text;
  };
  const std::string header = request.header("if-none-match");
  return std::ranges::any_of(split(header, ','), [&](std::string_view item) {
    return trim(item) == "*" || (!item.empty() && plain(item) == plain(tag));
  });
}

Reply packed(Reply reply, const Request& request)
{
  if (!reply.headers.contains("Content-Security-Policy")) {
    add_security_headers(reply);
  }
  reply.headers.emplace("Cache-Control", reply.events ? "no-store" : "no-cache");
  if (reply.events || reply.pieces) {
    return reply;
  }
  const bool reads = request.method == "GET" || request.method == "HEAD";
  if (reply.status == 200 && reads && reply.cacheable) {
    const std::string& content = reply.zipped.empty() ? reply.body : reply.zipped;
    // A weak ETag: it identifies the content, compressed or not.
    const auto [tag, is_new] = reply.headers.emplace("ETag", "");
    if (is_new) {
      tag->second = "W/\"" + Digest().add(content).hex().substr(0, 32) + "\"";
    }
    if (knows(request, tag->second)) {
      reply.status = 304;
      reply.body.clear();
      reply.zipped.clear();
      return reply;
    }
  }
  const bool zip = accepts_gzip(request);
  if (!reply.zipped.empty()) {
    reply.headers["Vary"] = "Accept-Encoding";
    if (zip) {
      reply.body = std::move(reply.zipped);
      reply.headers["Content-Encoding"] = "gzip";
    } else if (Result<std::string> text = gunzip(reply.zipped, k_longest_unzipped)) {
      reply.body = *std::move(text);
    } else {
      return packed(error_reply(500, "what is kept of this " + text.error().line()), request);
    }
    reply.zipped.clear();
  } else if (reply.body.size() >= k_shortest_zipped && is_text(reply.type)) {
    reply.headers["Vary"] = "Accept-Encoding";
    if (zip) {
      reply.body = gzip(reply.body, k_quick_level);
      reply.headers["Content-Encoding"] = "gzip";
    }
  }
  return reply;
}

} // namespace faultline::serve
