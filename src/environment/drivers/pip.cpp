#include "environment/drivers/pip.hpp"

#include "base/format.hpp"

namespace faultline::environment {

std::vector<Step>
pip_steps(const Description& description, const Site& site, const std::string& python)
{
  const std::string lock = (description.folder / k_lock_file).string();
  std::vector<Step> steps;
  if (site.has_uv) {
    steps.push_back({"download and install packages",
                     {"uv",
                      "pip",
                      "install",
                      "--python",
                      python,
                      "--no-deps",
                      "--require-hashes",
                      "--only-binary",
                      ":all:",
                      "-r",
                      lock}});
  } else {
    const std::vector<std::string> pip = {
        python, "-m", "pip", "--disable-pip-version-check", "--no-input"};
    const auto with = [&pip](std::vector<std::string> words) {
      words.insert(words.begin(), pip.begin(), pip.end());
      return words;
    };
    steps.push_back({"download packages",
                     with({"download",
                           "--no-deps",
                           "--require-hashes",
                           "--only-binary",
                           ":all:",
                           "--progress-bar",
                           "off",
                           "--dest",
                           site.downloads.string(),
                           "-r",
                           lock})});
    steps.push_back({"install packages",
                     with({"install",
                           "--no-deps",
                           "--require-hashes",
                           "--no-index",
                           "--find-links",
                           site.downloads.string(),
                           "--no-compile",
                           "-r",
                           lock})});
  }
  // By content, not by time: two builds then give the same files, and a folder that is mounted
  // read-only never compiles anything again. Some packages ship files that no Python 3 compiles.
  steps.push_back(
      {"compile modules",
       {"sh",
        "-c",
        R"("$0" -m compileall -qq -f -j 0 --invalidation-mode unchecked-hash "$1" || true)",
        python,
        (site.folder / "lib").string()}});
  return steps;
}

std::string needs_lock(const Description& description)
{
  if (description.requirements.empty()) {
    return "it is not made of packages for pip";
  }
  return description.lock.empty()
             ? format("it has no lock.txt; make one with `faultline env lock {}`", description.name)
             : "";
}

} // namespace faultline::environment
