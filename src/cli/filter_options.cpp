#include "cli/filter_options.hpp"

#include "base/text.hpp"

namespace faultline::cli {

// "fix_pattern" as an option: "--fix-pattern".
static std::string option_of(std::string_view scheme)
{
  return "--" + replace_all(std::string(scheme), "_", "-");
}

std::shared_ptr<FilterOptions> add_filter_options(CLI::App& app)
{
  auto options = std::make_shared<FilterOptions>();
  catalog::Filter& filter = options->filter;
  const std::string group = "Which faults";
  for (const std::string_view scheme : catalog::k_scheme_names) {
    app.add_option(option_of(scheme),
                   options->labels[std::string(scheme)],
                   scheme == "type" ? "with this type, or one below it" : "with this label")
        ->type_name("LABEL")
        ->allow_extra_args(false)
        ->group(group);
  }
  app.add_option("--framework", filter.frameworks, "of this framework: pytorch, tfjs, libtorch")
      ->type_name("NAME")
      ->allow_extra_args(false)
      ->group(group);
  app.add_option("--origin", filter.origins, "from stack_overflow, github, study or injected")
      ->type_name("KIND")
      ->allow_extra_args(false)
      ->check(CLI::IsMember({"stack_overflow", "github", "study", "injected"}))
      ->group(group);
  app.add_option("--dataset", filter.datasets, "whose labels this data set published")
      ->type_name("NAME")
      ->allow_extra_args(false)
      ->group(group);
  app.add_option("--location", filter.files, "at fault in this file, or file:line")
      ->type_name("FILE")
      ->allow_extra_args(false)
      ->group(group);
  app.add_option("--split", options->split, "of this split: dev, test")
      ->check(CLI::IsMember({"dev", "test"}))
      ->type_name("NAME")
      ->group(group);
  app.add_flag("--silent", options->silent, "that neither crash nor print anything odd")
      ->group(group);
  app.add_flag("--loud", options->loud, "that are not silent")->group(group);
  app.add_flag("--retired", filter.retired, "also those that were withdrawn")->group(group);
  app.add_option("--search", filter.search, "in which all these words occur (free text)")
      ->type_name("WORDS")
      ->group(group);
  return options;
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
  FL_TRY(const catalog::Catalog* all, session.catalog());
  FL_TRY(const std::filesystem::path home, session.home());
  return catalog::select(*all, filter, home / "index.sqlite");
}

} // namespace faultline::cli
