// Logs come from strangers. Whatever the bytes are, and in whatever pieces they arrive: reading
// ends, says the same, and what it says is consistent.

#include "base/result.hpp"
#include "base/text.hpp"
#include "study/injected_logs/log_reader.hpp"

#include <algorithm>
#include <cstdint>

using namespace faultline;
using namespace faultline::study::injected;

static LogFacts read(Library library, std::string_view text, size_t piece)
{
  const std::unique_ptr<LogReader> reader = log_reader(library);
  for (size_t at = 0; at < text.size(); at += piece) {
    reader->feed(text.substr(at, piece));
  }
  return reader->finish();
}

// The first byte is the size of a piece, the rest is the log.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
  if (size == 0) {
    return 0;
  }
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  const size_t piece = std::max<size_t>(data[0], 1);
  for (const Library library : k_libraries) {
    const LogFacts whole = read(library, text, std::max<size_t>(text.size(), 1));
    const LogFacts pieces = read(library, text, piece);
    FL_ASSERT(whole.symptom == pieces.symptom && whole.rule == pieces.rule &&
                  whole.exception == pieces.exception && whole.last_line == pieces.last_line &&
                  whole.epochs_or_steps == pieces.epochs_or_steps,
              "pieces of any size say the same");
    FL_ASSERT((whole.symptom == LogSymptom::normal) ==
                  (whole.rule == LogRule::final_result_printed),
              "a normal run printed its result");
    FL_ASSERT(whole.symptom != LogSymptom::normal || whole.exception.empty(),
              "a normal run ended in no exception");
    FL_ASSERT(to_valid_utf8(whole.last_line) == whole.last_line, "what is shown is UTF-8");
  }
  return 0;
}
