#pragma once

#include "serve/context.hpp"
#include "serve/front_end.hpp"
#include "serve/guard.hpp"

#include <span>

namespace faultline::serve {

// The answer to a request: guarded, routed, handled and compressed. Never throws. `request.user`
// and `captures` are filled in.
Reply answer(Context& context,
             const FrontEnd& front_end,
             std::span<const Route> table,
             Request& request);

// The reply as it is sent: with its ETag, or 304 if the client has it already; in gzip if the
// client accepts that; with the headers that every answer has. `zipped` is empty afterwards.
Reply packed(Reply reply, const Request& request);

} // namespace faultline::serve
