#include "environment/description.hpp"

#include "base/digest.hpp"
#include "base/file.hpp"
#include "base/format.hpp"
#include "base/text.hpp"
#include "base/toml.hpp"
#include "environment/driver.hpp"

#include <algorithm>
#include <span>

namespace faultline::environment {

namespace fs = std::filesystem;

static std::map<std::string, std::string> read_words(TomlReader& in, std::string_view key)
{
  std::map<std::string, std::string> words;
  if (std::optional<TomlReader> table = in.optional_table(key)) {
    for (const std::string& name : table->keys()) {
      words[name] = table->text(name);
    }
  }
  return words;
}

static Result<Description> load_description(const fs::path& folder)
{
  const std::string file = (folder / "environment.toml").string();
  FL_TRY(const std::string text, read_file(file));
  FL_TRY(const toml::table table, parse_toml(text, file));
  TomlReader in(table, file);
  Description one;
  one.name = folder.filename().string();
  one.folder = folder;
  one.title = in.text("title");
  one.purpose = in.text("purpose");
  one.driver = in.text("driver");
  if (find_driver(one.driver) == nullptr) {
    in.refuse(
        "driver",
        format("unknown driver `{}`; it is one of {}", one.driver, join(driver_names(), ", ")));
  }
  one.is_default = in.flag("default", false);
  one.frameworks = in.texts("frameworks");
  one.packages = read_words(in, "packages");
  one.python = in.optional_text("python").value_or("");
  one.requirements = in.texts("requirements");
  one.release = in.optional_text("release").value_or("");
  one.system_packages = in.texts("system_packages");
  one.download_mb = static_cast<int>(in.optional_integer("download_mb").value_or(0));
  one.size_mb = static_cast<int>(in.optional_integer("size_mb").value_or(0));
  if (std::optional<TomlReader> programs = in.optional_table("programs")) {
    one.modules = programs->texts("import");
    one.seeds = programs->optional_text("seeds").value_or("");
    one.variables = read_words(*programs, "variables");
  }
  FL_CHECK(in.finish());
  if (const Result<std::string> lock = read_file(folder / k_lock_file)) {
    one.lock = *lock;
  }
  return one;
}

Result<std::vector<Description>> load_descriptions(const fs::path& root)
{
  std::vector<Description> all;
  std::error_code code;
  for (const fs::directory_entry& entry : fs::directory_iterator(root / "environments", code)) {
    if (fs::exists(entry.path() / "environment.toml", code)) {
      FL_TRY(Description one, load_description(entry.path()));
      all.push_back(std::move(one));
    }
  }
  std::ranges::sort(all, {}, &Description::name);
  return all;
}

bool Description::is_for(std::string_view framework) const
{
  return std::ranges::find(frameworks, framework) != frameworks.end();
}

const Description* find(const std::vector<Description>& all, std::string_view name)
{
  const auto found = std::ranges::find(all, name, &Description::name);
  return found == all.end() ? nullptr : &*found;
}

static std::vector<std::string> with_version(const std::vector<Description>& all,
                                             std::string_view version,
                                             std::span<const std::string_view> packages)
{
  std::vector<std::string> names;
  for (const Description& one : all) {
    const bool fits = std::ranges::any_of(packages, [&](std::string_view package) {
      const auto found = one.packages.find(std::string(package));
      return found != one.packages.end() &&
             (found->second == version || found->second.starts_with(std::string(version) + "."));
    });
    if (fits) {
      names.push_back(one.name);
    }
  }
  return names;
}

std::vector<std::string> with_framework_version(const std::vector<Description>& all,
                                                std::string_view version)
{
  static constexpr std::string_view k_frameworks[] = {
      "torch", "tensorflow-cpu", "keras", "@tensorflow/tfjs", "libtorch"};
  return with_version(all, version, k_frameworks);
}

std::vector<std::string> with_python(const std::vector<Description>& all, std::string_view version)
{
  static constexpr std::string_view k_python[] = {"python"};
  return with_version(all, version, k_python);
}

std::string_view usual_environment(std::string_view framework)
{
  return framework == "tfjs"                                 ? "tfjs"
         : framework == "keras" || framework == "tensorflow" ? "keras2"
                                                             : "torch1";
}

std::string digest_of(const Description& description)
{
  Digest digest;
  digest.add(description.driver).add(description.python).add(description.release);
  // What an archive of Debian has moves on: the lock only tells what a build was.
  digest.add(description.requirements.empty() ? "" : description.lock);
  digest.add(static_cast<long long>(description.system_packages.size()));
  for (const std::string& package : description.system_packages) {
    digest.add(package);
  }
  return digest.hex();
}

} // namespace faultline::environment
