#include "catalog/fault_detail.hpp"

#include "catalog/fault_json.hpp"

#include <set>

namespace faultline::catalog {

static Json files_json(const Fault& fault, const FileTree& fixed)
{
  std::set<std::string> paths;
  for (const FileTree* tree : {&fault.program, &fixed}) {
    for (const auto& [path, content] : *tree) {
      paths.insert(path);
    }
  }
  const auto text_in = [](const FileTree& tree, const std::string& path) {
    const auto found = tree.find(path);
    return found == tree.end() ? Json() : Json(found->second);
  };
  Json files = Json::array();
  for (const std::string& path : paths) {
    std::set<int> lines;
    for (const Part& part : fault.parts) {
      if (part.location.file == path) {
        lines.insert(part.location.lines.begin(), part.location.lines.end());
      }
    }
    files.push_back({{"path", path},
                     {"buggy", text_in(fault.program, path)},
                     {"fixed", text_in(fixed, path)},
                     {"faulty_lines", lines}});
  }
  return files;
}

Json detail_json(const Fault& fault, int support)
{
  const Result<FileTree> fixed = program_of(fault, Version::fixed);
  const Result<source::Patch> fix = fix_of(fault);
  FL_ASSERT(fixed.has_value() && fix.has_value(), "the patches of a loaded fault apply");
  Json json = full_json(fault, support);
  json["files"] = files_json(fault, *fixed);
  json["diff"] = source::print_patch(*fix);
  json["test_file"] = {{"path", fault.test_file}, {"text", fault.test_text}};
  json["checkout"] = {{"command", "faultline checkout " + fault.id + " FOLDER"},
                      {"fixed", "faultline checkout " + fault.id + " FOLDER --version fixed"},
                      {"test", "faultline test FOLDER"}};
  return json;
}

} // namespace faultline::catalog
