#include "trace/symptom.hpp"

#include <algorithm>
#include <array>

namespace faultline::trace {

#define FL_SYMPTOM(code, group, file) extern const Symptom file;
#include "trace/symptoms.inc"
#undef FL_SYMPTOM

// Pages in the order of symptoms.inc; made from the .md files by the build.
extern const std::string_view k_pages[];

namespace {

struct Entry {
  Symptom symptom;
  std::string_view group;
};

Entry entry(const Symptom& symptom, std::string_view code, std::string_view group)
{
  Entry made{symptom, group};
  made.symptom.code = code;
  return made;
}

const auto& entries()
{
  static const auto k_entries = std::to_array<Entry>({
#define FL_SYMPTOM(code, group, file) entry(file, #code, #group),
#include "trace/symptoms.inc"
#undef FL_SYMPTOM
  });
  return k_entries;
}

size_t index_of(const Symptom& symptom)
{
  const auto found =
      std::ranges::find(entries(), symptom.code, [](const Entry& e) { return e.symptom.code; });
  return static_cast<size_t>(found - entries().begin());
}

} // namespace

std::span<const Symptom* const> all_symptoms()
{
  static const std::vector<const Symptom*> k_symptoms = [] {
    std::vector<const Symptom*> symptoms;
    for (const Entry& e : entries()) {
      symptoms.push_back(&e.symptom);
    }
    return symptoms;
  }();
  return k_symptoms;
}

const Symptom* find_symptom(std::string_view code_or_name)
{
  const std::span<const Symptom* const> symptoms = all_symptoms();
  const auto found = std::ranges::find_if(symptoms, [code_or_name](const Symptom* symptom) {
    return symptom->code == code_or_name || symptom->name == code_or_name;
  });
  return found == symptoms.end() ? nullptr : *found;
}

std::string_view documentation_of(const Symptom& symptom)
{
  const size_t index = index_of(symptom);
  return index < entries().size() ? k_pages[index] : std::string_view();
}

std::string_view group_of(const Symptom& symptom)
{
  const size_t index = index_of(symptom);
  return index < entries().size() ? entries()[index].group : std::string_view();
}

} // namespace faultline::trace
