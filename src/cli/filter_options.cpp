#include "cli/filter_options.hpp"

#include "base/format.hpp"
#include "base/shell.hpp"
#include "base/text.hpp"
#include "environment/description.hpp"

#include <algorithm>
#include <iterator>

namespace faultline::cli {

// "fix_pattern" as an option: "--fix-pattern".
static std::string option_of(std::string_view scheme)
{
  return "--" + replace_all(std::string(scheme), "_", "-");
}

std::shared_ptr<FilterOptions> add_filter_options(Arguments& arguments)
{
  auto options = std::make_shared<FilterOptions>();
  catalog::Filter& filter = options->filter;
  const std::string group = "Which faults";
  for (const std::string_view scheme : catalog::k_scheme_names) {
    arguments
        .option(option_of(scheme),
                options->labels[std::string(scheme)],
                scheme == "type" ? "with this type, or one below it" : "with this label")
        .named("LABEL")
        .repeated()
        .in_group(group);
  }
  arguments
      .option("--framework",
              filter.frameworks,
              "of these frameworks: pytorch, keras, tensorflow, tfjs, libtorch")
      .named("NAME,…")
      .repeated()
      .separated_by(',')
      .in_group(group);
  arguments
      .option("--in", options->environments, "proved in this environment (`faultline env list`)")
      .named("NAME,…")
      .repeated()
      .separated_by(',')
      .in_group(group);
  arguments
      .option("--framework-version",
              options->framework_version,
              "proved with this version of the framework: 2.15, or 2 for any 2.x")
      .named("VERSION")
      .in_group(group);
  arguments.option("--python", options->python, "proved with this version of Python")
      .named("VERSION")
      .in_group(group);
  arguments.option("--origin", filter.origins, "from stack_overflow, github, study or injected")
      .named("KIND")
      .repeated()
      .one_of({"stack_overflow", "github", "study", "injected"})
      .in_group(group);
  arguments.option("--dataset", filter.datasets, "whose labels were published with this data set")
      .named("NAME")
      .repeated()
      .in_group(group);
  arguments.option("--location", filter.files, "located in this file, or at file:line")
      .named("FILE")
      .repeated()
      .in_group(group);
  arguments.option("--split", options->split, "of this split: dev, test")
      .one_of({"dev", "test"})
      .named("NAME")
      .in_group(group);
  arguments.flag("--silent", options->silent, "that neither crash nor print anything unusual")
      .in_group(group);
  arguments.flag("--loud", options->loud, "that are not silent").in_group(group);
  arguments.flag("--withdrawn", filter.withdrawn, "include those that were withdrawn")
      .in_group(group);
  arguments.option("--search", filter.search, "that contain all these words (full-text search)")
      .named("WORDS")
      .in_group(group);
  for (const Option& option : arguments.options()) {
    if (option.group() == group) {
      options->all.push_back(option);
    }
  }
  return options;
}

std::vector<Option> FilterOptions::given() const
{
  std::vector<Option> options;
  std::ranges::copy_if(
      all, std::back_inserter(options), [](const Option& option) { return option.given(); });
  return options;
}

std::string FilterOptions::words() const
{
  std::string text;
  for (const Option& option : given()) {
    const bool is_flag = option.is_flag();
    for (const std::string& value : option.values()) {
      text += " " + option.name();
      if (is_flag) {
        break;
      }
      text += " " + shell_word(value);
    }
  }
  return text;
}

// The environments that are asked for, by name or by what they have; nothing if any will do.
static Result<std::optional<std::vector<std::string>>>
wanted_environments(const Session& session, const FilterOptions& options)
{
  std::optional<std::vector<std::string>> wanted;
  if (options.environments.empty() && options.framework_version.empty() && options.python.empty()) {
    return wanted;
  }
  FL_TRY(const std::filesystem::path folder, session.described());
  FL_TRY(const std::vector<environment::Description> all, environment::load_descriptions(folder));
  std::vector<std::string> names;
  for (const environment::Description& one : all) {
    names.push_back(one.name);
  }
  for (const std::string& name : options.environments) {
    if (environment::find(all, name) == nullptr) {
      return Error{ErrorKind::not_found,
                   format("unknown environment `{}`{}", name, catalog::hint_for(name, names))};
    }
  }
  wanted = options.environments.empty() ? names : options.environments;
  const auto keep = [&wanted](const std::vector<std::string>& fitting) {
    std::erase_if(*wanted, [&fitting](const std::string& name) {
      return std::ranges::find(fitting, name) == fitting.end();
    });
  };
  if (!options.framework_version.empty()) {
    keep(environment::with_framework_version(all, options.framework_version));
  }
  if (!options.python.empty()) {
    keep(environment::with_python(all, options.python));
  }
  return wanted;
}

Result<std::vector<const catalog::Fault*>> selected_faults(Session& session, FilterOptions& options)
{
  catalog::Filter filter = options.filter;
  for (const auto& [scheme, values] : options.labels) {
    if (!values.empty()) {
      filter.labels[scheme] = values;
    }
  }
  if (!options.split.empty()) {
    filter.split = options.split;
  }
  if (options.silent != options.loud) {
    filter.silent = options.silent;
  }
  FL_TRY(filter.environments, wanted_environments(session, options));
  FL_TRY(const catalog::Catalog* all, session.catalog());
  FL_TRY(const std::filesystem::path home, session.home());
  return catalog::select(*all, filter, home / "index.sqlite");
}

} // namespace faultline::cli
