#include "catalog/checkout.hpp"

#include "base/format.hpp"
#include "base/json.hpp"
#include "catalog/data_sets.hpp"
#include "catalog/history.hpp"

namespace faultline::catalog {

namespace fs = std::filesystem;

std::string_view name_of(Version version)
{
  return version == Version::buggy ? "buggy" : "fixed";
}

static std::string checkout_json(const Fault& fault, Version version)
{
  Json json;
  json["id"] = fault.id;
  json["version"] = name_of(version);
  json["framework"] = fault.framework;
  json["directory"] = "program";
  json["command"] = fault.run.command;
  json["test"] = fault.run.test;
  if (fault.run.compile) {
    json["compile"] = {{"sources", fault.run.compile->sources},
                       {"output", fault.run.compile->output}};
  }
  json["environments"] = fault.environments;
  return print_json(json);
}

Result<Layout>
lay_out(const Fault& fault, const FileTree& program, Version version, const fs::path& probes)
{
  Layout layout;
  for (const auto& [path, content] : program) {
    layout.files["program/" + path] = content;
  }
  layout.files[fault.test_file] = fault.test_text;
  FL_TRY(const FileTree oracle, read_tree(probes / "oracle"));
  const std::string ending = fault.test_file.substr(fault.test_file.rfind('.'));
  for (const auto& [path, content] : oracle) {
    if (path.ends_with(ending)) {
      layout.files["oracle/" + path] = content;
    }
  }
  layout.files["checkout.json"] = checkout_json(fault, version);
  for (const std::string& name : fault.data) {
    layout.data_links["program/data/" + name] = name;
  }
  return layout;
}

// Links to data sets and Node's packages, so that the program runs in place.
static Result<void> link_outside(const Fault& fault,
                                 const Layout& layout,
                                 const fs::path& packages,
                                 const fs::path& folder)
{
  std::map<fs::path, fs::path> links;
  for (const auto& [path, name] : layout.data_links) {
    links[folder / path] = packages / data_sets().at(name);
  }
  if (fault.framework == "tfjs") {
    links[folder / "node_modules"] = packages / "node_modules";
  }
  for (const auto& [path, target] : links) {
    std::error_code code;
    fs::create_directories(path.parent_path(), code);
    fs::create_directory_symlink(target, path, code);
    if (code) {
      return Error{ErrorKind::io, format("cannot link {}: {}", path.string(), code.message())};
    }
  }
  return {};
}

Result<void>
check_out(const Fault& fault, const CheckoutSources& from, const CheckoutConfig& config)
{
  std::error_code code;
  if (fs::exists(config.folder, code) && !fs::is_empty(config.folder, code)) {
    return Error{ErrorKind::usage,
                 format("{} exists and is not empty; name a new folder", config.folder.string())};
  }
  FL_TRY(const FileTree program, program_of(fault, config.version));
  FL_TRY(const Layout layout, lay_out(fault, program, config.version, from.probes));
  FL_CHECK(write_tree(config.folder, layout.files));
  FL_CHECK(link_outside(fault, layout, from.packages, config.folder));
  if (config.history) {
    FL_TRY(const FileTree buggy, program_of(fault, Version::buggy));
    FL_TRY(const FileTree fixed, program_of(fault, Version::fixed));
    FL_TRY(const Layout first, lay_out(fault, buggy, Version::buggy, from.probes));
    FL_TRY(const Layout second, lay_out(fault, fixed, Version::fixed, from.probes));
    return write_history(config.folder,
                         {{"buggy", fault.id + ": buggy version", first.files},
                          {"fixed", fault.id + ": fixed version", second.files}},
                         std::string(name_of(config.version)));
  }
  return {};
}

Result<OpenedCheckout> open_checkout(const fs::path& folder)
{
  const fs::path file = folder / "checkout.json";
  Result<std::string> text = read_file(file);
  if (!text) {
    return Error{ErrorKind::not_found,
                 format("{} is not a checkout: it has no checkout.json", folder.string())};
  }
  const Json json = parse_json(*text);
  const auto has_text = [&json](const char* key) {
    return json.contains(key) && json[key].is_string();
  };
  if (!json.is_object() || !has_text("id") || !has_text("version")) {
    return Error{ErrorKind::bad_data,
                 format("{}:1: not the description of a checkout", file.string())};
  }
  OpenedCheckout opened;
  opened.id = json["id"].get<std::string>();
  opened.version = json["version"] == "fixed" ? Version::fixed : Version::buggy;
  std::error_code code;
  // The data links are ours and lead outside; everything else must be plain files.
  for (fs::recursive_directory_iterator it(folder / "program", code), end; !code && it != end;
       it.increment(code)) {
    const std::string path = fs::relative(it->path(), folder / "program", code).generic_string();
    if (it->is_symlink()) {
      it.disable_recursion_pending();
    } else if (it->is_directory() && it->path().filename() == "__pycache__") {
      it.disable_recursion_pending();
    } else if (it->is_regular_file()) {
      FL_TRY(opened.program[path], read_file(it->path()));
    }
  }
  if (code) {
    return Error{ErrorKind::io, format("cannot read {}: {}", folder.string(), code.message())};
  }
  return opened;
}

} // namespace faultline::catalog
