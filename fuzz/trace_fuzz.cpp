// Any bytes as the stream of a probe, in pieces: reading and looking for symptoms never crashes,
// the reader keeps no more than a record, and pieces give what the whole gives.

#include "trace/reader.hpp"
#include "trace/symptom.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>

using namespace faultline;
using namespace faultline::trace;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  Reader whole;
  Result<std::vector<Event>> events = whole.feed(bytes);

  Reader parts;
  size_t count = 0;
  bool broken = false;
  const size_t piece = 1 + (size > 0 ? data[size - 1] : 0);
  for (size_t at = 0; at < size && !broken; at += piece) {
    const Result<std::vector<Event>> more = parts.feed(bytes.substr(at, piece));
    broken = !more;
    count += more ? more->size() : 0;
    FL_ASSERT(parts.pending() <= k_longest_record + piece + sizeof(uint32_t),
              "buffers are bounded");
  }
  FL_ASSERT(broken == !events, "pieces are as good as the whole");
  if (!events) {
    return 0;
  }
  FL_ASSERT(count == events->size() && parts.skipped() == whole.skipped(), "nothing is lost");

  Analyser analyser;
  for (Event& event : *events) {
    for (const Detection& detection : analyser.add(std::move(event))) {
      FL_ASSERT(!detection.finding.message.empty(), "a detection says something");
    }
  }
  for (const Detection& detection : analyser.finish()) {
    FL_ASSERT(!detection.finding.type.empty(), "a detection has a cause");
  }
  return 0;
}
