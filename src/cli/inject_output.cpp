#include "cli/inject_output.hpp"

#include "base/format.hpp"
#include "source/patch.hpp"

namespace faultline::cli {

namespace fs = std::filesystem;

Json variant_json(const inject::Variant& variant)
{
  Json json;
  json["id"] = variant.id;
  json["operator"] = variant.op;
  json["name"] = inject::find_operator(variant.op)->name;
  json["setting"] = variant.setting;
  json["library"] = variant.library;
  json["file"] = variant.file;
  json["line"] = variant.line;
  json["column"] = variant.column;
  json["before"] = variant.before;
  json["after"] = variant.after;
  json["edits"] = Json::array();
  for (const source::Edit& edit : variant.edits) {
    json["edits"].push_back({{"begin", edit.begin}, {"end", edit.end}, {"text", edit.text}});
  }
  return json;
}

Result<std::string> variant_diff(const inject::Variant& variant, const FileTree& files)
{
  FL_TRY(std::string changed, inject::changed_text(variant, files));
  const FileTree before = {{variant.file, files.at(variant.file)}};
  const FileTree after = {{variant.file, std::move(changed)}};
  return source::print_patch(source::make_patch(before, after));
}

Result<void> check_new_folder(const fs::path& folder)
{
  std::error_code code;
  if (fs::exists(folder, code) && !fs::is_empty(folder, code)) {
    return Error{ErrorKind::usage,
                 format("{} is there already and not empty; name a new folder", folder.string())};
  }
  return {};
}

Result<void> write_variants(const fs::path& folder,
                            const std::vector<inject::Variant>& variants,
                            const FileTree& files,
                            const std::string& overlay)
{
  Json index = Json::array();
  for (const inject::Variant& variant : variants) {
    FL_TRY(std::string changed, inject::changed_text(variant, files));
    FL_TRY(const std::string diff, variant_diff(variant, files));
    FileTree made;
    if (variant.library.empty()) {
      made = files;
    } else {
      made["sitecustomize.py"] = overlay;
    }
    made[variant.file] = std::move(changed);
    FL_CHECK(write_tree(folder / variant.id, made));
    FL_CHECK(write_file(folder / (variant.id + ".patch"), diff));
    index.push_back(variant_json(variant));
  }
  return write_file(folder / "variants.json", print_json(index));
}

} // namespace faultline::cli
