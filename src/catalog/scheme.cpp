#include "catalog/scheme.hpp"

#include "base/file.hpp"
#include "base/format.hpp"
#include "base/text.hpp"
#include "base/toml.hpp"

#include <algorithm>

namespace faultline::catalog {

// File of each scheme below `taxonomy/`.
static std::string file_of(std::string_view scheme)
{
  static const std::map<std::string_view, std::string> k_files = {
      {"type", "types.toml"},
      {"category", "categories.toml"},
      {"fix_pattern", "fix_patterns.toml"},
      {"symptom", "symptoms.toml"},
      {"property", "properties.toml"},
      {"phase", "phases.toml"},
      {"level", "levels.toml"}};
  return k_files.at(scheme);
}

const Label* Scheme::find(std::string_view id) const
{
  const auto found = std::ranges::find(labels, id, &Label::id);
  return found == labels.end() ? nullptr : &*found;
}

std::vector<std::string> Scheme::leaf_ids() const
{
  std::vector<std::string> ids;
  for (const Label& label : labels) {
    if (label.leaf) {
      ids.push_back(label.id);
    }
  }
  return ids;
}

const Scheme& Schemes::get(std::string_view name) const
{
  const auto found = std::ranges::find(all, name, &Scheme::name);
  FL_ASSERT(found != all.end(), "every scheme of k_scheme_names is loaded");
  return *found;
}

bool is_within(std::string_view id, std::string_view ancestor)
{
  return id.starts_with(ancestor) && (id.size() == ancestor.size() || id[ancestor.size()] == '/');
}

static std::array<int, 3> read_shares(TomlReader& in, std::string_view key)
{
  const std::vector<int> shares = in.integers(key);
  if (shares.size() != 3) {
    in.refuse(key, format("`{}` must be three percentages", key));
    return {};
  }
  return {shares[0], shares[1], shares[2]};
}

static Label read_label(TomlReader& in)
{
  Label label;
  label.id = in.text("id");
  label.name = in.text("name");
  label.definition = in.text("definition");
  label.leaf = in.flag("leaf", true);
  for (const char* key : {"artefacts", "interviews", "stack_overflow", "github", "faults"}) {
    if (const std::optional<long long> count = in.optional_integer(key)) {
      label.counts[key] = static_cast<int>(*count);
    }
  }
  if (std::optional<TomlReader> survey = in.optional_table("survey")) {
    label.survey = Survey{static_cast<int>(survey->integer("met")),
                          read_shares(*survey, "severity"),
                          read_shares(*survey, "effort")};
  }
  return label;
}

static Result<Scheme> load_scheme(const std::filesystem::path& path, std::string_view name)
{
  FL_TRY(const std::string text, read_file(path));
  FL_TRY(const toml::table table, parse_toml(text, path.string()));
  TomlReader in(table, path.string());
  Scheme scheme;
  scheme.name = in.text("scheme");
  scheme.title = in.text("title");
  scheme.source = in.text("source");
  in.optional_text("license");
  if (scheme.name != name) {
    in.refuse("scheme", format("this file must hold the scheme `{}`", name));
  }
  for (TomlReader node : in.tables("node")) {
    Label label = read_label(node);
    if (scheme.find(label.id) != nullptr) {
      node.refuse("id", format("duplicate label `{}`", label.id));
    }
    const size_t slash = label.id.rfind('/');
    if (slash != std::string::npos && scheme.find(label.id.substr(0, slash)) == nullptr) {
      node.refuse("id", format("`{}` has no parent above it", label.id));
    }
    scheme.labels.push_back(std::move(label));
  }
  FL_CHECK(in.finish());
  return scheme;
}

Result<Schemes> load_schemes(const std::filesystem::path& folder)
{
  Schemes schemes;
  for (const std::string_view name : k_scheme_names) {
    FL_TRY(Scheme scheme, load_scheme(folder / file_of(name), name));
    schemes.all.push_back(std::move(scheme));
  }
  return schemes;
}

} // namespace faultline::catalog
