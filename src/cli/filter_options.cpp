#include "cli/filter_options.hpp"

#include "base/format.hpp"
#include "base/text.hpp"

#include <algorithm>
#include <iterator>

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
  for (const CLI::Option* option : app.get_options()) {
    if (option->get_group() == group) {
      options->all.push_back(option);
    }
  }
  return options;
}

std::vector<const CLI::Option*> FilterOptions::given() const
{
  std::vector<const CLI::Option*> options;
  std::ranges::copy_if(all, std::back_inserter(options), [](const CLI::Option* option) {
    return option->count() > 0;
  });
  return options;
}

std::string FilterOptions::words() const
{
  std::string text;
  for (const CLI::Option* option : given()) {
    const bool is_flag = option->get_expected_max() == 0;
    for (const std::string& value : option->results()) {
      const bool is_plain = value.find_first_of(" \t'\"\\$") == std::string::npos;
      text += " " + option->get_name();
      if (is_flag) {
        break;
      }
      text += is_plain ? " " + value : format(" '{}'", replace_all(value, "'", "'\\''"));
    }
  }
  return text;
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
