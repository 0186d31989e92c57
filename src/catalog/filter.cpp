#include "catalog/filter.hpp"

#include "base/format.hpp"
#include "base/text.hpp"
#include "catalog/text_index.hpp"

#include <algorithm>
#include <charconv>

namespace faultline::catalog {

// Listing more names than this would not help.
constexpr size_t k_most_listed = 15;
// A shorter text occurs in too many names by chance.
constexpr size_t k_least_letters = 4;

// The name that a user most likely meant: all of it, its last part, or some part of it.
static std::optional<std::string> meant(const std::string& name, std::span<const std::string> known)
{
  if (std::optional<std::string> whole = nearest(name, known)) {
    return whole;
  }
  std::vector<std::string> tails;
  for (const std::string& id : known) {
    tails.push_back(id.substr(id.rfind('/') + 1)); // npos + 1 is 0
  }
  if (const std::optional<std::string> tail = nearest(name, tails)) {
    return known[static_cast<size_t>(std::ranges::find(tails, *tail) - tails.begin())];
  }
  const std::string* shortest = nullptr;
  for (const std::string& id : known) {
    if (id.find(name) != std::string::npos &&
        (shortest == nullptr || id.size() < shortest->size())) {
      shortest = &id;
    }
  }
  return shortest != nullptr && name.size() >= k_least_letters ? std::optional(*shortest)
                                                               : std::nullopt;
}

std::string hint_for(const std::string& name, std::span<const std::string> known)
{
  if (const std::optional<std::string> guess = meant(name, known)) {
    return format(", did you mean `{}`?", *guess);
  }
  return known.empty() || known.size() > k_most_listed
             ? ""
             : format("; it is one of {}", join(known, ", "));
}

std::string hint_for(const std::string& name, const Scheme& scheme)
{
  std::vector<std::string> all;
  std::vector<std::string> tops;
  for (const Label& label : scheme.labels) {
    all.push_back(label.id);
    if (label.id.find('/') == std::string::npos) {
      tops.push_back(label.id);
    }
  }
  const std::string hint = hint_for(name, all);
  return hint.empty() ? format("; each begins with one of {}", join(tops, ", ")) : hint;
}

std::string hint_for(const std::string& id, const Catalog& catalog)
{
  if (std::ranges::find(catalog.unreadable, id) != catalog.unreadable.end()) {
    return ": what is wrong with its folder is said above";
  }
  const std::string hint = hint_for(id, catalog.ids());
  return hint.empty() ? "; `faultline list` names them all" : hint;
}

static Error unknown(std::string_view what, const std::string& name, const std::string& hint)
{
  return {ErrorKind::not_found, format("unknown {} `{}`{}", what, name, hint)};
}

Result<void> check_filter(const Filter& filter, const Catalog& catalog)
{
  for (const auto& [name, values] : filter.labels) {
    const Scheme& scheme = catalog.schemes.get(name);
    for (const std::string& value : values) {
      if (scheme.find(value) == nullptr) {
        return unknown(replace_all(name, "_", " "), value, hint_for(value, scheme));
      }
    }
  }
  const std::vector<std::string> frameworks(k_frameworks.begin(), k_frameworks.end());
  for (const std::string& framework : filter.frameworks) {
    if (std::ranges::find(frameworks, framework) == frameworks.end()) {
      return unknown("framework", framework, hint_for(framework, frameworks));
    }
  }
  for (const std::string& id : filter.ids) {
    if (catalog.find(id) == nullptr) {
      return unknown("fault", id, hint_for(id, catalog));
    }
  }
  return {};
}

static bool any_or_empty(const std::vector<std::string>& wanted, const std::string& value)
{
  return wanted.empty() || std::ranges::find(wanted, value) != wanted.end();
}

static bool matches_labels(const Fault& fault, const Filter& filter)
{
  return std::ranges::all_of(filter.labels, [&](const auto& wanted) {
    return std::ranges::any_of(fault.parts, [&](const Part& part) {
      return std::ranges::any_of(wanted.second, [&](const std::string& value) {
        return is_within(part.labels.get(wanted.first), value);
      });
    });
  });
}

static bool matches_file(const Fault& fault, const std::string& wanted)
{
  const size_t colon = wanted.rfind(':');
  const std::string file = wanted.substr(0, colon);
  int line = 0; // any
  if (colon != std::string::npos) {
    const char* end = wanted.data() + wanted.size();
    const auto [stop, error] = std::from_chars(wanted.data() + colon + 1, end, line);
    if (error != std::errc() || stop != end) {
      return false;
    }
  }
  return std::ranges::any_of(fault.parts, [&](const Part& part) {
    const std::vector<int>& lines = part.location.lines;
    return part.location.file == file &&
           (line == 0 || std::ranges::find(lines, line) != lines.end());
  });
}

static bool matches_environments(const Fault& fault, const Filter& filter)
{
  return !filter.environments ||
         std::ranges::any_of(*filter.environments, [&fault](const std::string& wanted) {
           return std::ranges::find(fault.environments, wanted) != fault.environments.end();
         });
}

static bool matches(const Fault& fault, const Filter& filter)
{
  return any_or_empty(filter.ids, fault.id) && any_or_empty(filter.frameworks, fault.framework) &&
         any_or_empty(filter.origins, fault.origin.kind) &&
         any_or_empty(filter.datasets, fault.origin.dataset) &&
         matches_environments(fault, filter) && (!filter.split || *filter.split == fault.split) &&
         (!filter.silent || *filter.silent == fault.silent) &&
         (filter.withdrawn || !fault.withdrawn || !filter.ids.empty()) &&
         matches_labels(fault, filter) &&
         (filter.files.empty() || std::ranges::any_of(filter.files, [&](const std::string& file) {
            return matches_file(fault, file);
          }));
}

Result<std::vector<const Fault*>>
select(const Catalog& catalog, const Filter& filter, const std::filesystem::path& index)
{
  FL_CHECK(check_filter(filter, catalog));
  std::vector<const Fault*> selected;
  if (trim(filter.search).empty()) {
    for (const Fault& fault : catalog.faults) {
      selected.push_back(&fault);
    }
  } else {
    FL_TRY(TextIndex texts, TextIndex::open(index, catalog));
    FL_TRY(const std::vector<std::string> ids, texts.search(filter.search));
    for (const std::string& id : ids) {
      if (const Fault* fault = catalog.find(id)) {
        selected.push_back(fault);
      }
    }
  }
  std::erase_if(selected, [&filter](const Fault* fault) { return !matches(*fault, filter); });
  return selected;
}

} // namespace faultline::catalog
