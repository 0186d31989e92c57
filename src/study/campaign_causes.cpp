// Variants that stand out, and why runs crash.

#include "study/campaign_parts.hpp"

#include <algorithm>
#include <tuple>

namespace faultline::study {

std::vector<Outlier> outliers_of(const CampaignAnalysis& analysis)
{
  std::vector<Outlier> outliers;
  const auto add = [&](Quantity quantity,
                       const std::optional<Box>& box,
                       const std::optional<Box>& clean) {
    if (!box) {
      return;
    }
    // Where most variants equal the clean run of their seed the box has no height, and every other
    // value would be an outlier; what another seed does to the clean program is none.
    const double low = clean ? std::min(box->lower_whisker, clean->minimum) : box->lower_whisker;
    const double high = clean ? std::max(box->upper_whisker, clean->maximum) : box->upper_whisker;
    const auto begin = static_cast<long>(outliers.size());
    for (size_t i = 0; i < analysis.outcomes.size(); ++i) {
      const VariantOutcome& outcome = analysis.outcomes[i];
      const auto value = quantity == Quantity::metric ? outcome.metric : outcome.seconds;
      if (value && (*value < low || *value > high)) {
        outliers.push_back({quantity, i, *value, *value > high});
      }
    }
    const auto distance = [low, high](const Outlier& o) {
      return o.above ? o.value - high : low - o.value;
    };
    std::stable_sort(outliers.begin() + begin,
                     outliers.end(),
                     [&](const Outlier& a, const Outlier& b) { return distance(a) > distance(b); });
  };
  add(Quantity::metric, analysis.all.metric, analysis.clean.metric);
  add(Quantity::seconds, analysis.all.seconds, analysis.clean.seconds);
  return outliers;
}

std::vector<CrashGroup> crashes_of(const CampaignAnalysis& analysis)
{
  std::map<std::string, const campaign::Crash*> crash_by_variant;
  static const campaign::Crash k_unknown{"unknown", {}, {}, 0, {}, {}};
  for (const campaign::Run& run : analysis.data.runs) {
    if (run.symptom == campaign::Symptom::crash) {
      crash_by_variant.emplace(run.variant, run.crash ? &*run.crash : &k_unknown);
    }
  }
  std::map<std::tuple<std::string, std::string, size_t, std::string>, CrashGroup> groups;
  size_t total = 0;
  for (size_t i = 0; i < analysis.outcomes.size(); ++i) {
    if (analysis.outcomes[i].symptom != campaign::Symptom::crash) {
      continue;
    }
    const campaign::Crash& crash =
        *crash_by_variant.at(analysis.record_of(analysis.outcomes[i]).variant.id);
    CrashGroup& group = groups[{crash.exception, crash.file, crash.line, crash.statement}];
    if (group.outcomes.empty()) {
      group.exception = crash.exception;
      group.file = crash.file;
      group.line = crash.line;
      group.function = crash.function;
      group.statement = crash.statement;
      group.message = crash.message;
    }
    group.outcomes.push_back(i);
    ++total;
  }
  std::vector<CrashGroup> sorted;
  for (auto& [key, group] : groups) {
    group.share = static_cast<double>(group.outcomes.size()) / static_cast<double>(total);
    sorted.push_back(std::move(group));
  }
  std::ranges::stable_sort(sorted, [](const CrashGroup& a, const CrashGroup& b) {
    return a.outcomes.size() > b.outcomes.size();
  });
  return sorted;
}

} // namespace faultline::study
