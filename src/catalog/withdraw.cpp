#include "catalog/withdraw.hpp"

#include "base/format.hpp"
#include "base/json.hpp"
#include "base/text.hpp"

#include <algorithm>

namespace faultline::catalog {

// JSON's escapes are among those of a TOML string.
static std::string quoted(const std::string& text)
{
  return Json(text).dump();
}

static bool is_one_line(const std::string& text)
{
  return !trim(text).empty() && text == to_valid_utf8(text) &&
         std::ranges::none_of(text, [](unsigned char c) { return c < ' ' || c == 127; });
}

Result<void> withdraw(const Fault& fault, const Withdrawn& withdrawn)
{
  if (fault.withdrawn) {
    return Error{ErrorKind::usage,
                 format("{} was withdrawn already, in {} on {}: {}",
                        fault.id,
                        fault.withdrawn->version,
                        fault.withdrawn->date,
                        fault.withdrawn->reason)};
  }
  if (!is_one_line(withdrawn.reason)) {
    return Error{ErrorKind::usage, "--reason must be one line of text that says why"};
  }
  const std::filesystem::path file = fault.folder / "fault.toml";
  FL_TRY(std::string text, read_file(file));
  if (!text.ends_with('\n')) {
    text += '\n';
  }
  text += format("\n[withdrawn]\nversion = {}\ndate    = {}\nreason  = {}\n",
                 quoted(withdrawn.version),
                 quoted(withdrawn.date),
                 quoted(withdrawn.reason));
  return write_file(file, text);
}

} // namespace faultline::catalog
