// Programs come from strangers. Whatever the bytes are, operators find places inside of them, and
// every variant is a text of its own that parses as well as the original.

#include "inject/variant.hpp"

#include <cstdint>
#include <string>

using namespace faultline;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
  const std::string text(reinterpret_cast<const char*>(data), size);
  const FileTree files = {{"main.py", text}};
  inject::Selection selection;
  selection.operators.assign(inject::all_operators().begin(), inject::all_operators().end());
  selection.per_file = 50;
  for (const inject::Variant& variant : inject::make_variants(files, selection)) {
    FL_ASSERT(!variant.edits.empty(), "a variant changes something");
    for (const source::Edit& edit : variant.edits) {
      FL_ASSERT(edit.begin <= edit.end && edit.end <= text.size(), "edits are inside of the text");
    }
    const Result<std::string> changed = inject::changed_text(variant, files);
    FL_ASSERT(changed && *changed != text, "a variant is another text");
  }
  return 0;
}
