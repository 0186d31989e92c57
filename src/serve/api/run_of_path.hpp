#pragma once

#include "base/format.hpp"
#include "base/text.hpp"
#include "serve/parameters.hpp"

#include <charconv>
#include <optional>
#include <string>

namespace faultline::serve {

// The reply about the run that the path names. `find` looks up its number and gives a Result of an
// optional; `show` makes the reply from it. There may be no such run.
template <typename Find, typename Show>
Reply about_run(const Request& request, const Find& find, const Show& show)
{
  if (const Result<void> fine = Parameters(request).finish(); !fine) {
    return error_reply(fine.error());
  }
  const std::string& text = request.captures.at(0);
  long long id = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), id);
  if (error == std::errc() && end == text.data() + text.size()) {
    const auto found = find(id);
    if (!found) {
      return error_reply(found.error());
    }
    if (*found) {
      return show(**found);
    }
  }
  return error_reply(404, format("there is no run `{}`", to_valid_utf8(text.substr(0, 40))));
}

} // namespace faultline::serve
