#include "campaign/program_files.hpp"

#include "campaign/store.hpp"

#include <set>

namespace faultline::campaign {

namespace fs = std::filesystem;

Result<FileTree> program_files(const Spec& spec)
{
  FL_TRY(FileTree files, read_tree(spec.folder));
  std::error_code code;
  const fs::path own = fs::weakly_canonical(spec.file, code)
                           .lexically_relative(fs::weakly_canonical(spec.folder, code));
  files.erase(own.generic_string());

  std::set<std::string> campaigns; // their folders, with a slash at the end
  for (const auto& [path, text] : files) {
    const fs::path folder = fs::path(path).parent_path();
    if (!folder.empty() && Store::exists(spec.folder / folder)) {
      campaigns.insert(folder.generic_string() + "/");
    }
  }
  std::erase_if(files, [&campaigns](const auto& file) {
    for (const std::string& folder : campaigns) {
      if (file.first.starts_with(folder)) {
        return true;
      }
    }
    return false;
  });
  return files;
}

} // namespace faultline::campaign
