#pragma once

#include "serve/context.hpp"

#include <span>
#include <string>

namespace faultline::serve {

// Every endpoint, one row each; of two rows that fit, the first counts.
std::span<const Route> routes();

// The row for the request's method and path, with `captures` filled in. Otherwise why there is
// none: no such path (404), or not with this method (405, with `allow` saying which).
struct Match {
  const Route* route = nullptr;
  std::string allow; // methods that the path has, "GET, HEAD"; empty if there is no such path
};
Match match(std::span<const Route> table, Request& request);

} // namespace faultline::serve
