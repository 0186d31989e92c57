#include "evaluate/tool_files.hpp"

#include "base/text.hpp"

#include <set>

namespace faultline::evaluate {

namespace fs = std::filesystem;

std::optional<fs::path> found_on_machine(const std::string& name,
                                         const run::Environment& environment)
{
  std::error_code code;
  if (name.find('/') != std::string::npos) {
    fs::path path = name.starts_with('/') ? fs::path(name) : environment.root / name;
    return fs::exists(path, code) ? std::optional(std::move(path)) : std::nullopt;
  }
  const std::string search = run::program_variables(environment).at("PATH");
  for (const std::string_view folder : split(search, ':')) {
    fs::path path = fs::path(folder) / name;
    for (const run::Mount& mount : environment.mounts) {
      if (path.string().starts_with(mount.inside + "/")) {
        path = mount.host / path.lexically_relative(mount.inside);
      }
    }
    if (fs::exists(path, code)) {
      return path;
    }
  }
  return std::nullopt;
}

// A word of a command, or what a line of sh has between blanks, quotes and operators.
static std::vector<std::string> parts_of(const std::string& word)
{
  std::vector<std::string> parts = {word};
  constexpr std::string_view k_between = " \t\n'\"`;&|<>()=:$,";
  size_t begin = 0;
  while (begin < word.size()) {
    const size_t end = std::min(word.find_first_of(k_between, begin), word.size());
    if (end > begin) {
      parts.push_back(word.substr(begin, end - begin));
    }
    begin = end + 1;
  }
  return parts;
}

std::vector<fs::path> files_of(const Tool& tool, const run::Environment& environment)
{
  std::set<fs::path> files(tool.folders.begin(), tool.folders.end());
  for (const std::string& name : tool.needs) {
    if (const std::optional<fs::path> found = found_on_machine(name, environment)) {
      files.insert(*found);
    }
  }
  for (const std::vector<std::string>* command : {&tool.command, &tool.version}) {
    for (const std::string& word : *command) {
      for (const std::string& part : parts_of(word)) {
        const bool may_be_program = &word == &command->front();
        const std::optional<fs::path> found = part.starts_with('/') || may_be_program
                                                  ? found_on_machine(part, environment)
                                                  : std::nullopt;
        // Only files: `/usr` in a line of sh is not all of the machine.
        std::error_code code;
        if (found && fs::is_regular_file(*found, code)) {
          files.insert(*found);
        }
      }
    }
  }
  return {files.begin(), files.end()};
}

} // namespace faultline::evaluate
