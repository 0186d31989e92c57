// Patches come from strangers. Whatever the bytes are: a patch that is read is printed and read
// again as the same patch, applying it to any tree ends in a tree or in one line of words, and what
// was applied can be taken back.

#include "source/patch.hpp"

#include <cstdint>

using namespace faultline;
using namespace faultline::source;

static void check_one_line(const Error& error)
{
  FL_ASSERT(!error.message.empty() && error.message.find('\n') == std::string::npos,
            "an error is one line");
}

// The input is the text of a patch, a zero byte, and the content of every file that it names.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  const size_t zero = std::min(input.find('\0'), size);
  const Result<Patch> patch = parse_patch(input.substr(0, zero), "fuzz.patch");
  if (!patch) {
    check_one_line(patch.error());
    return 0;
  }
  const Result<Patch> again = parse_patch(print_patch(*patch), "fuzz.patch");
  FL_ASSERT(again && *again == *patch, "printing and parsing gives the same patch");

  FileTree base;
  for (const FilePatch& file : patch->files) {
    if (file.action != FileAction::create) {
      base[file.path] = input.substr(std::min(zero + 1, size));
    }
  }
  const Result<FileTree> after = apply_patch(*patch, base);
  if (!after) {
    check_one_line(after.error());
    return 0;
  }
  const Result<FileTree> before = apply_patch(reverse(*patch), *after);
  FL_ASSERT(before && *before == base, "a patch that was applied can be taken back");
  const Result<FileTree> made = apply_patch(make_patch(base, *after), base);
  FL_ASSERT(made && *made == *after, "a patch between two trees turns one into the other");
  return 0;
}
