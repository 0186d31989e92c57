// How numbers and places of a campaign are written.

#include "base/format.hpp"
#include "report/campaign_tables.hpp"

#include <algorithm>
#include <cmath>

namespace faultline::report {

std::string print_value(double value)
{
  if (!std::isfinite(value)) {
    return std::isnan(value) ? "NaN" : value > 0 ? "∞" : "−∞";
  }
  const double size = std::abs(value);
  std::string text = size < 10     ? format("{:.4f}", value)
                     : size < 1000 ? format("{:.2f}", value)
                     : size < 1e7  ? format("{:.0f}", value)
                                   : format("{:.3e}", value);
  return value < 0 ? "−" + text.substr(1) : text;
}

std::string print_share(double share)
{
  return format("{:.1f} %", 100 * share);
}

std::string capitalised(std::string text)
{
  if (!text.empty() && text[0] >= 'a' && text[0] <= 'z') {
    text[0] = static_cast<char>(text[0] - 'a' + 'A');
  }
  return text;
}

Cell count_cell(size_t count)
{
  return {std::to_string(count), static_cast<double>(count)};
}

Cell value_cell(double value)
{
  return {print_value(value), value};
}

Cell share_cell(double share)
{
  return {print_share(share), share};
}

Cell chance_cell(double p)
{
  return {print_p(p), p};
}

Cell code_cell(std::string text)
{
  return {std::move(text), {}, {}, true};
}

Cell variant_cell(const std::string& id)
{
  return {id, {}, id, false};
}

std::string place_of(const inject::Variant& variant)
{
  return format("{}:{}", variant.file, variant.line);
}

std::string change_of(const inject::Variant& variant)
{
  return format("{} → {}", variant.before, variant.after);
}

std::string quantity_name(const study::CampaignAnalysis& analysis, study::Quantity quantity)
{
  return quantity == study::Quantity::metric ? analysis.metric_name() : "CPU seconds";
}

std::vector<campaign::Symptom> symptoms_that_occur(const study::CampaignAnalysis& analysis)
{
  std::vector<campaign::Symptom> symptoms;
  for (const campaign::Symptom symptom : campaign::all_symptoms()) {
    if (analysis.all.symptoms.of(symptom) > 0) {
      symptoms.push_back(symptom);
    }
  }
  return symptoms;
}

} // namespace faultline::report
