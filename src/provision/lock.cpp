#include "provision/lock.hpp"

#include "base/file.hpp"
#include "base/format.hpp"
#include "base/json.hpp"
#include "base/text.hpp"
#include "environment/built.hpp"
#include "environment/driver.hpp"
#include "provision/interpreter.hpp"
#include "run/capture.hpp"

#include <algorithm>

namespace faultline::provision {

namespace fs = std::filesystem;

using environment::Description;

Result<std::string> lock_of_report(std::string_view report, const Description& description)
{
  const Json json = parse_json(report);
  if (!json.is_object() || !json.contains("install") || !json["install"].is_array()) {
    return Error{ErrorKind::machine, "pip's report cannot be read"};
  }
  std::vector<std::string> lines;
  for (const Json& item : json["install"]) {
    const Json metadata = item.value("metadata", Json::object());
    const Json archive =
        item.value("download_info", Json::object()).value("archive_info", Json::object());
    const std::string name = metadata.value("name", "");
    std::string digest = archive.value("hash", "");
    std::ranges::replace(digest, '=', ':');
    if (name.empty() || !digest.starts_with("sha256:")) {
      return Error{ErrorKind::machine, format("pip's report has no digest of `{}`", name)};
    }
    lines.push_back(format("{}=={} --hash={}", name, metadata.value("version", ""), digest));
  }
  std::ranges::sort(lines);
  return format("# Python {}, made by `faultline env lock {}` from {}\n{}\n",
                description.python,
                description.name,
                join(description.requirements, " "),
                join(lines, "\n"));
}

static Result<std::string> lock_with_pip(const Description& description,
                                         const std::function<void(std::string_view)>& say)
{
  FL_TRY(const std::string python, find_interpreter(description.python));
  FL_TRY(const TempDir folder, TempDir::create());
  const fs::path place = folder.path() / "venv";
  const fs::path report = folder.path() / "report.json";
  say(format("{}: asking pip what {} need",
             description.name,
             count_of(description.requirements.size(), "requirement")));
  FL_TRY(const run::Captured made, run::capture({python, "-m", "venv", place.string()}));
  if (made.status != 0) {
    return Error{ErrorKind::machine, std::string(trim(made.output))};
  }
  std::vector<std::string> command = {(place / "bin/python3").string(),
                                      "-m",
                                      "pip",
                                      "--disable-pip-version-check",
                                      "--no-input",
                                      "--quiet",
                                      "install",
                                      "--dry-run",
                                      "--ignore-installed",
                                      "--only-binary",
                                      ":all:",
                                      "--report",
                                      report.string()};
  command.insert(command.end(), description.requirements.begin(), description.requirements.end());
  FL_TRY(const run::Captured asked, run::capture(command));
  if (asked.status != 0) {
    return Error{ErrorKind::machine,
                 format("pip cannot find the packages of {}: {}",
                        description.name,
                        replace_all(std::string(trim(asked.output)), "\n", "; "))};
  }
  FL_TRY(const std::string text, read_file(report));
  return lock_of_report(text, description);
}

Result<std::string> make_lock(const Description& description,
                              const fs::path& environments,
                              const std::function<void(std::string_view)>& on_progress)
{
  if (!description.requirements.empty()) {
    return lock_with_pip(description, on_progress);
  }
  if (description.release.empty()) {
    return Error{ErrorKind::usage,
                 format("{} is what this machine has installed; there is nothing to lock",
                        description.name)};
  }
  const std::optional<environment::Built> built =
      environment::find_built(description, environments);
  if (!built) {
    return Error{ErrorKind::usage,
                 format("{} is not built, so there are no versions to write down (faultline env "
                        "build {})",
                        description.name,
                        description.name)};
  }
  FL_TRY(const std::string packages, debian_packages(built->folder));
  return format("# Debian {}, made by `faultline env lock {}`\n{}",
                description.release,
                description.name,
                packages);
}

} // namespace faultline::provision
