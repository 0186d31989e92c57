// Programs come from strangers. Whatever the bytes are, they are parsed, understood as far as they
// go and checked by every rule within the limits; findings lie inside the text.

#include "base/result.hpp"
#include "program/record/program.hpp"
#include "rules/reporter.hpp"

#include <cstdint>
#include <string>

using namespace faultline;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
  const std::string text(reinterpret_cast<const char*>(data), size);
  // A second file to import, so that cycles happen: the same text.
  const program::ReadFile read = [&](const std::string& path) -> std::optional<std::string> {
    return path == "other.py" ? std::optional(text) : std::nullopt;
  };
  program::Limits limits;
  limits.steps = 20'000;
  const auto understood = program::analyse("main.py", text, read, limits);
  for (const source::Finding& finding : rules::check(*understood, rules::all_rules())) {
    FL_ASSERT(!finding.message.empty(), "a finding has a message");
    FL_ASSERT(finding.place.line >= 1 && finding.place.column >= 1, "a finding has a place");
  }
  return 0;
}
