#include "provision/interpreter.hpp"

#include "base/format.hpp"
#include "base/json.hpp"
#include "base/text.hpp"
#include "run/capture.hpp"
#include "run/sandbox.hpp"

#include <algorithm>
#include <cstdlib>

namespace faultline::provision {

namespace fs = std::filesystem;

using environment::Built;
using environment::Layout;

bool is_on_path(const std::string& program)
{
  const char* search = std::getenv("PATH");
  const std::vector<std::string_view> folders = split(search == nullptr ? "" : search, ':');
  return std::ranges::any_of(folders, [&program](std::string_view folder) {
    std::error_code code;
    return !folder.empty() && fs::exists(fs::path(folder) / program, code);
  });
}

Result<std::string> find_interpreter(const std::string& version)
{
  std::string without_venv;
  for (const std::string& name :
       {"/usr/bin/python" + version, "/usr/bin/python3" + std::string(), "python" + version}) {
    const Result<run::Captured> said = run::capture(
        {name, "-c", "import sys; print('%d.%d' % sys.version_info[:2]); import ensurepip, venv"});
    if (!said || !said->output.starts_with(version + "\n")) {
      continue;
    }
    if (said->status == 0) {
      return name;
    }
    without_venv = name;
  }
  return Error{
      ErrorKind::machine,
      without_venv.empty()
          ? format("no Python {} on this machine (apt-get install python{}-venv, or put it "
                   "on the PATH)",
                   version,
                   version)
          : format("{} cannot make virtual environments (apt-get install python{}-venv)",
                   without_venv,
                   version)};
}

// The last line of what the probe printed: libraries may print before it.
static Result<Json> asked(const std::vector<std::string>& command)
{
  FL_TRY(const run::Captured said, run::capture(command));
  const Json json = parse_json(said.output);
  if (said.status != 0 || !json.is_object()) {
    return Error{ErrorKind::machine,
                 format("the Python of the environment does not start: {}", trim(said.output))};
  }
  return json;
}

static std::string first_line_of(const std::vector<std::string>& command)
{
  const Result<run::Captured> said = run::capture(command);
  return said && said->status == 0 ? std::string(trim(said->output)) : std::string();
}

Result<void> describe(Layout layout, const fs::path& probes, Built& built)
{
  std::vector<std::string> inside; // what goes before a command to run it in the environment
  std::string python = (built.folder / "bin/python3").string();
  if (layout == Layout::root) {
    run::Limits limits;
    inside = run::sandbox_command({{probes, "/probes"}}, limits, built.folder);
    std::error_code code;
    python = fs::exists(built.folder / "usr/local/bin/python3", code) ? "/usr/local/bin/python3"
                                                                      : "/usr/bin/python3";
  }
  const auto there = [&inside](std::vector<std::string> words) {
    words.insert(words.begin(), inside.begin(), inside.end());
    return words;
  };
  const std::string probe = layout == Layout::root ? "/probes/describe_python.py"
                                                   : (probes / "describe_python.py").string();
  FL_TRY(const Json json, asked(there({python, probe, "--all"})));
  built.python = json.value("version", "");
  for (const auto& [name, version] : json["packages"].items()) {
    built.packages[name] = version.is_string() ? version.get<std::string>() : "";
  }
  if (layout == Layout::root) {
    built.compiler = first_line_of(there({"/usr/bin/g++", "-dumpfullversion"}));
    if (const Result<std::string> all = debian_packages(built.folder); all) {
      for (const std::string_view line : split_lines(*all)) {
        if (line.starts_with("libtorch-dev=")) {
          const std::string version(line.substr(line.find('=') + 1));
          built.libtorch = version.substr(0, version.find_first_of("+-"));
        }
        // Debian's torch reports 2.6.0a0; the package has the right version.
        if (line.starts_with("python3-torch=")) {
          const std::string version(line.substr(line.find('=') + 1));
          built.packages["torch"] = version.substr(0, version.find_first_of("+-"));
        }
      }
    }
  }
  return {};
}

Result<std::string> debian_packages(const fs::path& root)
{
  FL_TRY(const run::Captured said,
         run::capture({"dpkg-query",
                       "--admindir=" + (root / "var/lib/dpkg").string(),
                       "--show",
                       "--showformat=${Package}=${Version}\\n"}));
  if (said.status != 0) {
    return Error{
        ErrorKind::machine,
        format("cannot read Debian's packages in {}: {}", root.string(), trim(said.output))};
  }
  std::vector<std::string> lines;
  for (const std::string_view line : split_lines(said.output)) {
    lines.emplace_back(line);
  }
  std::ranges::sort(lines);
  return join(lines, "\n") + "\n";
}

} // namespace faultline::provision
