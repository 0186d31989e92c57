#include "base/bounded_json.hpp"
#include "serve/api/handlers.hpp"
#include "serve/guard.hpp"
#include "serve/parameters.hpp"

namespace faultline::serve {

static Reply session_reply(bool authenticated)
{
  Reply reply = json_reply({{"authenticated", authenticated}});
  reply.cacheable = false;
  reply.headers["Cache-Control"] = "no-store";
  return reply;
}

Reply get_session(Context& /*context*/, const Request& request)
{
  if (const Result<void> fine = Parameters(request).finish(); !fine) {
    return error_reply(fine.error());
  }
  return session_reply(!request.user.empty());
}

Reply open_session(Context& context, const Request& request)
{
  if (const Result<void> fine = Parameters(request).finish(); !fine) {
    return error_reply(fine.error());
  }
  const Result<Json> body = parse_bounded_json(request.body, {4, 16});
  if (!body || !body->is_object() || !body->contains("token") || !(*body)["token"].is_string()) {
    return error_reply(400, "the body must be JSON of the form {\"token\": \"…\"}");
  }
  if (!context.guard->is_token((*body)["token"].get<std::string>())) {
    return error_reply(403, "that is not the token; it is printed when the server starts");
  }
  Reply reply = session_reply(true);
  context.guard->admit(request, reply);
  return reply;
}

Reply close_session(Context& context, const Request& request)
{
  if (const Result<void> fine = Parameters(request).finish(); !fine) {
    return error_reply(fine.error());
  }
  Reply reply = session_reply(false);
  reply.headers["Set-Cookie"] = context.guard->no_cookie();
  return reply;
}

} // namespace faultline::serve
