#include "serve/api/handlers.hpp"
#include "serve/parameters.hpp"

namespace faultline::serve {

extern const std::string_view k_pages[]; // openapi.json

Reply get_description(Context& /*context*/, const Request& request)
{
  if (const Result<void> fine = Parameters(request).finish(); !fine) {
    return error_reply(fine.error());
  }
  Reply reply;
  reply.body = k_pages[0];
  return reply;
}

} // namespace faultline::serve
