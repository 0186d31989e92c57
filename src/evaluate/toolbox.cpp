#include "base/format.hpp"
#include "base/text.hpp"
#include "evaluate/tool.hpp"

#include <algorithm>

namespace faultline::evaluate {

namespace fs = std::filesystem;

const Tool* Toolbox::find(std::string_view name) const
{
  const auto found = std::ranges::find(tools, name, &Tool::name);
  return found == tools.end() ? nullptr : &*found;
}

namespace {

std::vector<std::string> names_in(const fs::path& folder)
{
  std::vector<std::string> names;
  std::error_code code;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, code)) {
    if (entry.path().extension() == ".toml") {
      names.push_back(entry.path().stem().string());
    }
  }
  std::ranges::sort(names);
  return names;
}

// Puts the tool at `file` into the box, unless it is there; says where it is.
Result<size_t> add(Toolbox& box, const fs::path& file, const catalog::Schemes& schemes)
{
  FL_TRY(Tool tool, load_tool(file, schemes));
  const auto known = std::ranges::find(box.tools, tool.name, &Tool::name);
  if (known != box.tools.end()) {
    if (known->file != tool.file) {
      return Error{ErrorKind::usage,
                   format("two tools are called `{}`: {} and {}",
                          tool.name,
                          known->file.string(),
                          tool.file.string())};
    }
    return static_cast<size_t>(known - box.tools.begin());
  }
  box.tools.push_back(std::move(tool));
  return box.tools.size() - 1;
}

} // namespace

Result<Toolbox> load_tools(const fs::path& folder,
                           const std::vector<std::string>& names,
                           const catalog::Schemes& schemes)
{
  Toolbox box;
  const std::vector<std::string> known = names_in(folder);
  for (const std::string& name : names.empty() ? known : names) {
    const bool is_path = name.ends_with(".toml");
    if (!is_path && std::ranges::find(known, name) == known.end()) {
      const std::string guess = did_you_mean(name, known);
      return Error{ErrorKind::usage,
                   format("unknown tool `{}`{}",
                          name,
                          !guess.empty() ? guess
                                         : format("; there are {}, or name a .toml file",
                                                  known.empty() ? "none" : join(known, ", ")))};
    }
    FL_TRY(const size_t at,
           add(box, is_path ? fs::path(name) : folder / (name + ".toml"), schemes));
    if (std::ranges::find(box.asked, at) == box.asked.end()) {
      box.asked.push_back(at);
    }
  }
  // Members lie beside the union, or in the folder.
  for (const size_t at : std::vector(box.asked)) {
    const Tool whole = box.tools[at];
    for (const std::string& member : whole.members) {
      std::error_code code;
      const fs::path beside = whole.file.parent_path() / (member + ".toml");
      const fs::path file = fs::exists(beside, code) ? beside : folder / (member + ".toml");
      if (!fs::exists(file, code)) {
        return Error{ErrorKind::bad_data,
                     format("{}:1: there is no tool `{}`", whole.file.string(), member)};
      }
      if (box.find(member) != nullptr) {
        continue;
      }
      FL_TRY(const size_t added, add(box, file, schemes));
      if (box.tools[added].is_union()) {
        return Error{ErrorKind::bad_data,
                     format("{}:1: `{}` is a union itself", whole.file.string(), member)};
      }
    }
  }
  return box;
}

} // namespace faultline::evaluate
