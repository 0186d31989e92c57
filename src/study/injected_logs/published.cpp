#include "study/injected_logs/published.hpp"

#include "base/format.hpp"
#include "base/toml.hpp"

namespace faultline::study {
extern const std::string_view k_pages[]; // made from published.toml
}

namespace faultline::study::injected {

void SymptomCounts::add(LogSymptom symptom)
{
  switch (symptom) {
  case LogSymptom::normal:
    ++normal;
    return;
  case LogSymptom::crash:
    ++crash;
    return;
  case LogSymptom::hang:
    ++hang;
    return;
  }
}

std::string print(const SymptomCounts& counts)
{
  return format("{}/{}/{}", counts.normal, counts.crash, counts.hang);
}

std::string_view name_of(Measure measure)
{
  return measure == Measure::accuracy ? "accuracy" : "time";
}

// `count` numbers that count something; zeros, with the problem noted, where they are none.
static std::vector<size_t> counts(TomlReader& table, std::string_view key, size_t count)
{
  const std::vector<int> values = table.integers(key);
  std::vector<size_t> result(count, 0);
  if (values.size() != count) {
    table.refuse(key, format("{} counts are wanted", count));
    return result;
  }
  for (size_t i = 0; i < count; ++i) {
    if (values[i] < 0) {
      table.refuse(key, "a count is not negative");
      return result;
    }
    result[i] = static_cast<size_t>(values[i]);
  }
  return result;
}

static SymptomCounts symptom_counts(TomlReader& table, std::string_view key)
{
  const std::vector<size_t> values = counts(table, key, 3);
  return {values[0], values[1], values[2]};
}

Result<Published> parse_published(std::string_view text, const std::string& file)
{
  FL_TRY(const toml::table table, parse_toml(text, file));
  TomlReader reader(table, file);
  Published published;
  TomlReader material = reader.table("material");
  TomlReader logs = material.table("logs");
  TomlReader entries = material.table("entries");
  TomlReader symptoms = reader.table("symptoms");
  TomlReader operators = reader.table("operators");
  TomlReader outliers = reader.table("outliers");
  for (const Library library : k_libraries) {
    const std::string_view name = name_of(library);
    published.logs[library] = static_cast<size_t>(logs.integer(name));
    published.entries[library] = static_cast<size_t>(entries.integer(name));
    published.symptoms[library] = symptom_counts(symptoms, name);
    TomlReader rows = operators.table(name);
    for (const std::string_view mutation_operator : k_operators) {
      published.operators[library][std::string(mutation_operator)] =
          symptom_counts(rows, mutation_operator);
    }
    TomlReader of_library = outliers.table(name);
    for (const Measure measure : k_measures) {
      const std::vector<size_t> values = counts(of_library, name_of(measure), 2);
      published.outliers[library][measure] = {values[0], values[1]};
    }
  }
  TomlReader invalid = reader.table("invalid_accuracies");
  published.invalid_accuracies = static_cast<size_t>(invalid.integer("count"));
  published.named_invalid_accuracy = invalid.number("named");
  for (TomlReader& known : reader.tables("known_difference")) {
    const std::optional<Library> library = library_named(known.text("library"));
    if (!library) {
      known.refuse("library", "no such library");
      continue;
    }
    published.known.push_back({*library,
                               known.text("operator"),
                               symptom_counts(known, "recomputed"),
                               known.text("because")});
  }
  FL_CHECK(reader.finish());
  return published;
}

const Published& published_study()
{
  static const Published k_published = [] {
    Result<Published> parsed = parse_published(k_pages[0], "published.toml");
    FL_ASSERT(parsed.has_value(), "the file compiled in can be read");
    return *std::move(parsed);
  }();
  return k_published;
}

} // namespace faultline::study::injected
