#include "campaign/data.hpp"

#include "base/text.hpp"

#include <algorithm>
#include <array>

namespace faultline::campaign {

std::string_view name_of(Symptom symptom)
{
  switch (symptom) {
  case Symptom::crash:
    return "crash";
  case Symptom::hang:
    return "hang";
  case Symptom::out_of_memory:
    return "out-of-memory";
  case Symptom::not_a_number:
    return "not-a-number";
  case Symptom::invalid_metric:
    return "invalid-metric";
  case Symptom::degraded:
    return "degraded";
  case Symptom::improved:
    return "improved";
  case Symptom::slower:
    return "slower";
  case Symptom::faster:
    return "faster";
  case Symptom::normal:
    return "normal";
  }
  return {};
}

std::span<const Symptom> all_symptoms()
{
  static constexpr std::array k_all = {Symptom::normal,
                                       Symptom::crash,
                                       Symptom::hang,
                                       Symptom::out_of_memory,
                                       Symptom::not_a_number,
                                       Symptom::invalid_metric,
                                       Symptom::degraded,
                                       Symptom::improved,
                                       Symptom::slower,
                                       Symptom::faster};
  return k_all;
}

std::optional<Symptom> symptom_named(std::string_view name)
{
  const auto found =
      std::ranges::find_if(all_symptoms(), [name](Symptom s) { return name_of(s) == name; });
  return found == all_symptoms().end() ? std::nullopt : std::optional(*found);
}

std::string_view name_of(Start start)
{
  switch (start) {
  case Start::cold:
    return "cold";
  case Start::function:
    return "function";
  case Start::defaults:
    return "defaults";
  case Start::module:
    return "module";
  case Start::none:
    return "none";
  }
  return {};
}

std::string_view name_of(Decision decision)
{
  switch (decision) {
  case Decision::ran:
    return "ran";
  case Decision::same_value:
    return "same-value";
  case Decision::same_state:
    return "same-state";
  }
  return {};
}

std::optional<Start> start_named(std::string_view name)
{
  for (const Start start :
       {Start::cold, Start::function, Start::defaults, Start::module, Start::none}) {
    if (name_of(start) == name) {
      return start;
    }
  }
  return std::nullopt;
}

std::optional<Decision> decision_named(std::string_view name)
{
  for (const Decision decision : {Decision::ran, Decision::same_value, Decision::same_state}) {
    if (name_of(decision) == name) {
      return decision;
    }
  }
  return std::nullopt;
}

std::string phases_text(const VariantRecord& record)
{
  return join(record.phases, ", ");
}

std::map<std::string, std::string> addresses_of(const Data& data)
{
  std::map<std::string, std::string> addresses = {{"", data.clean_address}};
  for (const VariantRecord& record : data.variants) {
    addresses[record.variant.id] = record.address;
  }
  return addresses;
}

} // namespace faultline::campaign
