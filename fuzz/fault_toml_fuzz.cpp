// A fault's description is data from elsewhere: whatever it says, loading it ends with a fault or
// with one line.

#include "base/file.hpp"
#include "catalog/fault.hpp"

#include <cstdint>
#include <cstdlib>
#include <string>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
  using namespace faultline;
  static const Result<catalog::Schemes> k_schemes =
      catalog::load_schemes(FL_SOURCE_DIR "/taxonomy");
  static const Result<TempDir> k_folder = TempDir::create();
  if (!k_schemes || !k_folder) {
    std::abort();
  }
  const std::string text(reinterpret_cast<const char*>(data), size);
  static const bool k_ready = [] {
    const FileTree files = {
        {"program/main.py", "answer = 41\nprint(answer)\n"},
        {"fix.patch", "--- a/main.py\n+++ b/main.py\n@@ -1 +1 @@\n-answer = 41\n+answer = 42\n"},
        {"test.py", "import main\n"}};
    return write_tree(k_folder->path(), files).has_value();
  }();
  if (!k_ready || !write_file(k_folder->path() / "fault.toml", text)) {
    std::abort();
  }
  const Result<catalog::Fault> fault = catalog::load_fault(k_folder->path(), *k_schemes);
  if (!fault && fault.error().line().find('\n') != std::string::npos) {
    std::abort(); // an error is one line
  }
  return 0;
}
