#include "run/environments.hpp"

#include "base/format.hpp"
#include "base/text.hpp"
#include "environment/built.hpp"

#include <algorithm>

namespace faultline::run {

namespace fs = std::filesystem;

// Where the folder of an environment is inside the sandbox, wherever it is outside.
constexpr const char* k_prefix_mount = "/environment";

// PyPI's names are the same with a hyphen, an underscore or capitals.
static std::string canonical(std::string name)
{
  name = replace_all(std::move(name), "_", "-");
  std::ranges::transform(name, name.begin(), [](unsigned char c) { return std::tolower(c); });
  return name;
}

static std::map<std::string, std::string> main_packages(const environment::Description& description,
                                                        const environment::Built& built)
{
  std::map<std::string, std::string> found;
  for (const auto& [name, version] : built.packages) {
    for (const auto& [wanted, expected] : description.packages) {
      if (canonical(name) == canonical(wanted)) {
        found[wanted] = version;
      }
    }
  }
  return found;
}

static void enter_prefix(const environment::Built& built, Environment& one)
{
  one.python->path = fs::path(k_prefix_mount) / "bin/python3";
  one.mounts.push_back({built.folder, k_prefix_mount});
  // A virtual environment of a Python that is not the system's needs that one's folder as well.
  const fs::path base = built.base.substr(0, built.base.find(' '));
  if (!base.string().starts_with("/usr/") && !base.string().starts_with(built.folder.string())) {
    const fs::path prefix = base.parent_path().parent_path();
    one.mounts.push_back({prefix, prefix.string()});
  }
}

static void enter_root(const environment::Built& built, Environment& one)
{
  one.system = built.folder;
  std::error_code code;
  const bool local = fs::exists(built.folder / "usr/local/bin/python3", code);
  one.python->path = local ? "/usr/local/bin/python3" : "/usr/bin/python3";
  if (!built.libtorch.empty()) {
    one.toolchain = Toolchain{
        "/usr/bin/g++", built.compiler, built.libtorch, {"/usr/include/torch/csrc/api/include"}};
  }
}

static Environment in_built(Environment one,
                            const environment::Description& description,
                            const environment::Built& built)
{
  one.python = Python{};
  one.python->version = built.python;
  one.python->packages = main_packages(description, built);
  one.python->installed = built.content;
  one.toolchain.reset();
  one.content = built.content;
  environment::find_driver(built.driver)->layout == environment::Layout::root
      ? enter_root(built, one)
      : enter_prefix(built, one);
  return one;
}

static Environment named(const Environment& machine, const environment::Description& description)
{
  Environment one = machine;
  one.name = description.name;
  one.modules = description.modules;
  one.variables = description.variables;
  one.seeds = description.seeds;
  if (description.driver == environment::k_system.name) {
    return one;
  }
  const Result<fs::path> kept = environment::environments_folder();
  if (!kept) {
    one.unbuilt = kept.error().line();
    return one;
  }
  if (const std::optional<environment::Built> built = environment::find_built(description, *kept)) {
    return in_built(std::move(one), description, *built);
  }
  one.unbuilt = format("the environment {} is not built (faultline env build {})",
                       description.name,
                       description.name);
  return one;
}

Environments::Environments(Environment machine, std::vector<environment::Description> descriptions)
    : m_machine(std::move(machine)), m_descriptions(std::move(descriptions))
{
  for (const environment::Description& description : m_descriptions) {
    m_named[description.name] = named(m_machine, description);
  }
  m_unknown = m_machine;
  m_unknown.unbuilt = "nobody has described this environment in environments/";
}

const Environment& Environments::get(const std::string& name) const
{
  if (name.empty()) {
    return m_machine;
  }
  const auto found = m_named.find(name);
  return found == m_named.end() ? m_unknown : found->second;
}

std::map<std::string, std::string> Environments::packages() const
{
  std::map<std::string, std::string> all;
  const auto add = [&all](const std::string& name, const std::string& version) {
    std::string& said = all[name];
    if (said.find(version) == std::string::npos) {
      said += (said.empty() ? "" : ", ") + version;
    }
  };
  for (const environment::Description& description : m_descriptions) {
    const Environment& one = m_named.at(description.name);
    for (const std::string& framework : description.frameworks) {
      if (one.unbuilt.empty()) {
        for (const auto& [name, version] : one.packages(framework)) {
          add(name, version);
        }
      }
    }
  }
  return all;
}

Result<Environments> discover_environments(const fs::path& root,
                                           const fs::path& described,
                                           const std::map<std::string, std::string>& data_sets)
{
  FL_TRY(std::vector<environment::Description> descriptions,
         environment::load_descriptions(described));
  return Environments(discover_environment(root, data_sets), std::move(descriptions));
}

} // namespace faultline::run
