#include "provision/builder.hpp"

#include "base/clock.hpp"
#include "base/digest.hpp"
#include "base/file.hpp"
#include "base/file_lock.hpp"
#include "base/format.hpp"
#include "base/text.hpp"
#include "provision/disk_use.hpp"
#include "provision/interpreter.hpp"
#include "provision/removal.hpp"
#include "provision/step_run.hpp"

#include <unistd.h>

#include <algorithm>

namespace faultline::provision {

namespace fs = std::filesystem;

using environment::Built;
using environment::Description;
using environment::Driver;
using environment::Layout;

constexpr double k_say_every_seconds = 5;
constexpr size_t k_most_notes = 10;

static Result<void> check_program(const Driver& driver)
{
  if (driver.program.empty() || is_on_path(std::string(driver.program))) {
    return {};
  }
  return Error{ErrorKind::machine,
               format("the driver {} needs {}, which is not installed ({})",
                      driver.name,
                      driver.program,
                      driver.remedy)};
}

Result<Plan> plan_build(const Description& description,
                        const std::string& driver_name,
                        const fs::path& environments,
                        bool only_shown)
{
  Plan plan;
  plan.description = description;
  const std::string& name = driver_name.empty() ? description.driver : driver_name;
  plan.driver = environment::find_driver(name);
  if (plan.driver == nullptr) {
    return Error{ErrorKind::usage,
                 format("unknown driver `{}`; it is one of {}",
                        name,
                        join(environment::driver_names(), ", "))};
  }
  if (const std::string why = plan.driver->refuses(description); !why.empty()) {
    return Error{ErrorKind::usage,
                 format("the driver {} cannot build {}: {}", name, description.name, why)};
  }
  plan.site.folder = environment::folder_of(description, environments);
  plan.site.downloads = environment::downloads_folder(environments);
  if (!only_shown) {
    FL_CHECK(check_program(*plan.driver));
  }
  plan.site.has_uv = is_on_path("uv");
  plan.site.is_root = geteuid() == 0;
  if (name == environment::k_venv.name) {
    Result<std::string> python = find_interpreter(description.python);
    if (!python && !only_shown) {
      return std::move(python).error();
    }
    plan.site.python = python ? *python : "python" + description.python;
  }
  plan.steps = plan.driver->build(description, plan.site);
  return plan;
}

// What an interrupted build has fetched goes where the next one looks for it.
static void salvage(const Plan& plan)
{
  std::error_code code;
  const fs::path kept = plan.site.downloads / plan.description.name;
  for (const fs::directory_entry& entry :
       fs::directory_iterator(plan.site.folder / "var/cache/apt/archives", code)) {
    if (entry.path().extension() == ".deb") {
      fs::create_directories(kept, code);
      fs::rename(entry.path(), kept / entry.path().filename(), code);
    }
  }
}

static Result<void> check_space(const Plan& plan, const fs::path& environments)
{
  const int wanted = plan.description.size_mb > 0 ? plan.description.size_mb : k_usual_size_mb;
  std::error_code code;
  const fs::space_info space = fs::space(environments, code);
  if (!code && space.available / 1'000'000 < static_cast<uintmax_t>(wanted)) {
    return Error{ErrorKind::machine,
                 format("{} needs about {} in {}, which has {} left (FAULTLINE_ENVIRONMENTS names "
                        "another folder; `faultline env prune` removes what is no longer used)",
                        plan.description.name,
                        print_size(static_cast<uint64_t>(wanted) * 1'000'000),
                        environments.string(),
                        print_size(space.available))};
  }
  return {};
}

static Result<void> run_steps(const Plan& plan, const std::function<void(std::string_view)>& say)
{
  const fs::path log = plan.site.folder.string() + ".log";
  std::error_code code;
  fs::remove(log, code);
  size_t number = 0;
  const uint64_t before = bytes_below(plan.site.downloads);
  for (const environment::Step& step : plan.steps) {
    const std::string head =
        format("{}: {} ({} of {})", plan.description.name, step.title, ++number, plan.steps.size());
    say(head);
    const double start = monotonic_seconds();
    double said = start;
    FL_CHECK(run_step(step, log, plan.site.folder, [&] {
      if (const double now = monotonic_seconds(); now - said > k_say_every_seconds) {
        said = now;
        say(format("{}: {}, {} fetched, {} on disk",
                   head,
                   print_duration(now - start),
                   print_size(std::max(before, bytes_below(plan.site.downloads)) - before),
                   print_size(bytes_below(plan.site.folder))));
      }
    }));
  }
  return {};
}

// How the versions of Debian differ from those in lock.txt. An archive moves on, and nothing can be
// done about that but to say it.
static std::vector<std::string> differences_from_lock(const Description& description,
                                                      const std::string& found)
{
  std::vector<std::string> notes;
  if (description.lock.empty()) {
    return notes;
  }
  for (const std::string& package : environment::differing_packages(description.lock, found)) {
    notes.push_back(package);
    if (notes.size() == k_most_notes) {
      notes.emplace_back("and more");
      break;
    }
  }
  return notes;
}

static Result<Build> make(const Plan& plan,
                          const fs::path& environments,
                          const fs::path& probes,
                          const std::function<void(std::string_view)>& say)
{
  const fs::path& folder = plan.site.folder;
  const Result<std::string> before = read_file(folder / environment::k_manifest_file);
  end_leftovers(folder);
  salvage(plan);
  FL_CHECK(remove_tree(folder));
  FL_CHECK(check_space(plan, environments));
  const double start = monotonic_seconds();
  const uint64_t fetched = bytes_below(plan.site.downloads);
  FL_CHECK(run_steps(plan, say));

  say(format("{}: looking at what was built", plan.description.name));
  Build build;
  build.built.folder = folder;
  build.built.driver = plan.driver->name;
  FL_CHECK(describe(plan.driver->layout, probes, build.built));
  if (plan.driver->layout == Layout::prefix) {
    build.built.base = environment::base_of(folder);
  }
  const std::string manifest = environment::manifest_of(folder);
  FL_CHECK(write_file(folder / environment::k_manifest_file, manifest));
  build.built.content = Digest().add(manifest).hex();
  build.built.bytes = bytes_below(folder);
  const uint64_t now_fetched = bytes_below(plan.site.downloads);
  build.built.downloaded_bytes = now_fetched > fetched ? now_fetched - fetched : 0;
  build.built.seconds = monotonic_seconds() - start;
  build.built.date = utc_now();
  if (before) {
    for (const std::string& path : environment::differing(*before, manifest)) {
      if (build.notes.size() == k_most_notes) {
        build.notes.emplace_back("and more");
        break;
      }
      build.notes.push_back("not as in the build before: " + path);
    }
  }
  if (plan.driver->name == environment::k_debian.name) {
    FL_TRY(const std::string found, debian_packages(folder));
    for (std::string& note : differences_from_lock(plan.description, found)) {
      build.notes.push_back("not as in lock.txt: " + std::move(note));
    }
  }
  FL_CHECK(environment::write_record(build.built));
  return build;
}

Result<Build> build(const Plan& plan,
                    const fs::path& probes,
                    bool fresh,
                    const std::function<void(std::string_view)>& on_progress)
{
  if (plan.driver->layout == Layout::machine) {
    return Error{ErrorKind::usage,
                 format("{} is what this machine has installed; there is nothing to build",
                        plan.description.name)};
  }
  const fs::path environments = plan.site.folder.parent_path();
  std::error_code code;
  fs::create_directories(plan.site.downloads, code);
  if (code) {
    return Error{ErrorKind::io,
                 format("cannot make {}: {}", plan.site.downloads.string(), code.message())};
  }
  const fs::path lock_file = plan.site.folder.string() + ".lock";
  if (FileLock::is_held(lock_file)) {
    on_progress(format("{}: somebody else is building it; waiting", plan.description.name));
  }
  const FileLock lock(lock_file);
  if (!fresh) {
    if (const std::optional<Built> built =
            environment::find_built(plan.description, environments)) {
      return Build{*built, true, {}};
    }
  }
  // From here on the folder is no environment until its record is written.
  fs::remove(plan.site.folder / environment::k_record_file, code);
  return make(plan, environments, probes, on_progress);
}

} // namespace faultline::provision
