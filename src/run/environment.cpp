#include "run/environment.hpp"

#include "base/content_digests.hpp"
#include "base/digest.hpp"
#include "base/format.hpp"
#include "base/json.hpp"
#include "base/text.hpp"
#include "run/capture.hpp"
#include "run/installation.hpp"

#include <algorithm>
#include <cstdlib>
#include <set>

namespace faultline::run {

namespace fs = std::filesystem;

static const char* const k_python_packages[] = {
    "torch", "numpy", "scikit-learn", "pandas", "scipy"};
static const char* const k_node_packages[] = {"@tensorflow/tfjs"};

std::string data_mount(const std::string& name)
{
  return "/data/" + name;
}

// Every place where `name` is found in PATH, then the places where Debian puts it.
static std::vector<fs::path> candidates(const char* name, const char* variable)
{
  std::vector<fs::path> found;
  std::set<fs::path> seen;
  const auto add = [&](const fs::path& path) {
    std::error_code code;
    if (fs::exists(path, code) && seen.insert(fs::weakly_canonical(path, code)).second) {
      found.push_back(path);
    }
  };
  if (const char* chosen = std::getenv(variable)) {
    add(chosen);
    return found;
  }
  const char* search = std::getenv("PATH");
  for (const std::string_view folder : split(search == nullptr ? "" : search, ':')) {
    if (!folder.empty()) {
      add(fs::path(folder) / name);
    }
  }
  add(fs::path("/usr/bin") / name);
  add(fs::path("/usr/local/bin") / name);
  return found;
}

// The version of a Debian package without its epoch and revision; empty if it is not installed.
static std::string debian_version(const std::string& package)
{
  const Result<Captured> answer =
      capture({"dpkg-query", "-W", "-f", "${db:Status-Status} ${Version}", package});
  if (!answer || answer->status != 0 || !answer->output.starts_with("installed ")) {
    return {};
  }
  const std::string version = answer->output.substr(10);
  return version.substr(0, version.find_first_of("+-"));
}

static std::optional<Python> describe_python(const fs::path& path, const fs::path& probes)
{
  std::vector<std::string> command = {path.string(), (probes / "describe_python.py").string()};
  command.insert(command.end(), std::begin(k_python_packages), std::end(k_python_packages));
  const Result<Captured> answer = capture(command);
  if (!answer || answer->status != 0) {
    return std::nullopt;
  }
  const Json json = parse_json(answer->output);
  if (!json.is_object()) {
    return std::nullopt;
  }
  Python python;
  python.path = json.value("executable", path.string());
  python.version = json.value("version", "");
  for (const auto& [name, version] : json["packages"].items()) {
    python.packages[name] = version.get<std::string>();
  }
  python.installed = Digest().add(json.value("installed", "")).hex();
  for (const Json& prefix : json["prefixes"]) {
    const fs::path folder = prefix.get<std::string>();
    if (!folder.string().starts_with("/usr")) {
      python.prefixes.push_back(folder);
    }
  }
  // Debian's torch reports 1.13.0a0; the package has the right version.
  if (python.packages.contains("torch") && python.prefixes.empty()) {
    if (const std::string version = debian_version("python3-torch"); !version.empty()) {
      python.packages["torch"] = version;
    }
  }
  return python;
}

static void find_python(Environment& environment)
{
  for (const fs::path& path : candidates("python3", "FAULTLINE_PYTHON")) {
    std::optional<Python> python = describe_python(path, environment.probes);
    if (python && python->packages.contains("torch")) {
      environment.python = std::move(python);
      environment.modules = {"torch"};
      return;
    }
    environment.other_pythons.push_back(
        python ? format("{} ({}, without torch)", path.string(), python->version) : path.string());
  }
}

static void find_node(Environment& environment)
{
  for (const fs::path& path : candidates("node", "FAULTLINE_NODE")) {
    const Result<Captured> answer = capture({path.string(), "--version"});
    if (!answer || answer->status != 0) {
      continue;
    }
    Node node;
    node.path = path;
    node.version = std::string(trim(answer->output));
    for (const char* package : k_node_packages) {
      const Result<std::string> text =
          read_file(environment.packages_root / "node_modules" / package / "package.json");
      const Json json = text ? parse_json(*text) : Json();
      if (json.is_object()) {
        node.packages[package] = json.value("version", "");
      }
    }
    const Result<std::string> locked =
        read_file(environment.packages_root / "node_modules" / ".package-lock.json");
    node.installed = Digest().add(locked ? *locked : "").hex();
    environment.node = std::move(node);
    return;
  }
}

static void find_toolchain(Environment& environment)
{
  const fs::path headers = "/usr/include/torch/csrc/api/include";
  std::error_code code;
  if (!fs::exists(headers / "torch/torch.h", code)) {
    return;
  }
  for (const fs::path& path : candidates("g++", "FAULTLINE_CXX")) {
    const Result<Captured> answer = capture({path.string(), "-dumpfullversion"});
    if (answer && answer->status == 0) {
      environment.toolchain = Toolchain{
          path, std::string(trim(answer->output)), debian_version("libtorch-dev"), {headers}};
      return;
    }
  }
}

fs::path packages_folder(const fs::path& root)
{
  std::error_code code;
  return fs::is_directory(root / "node_modules", code) ? root : installation().data;
}

Environment discover_environment(const fs::path& root,
                                 const std::map<std::string, std::string>& data_sets)
{
  Environment environment;
  environment.root = root;
  environment.probes = installation().probes();
  environment.packages_root = packages_folder(root);
  find_python(environment);
  find_node(environment);
  find_toolchain(environment);
  for (const auto& [name, folder] : data_sets) {
    std::error_code code;
    if (fs::is_directory(environment.packages_root / folder, code)) {
      environment.data_sets[name] = environment.packages_root / folder;
    }
  }
  return environment;
}

std::map<std::string, std::string> Environment::packages(const std::string& framework) const
{
  if (framework == "tfjs") {
    return node ? node->packages : std::map<std::string, std::string>();
  }
  if (framework == "libtorch") {
    return toolchain ? std::map<std::string, std::string>{{"libtorch", toolchain->libtorch}}
                     : std::map<std::string, std::string>();
  }
  return python ? python->packages : std::map<std::string, std::string>();
}

std::string Environment::fingerprint(const std::string& framework) const
{
  std::string text = versions(framework);
  if (!content.empty()) {
    text += format("content {}\n", content);
  }
  for (const auto& [variable, value] : variables) {
    text += format("{}={}\n", variable, value);
  }
  return text;
}

std::string Environment::versions(const std::string& framework) const
{
  std::string text;
  for (const auto& [package, version] : packages(framework)) {
    text += format("{} {}\n", package, version);
  }
  if (framework == "tfjs" && node) {
    text += format("node {}\n", node->version);
  } else if (python) {
    text += format("python {}\n", python->version);
  }
  if (framework == "libtorch" && toolchain) {
    text += format("g++ {}\n", toolchain->version);
  }
  return text;
}

std::string Environment::tools_fingerprint() const
{
  std::string text;
  for (const char* framework : {"pytorch", "tfjs", "libtorch"}) {
    text += fingerprint(framework);
  }
  text += python ? format("{} has {}\n", python->path.string(), python->installed) : "";
  text += node ? format("{} has {}\n", node->path.string(), node->installed) : "";
  return text;
}

std::string Environment::data_fingerprint(const std::vector<std::string>& names) const
{
  static ContentDigests k_contents;
  std::string text;
  for (const std::string& set : names) {
    const auto found = data_sets.find(set);
    text +=
        format("data {} {}\n", set, found == data_sets.end() ? "" : k_contents.of(found->second));
  }
  return text;
}

std::optional<std::string> Environment::missing(const std::string& framework) const
{
  if (!unbuilt.empty()) {
    return unbuilt;
  }
  if (framework != "tfjs" && !python) {
    return "no python3 with torch (apt-get install python3-torch, or set FAULTLINE_PYTHON)";
  }
  if (framework == "tfjs" && !node) {
    return "no node (apt-get install nodejs npm)";
  }
  if (framework == "tfjs" && node->packages.empty()) {
    return "no TensorFlow.js (npm ci in the project's folder)";
  }
  if (framework == "libtorch" && !toolchain) {
    return "no LibTorch or g++ (apt-get install libtorch-dev g++)";
  }
  return std::nullopt;
}

void place_in(const Environment& environment, Job& job)
{
  job.variables = program_variables(environment);
  job.mounts = program_mounts(environment);
  job.system = environment.system;
}

std::map<std::string, std::string> program_variables(const Environment& environment)
{
  std::string path = "/usr/bin:/bin";
  const auto prepend = [&path](const fs::path& tool) {
    if (!tool.string().starts_with("/usr/bin/")) {
      path = tool.parent_path().string() + ":" + path;
    }
  };
  if (environment.node && environment.system.empty()) {
    prepend(environment.node->path);
  }
  if (environment.python) {
    prepend(environment.python->path);
  }
  std::map<std::string, std::string> variables = {
      {"PATH", path},
      {"HOME", "/tmp"},
      {"TMPDIR", "/tmp"},
      {"USER", "user"},
      {"LANG", "C.UTF-8"},
      {"OMP_NUM_THREADS",
       "1"}, // one thread per job: reproducible numbers, and jobs run in parallel
      {"PYTHONHASHSEED", "0"},
      {"PYTHONDONTWRITEBYTECODE", "1"},
  };
  if (!environment.seeds.empty()) {
    variables["FAULTLINE_SEEDS"] = environment.seeds;
  }
  for (const auto& [name, value] : environment.variables) {
    variables[name] = value;
  }
  return variables;
}

std::vector<Mount> program_mounts(const Environment& environment)
{
  std::vector<Mount> mounts = environment.mounts;
  for (const auto& [name, folder] : environment.data_sets) {
    mounts.push_back({folder, data_mount(name)});
  }
  std::error_code code;
  const fs::path modules = environment.packages_root / "node_modules";
  if (fs::is_directory(modules, code)) {
    mounts.push_back({modules, std::string(k_modules_mount)});
  }
  if (environment.python) {
    for (const fs::path& prefix : environment.python->prefixes) {
      mounts.push_back({prefix, prefix.string()});
    }
  }
  if (environment.node && environment.system.empty() &&
      !environment.node->path.string().starts_with("/usr")) {
    const fs::path prefix = environment.node->path.parent_path().parent_path();
    mounts.push_back({prefix, prefix.string()});
  }
  return mounts;
}

} // namespace faultline::run
