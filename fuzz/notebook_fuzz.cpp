// Any bytes as a notebook: reading never crashes, places stay inside, an edit leaves valid JSON.

#include "base/json.hpp"
#include "base/result.hpp"
#include "source/notebook.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>

using namespace faultline;
using namespace faultline::source;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
  const std::string json(data, data + size);
  const Result<Notebook> notebook = Notebook::parse(json);
  if (!notebook) {
    return 0;
  }
  const std::string& text = notebook->text();
  const Result<std::string> same = notebook->apply({});
  FL_ASSERT(same && *same == json, "no edit changes nothing");
  const size_t lines = static_cast<size_t>(std::count(text.begin(), text.end(), '\n'));
  for (size_t line = 1; line <= std::min<size_t>(lines, 50); ++line) {
    const Notebook::CellLine place = notebook->cell_line(line);
    FL_ASSERT(place.cell > 0 && notebook->text_line(place) == line, "each line is in a cell");
  }
  for (size_t at = 0; at < std::min<size_t>(text.size(), 50); ++at) {
    const ByteRange range = notebook->in_json({at, at + 1});
    FL_ASSERT(range.begin <= range.end && range.end <= json.size(), "text is inside of the file");
    if (const Result<std::string> edited = notebook->apply({{at, at, "x\n\"y"}})) {
      FL_ASSERT(Json::accept(*edited), "an edited notebook is JSON");
      FL_ASSERT(Notebook::parse(*edited).has_value(), "an edited notebook is a notebook");
    }
  }
  return 0;
}
