#include "base/format.hpp"
#include "base/text.hpp"
#include "catalog/data_sets.hpp"
#include "cli/command.hpp"
#include "environment/driver.hpp"
#include "run/capture.hpp"
#include "run/sandbox.hpp"

#include <unistd.h>

namespace faultline::cli {

namespace {

// One thing that Faultline uses.
struct Finding {
  std::string name;
  bool there = false;
  std::string detail; // what was found, or what is missing
  std::string costs;  // what does not work without it
  std::string remedy;
};

std::string first_line(const Result<run::Captured>& answer)
{
  return answer && answer->status == 0
             ? std::string(trim(answer->output.substr(0, answer->output.find('\n'))))
             : std::string();
}

Finding find_sandbox()
{
  const std::string version = first_line(run::capture({"bwrap", "--version"}));
  const Result<void> works = run::check_sandbox();
  return {"sandbox",
          works.has_value(),
          works ? format("{}, as {}", version, geteuid() == 0 ? "root" : "an ordinary user")
                : works.error().line(),
          "running programs in isolation (without it, only --no-sandbox works)",
          "apt-get install bubblewrap"};
}

Finding find_python(const run::Environment& environment)
{
  Finding finding{"PyTorch",
                  environment.python.has_value(),
                  "",
                  "pytorch and libtorch faults",
                  "apt-get install python3-torch python3-sklearn"};
  if (environment.python) {
    const auto& packages = environment.python->packages;
    finding.detail = format("{} ({}), torch {}",
                            environment.python->path.string(),
                            environment.python->version,
                            packages.at("torch"));
    if (const auto sklearn = packages.find("scikit-learn"); sklearn != packages.end()) {
      finding.detail += format(", scikit-learn {}", sklearn->second);
    } else {
      finding.detail += ", no scikit-learn (apt-get install python3-sklearn)";
    }
  } else {
    finding.detail = "no python3 with torch";
  }
  for (const std::string& other : environment.other_pythons) {
    finding.detail += format("; ignored {}", other);
  }
  return finding;
}

Finding find_node(const run::Environment& environment)
{
  const std::optional<std::string> missing = environment.missing("tfjs");
  Finding finding{"TensorFlow.js",
                  !missing,
                  missing.value_or(""),
                  "tfjs faults",
                  "apt-get install nodejs npm; npm ci"};
  if (!missing) {
    finding.detail = format("{} ({}), @tensorflow/tfjs {}",
                            environment.node->path.string(),
                            environment.node->version,
                            environment.node->packages.at("@tensorflow/tfjs"));
  }
  return finding;
}

Finding find_libtorch(const run::Environment& environment)
{
  Finding finding{"LibTorch",
                  environment.toolchain.has_value(),
                  "no LibTorch headers or no g++",
                  "libtorch faults",
                  "apt-get install libtorch-dev g++"};
  if (environment.toolchain) {
    finding.detail = format("{} ({}), libtorch {}",
                            environment.toolchain->compiler.string(),
                            environment.toolchain->version,
                            environment.toolchain->libtorch);
  }
  return finding;
}

Finding find_environment(const environment::Description& one, const run::Environment& here)
{
  return {one.name,
          here.unbuilt.empty(),
          here.unbuilt.empty() ? one.title : "not built",
          join(one.frameworks, " and ") + " faults in these versions",
          "faultline env build " + one.name};
}

Result<std::vector<Finding>> examine(Session& session)
{
  FL_TRY(const run::Environment* environment, session.environment());
  std::vector<Finding> findings = {find_sandbox(),
                                   find_python(*environment),
                                   find_node(*environment),
                                   find_libtorch(*environment)};
  FL_TRY(const run::Environments* environments, session.environments());
  for (const environment::Description& one : environments->descriptions()) {
    if (one.driver != environment::k_system.name && one.is_default) {
      findings.push_back(find_environment(one, environments->get(one.name)));
    }
  }
  for (const auto& [name, folder] : catalog::data_sets()) {
    const bool there = environment->data_sets.contains(name);
    findings.push_back({"data set " + name,
                        there,
                        there ? folder : "not installed",
                        "faults on " + name,
                        "npm ci"});
  }
  Result<run::OutcomeStore*> store = session.store();
  FL_TRY(const std::filesystem::path home, session.home());
  findings.push_back({"store",
                      store.has_value(),
                      store ? (home / "store.sqlite").string() : store.error().line(),
                      "keeping results",
                      "make the folder writable or set FAULTLINE_HOME"});
  FL_TRY(const catalog::Catalog* all, session.catalog());
  findings.push_back({"faultload",
                      all->problems.empty(),
                      format("{} in {}, {} unreadable",
                             count_of(all->faults.size(), "fault"),
                             (all->root / "faults").string(),
                             all->problems.size()),
                      "those faults",
                      "repair what the messages above name"});
  return findings;
}

Result<int> run(Session& session, bool json)
{
  FL_TRY(const std::vector<Finding> findings, examine(session));
  bool complete = true;
  Json list = Json::array();
  std::string text;
  const Painter paint = session.out();
  for (const Finding& finding : findings) {
    complete = complete && finding.there;
    Json entry = {{"name", finding.name}, {"there", finding.there}, {"detail", finding.detail}};
    if (!finding.there) {
      entry["costs"] = finding.costs;
      entry["remedy"] = finding.remedy;
    }
    list.push_back(std::move(entry));
    text += format("{} {:<16} {}\n",
                   finding.there ? paint(Colour::green, "✓") : paint(Colour::red, "✗"),
                   finding.name,
                   finding.detail);
    if (!finding.there) {
      text += format(
          "  {:<16} needed for {}; to install or repair: {}\n", "", finding.costs, finding.remedy);
    }
  }
  if (json) {
    session.print_json({{"complete", complete}, {"findings", list}});
  } else {
    session.print(text + (complete ? "\nNothing is missing.\n" : "\nSomething is missing.\n"));
  }
  return complete ? k_exit_ok : k_exit_machine;
}

} // namespace

Action declare_doctor(Arguments& arguments, Session& session)
{
  auto json = std::make_shared<bool>(false);
  arguments.flag("--json", *json, "print JSON");
  return [json, &session] { return run(session, *json); };
}

} // namespace faultline::cli
