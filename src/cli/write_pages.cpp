#include "cli/write_pages.hpp"

#include "base/text.hpp"
#include "cli/command.hpp"

#include <cctype>

namespace faultline::cli {

namespace fs = std::filesystem;

// "DL213.md": the page of something that has a code.
static bool is_page(const std::string& name)
{
  const auto is = [&name](size_t i, int (*kind)(int)) {
    return kind(static_cast<unsigned char>(name[i])) != 0;
  };
  return name.size() == 8 && name.ends_with(".md") && is(0, std::isupper) && is(1, std::isupper) &&
         is(2, std::isdigit) && is(3, std::isdigit) && is(4, std::isdigit);
}

Result<int> write_pages(const fs::path& folder, const FileTree& pages, const Session& session)
{
  std::error_code code;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, code)) {
    const std::string name = entry.path().filename().string();
    if (is_page(name) && !pages.contains(name)) {
      fs::remove(entry.path(), code);
    }
  }
  FL_CHECK(write_tree(folder, pages));
  session.print(count_of(pages.size(), "page") + " written to " + folder.string() + ".\n");
  return k_exit_ok;
}

} // namespace faultline::cli
