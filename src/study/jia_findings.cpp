// The nine findings of "How do injected bugs affect deep learning?" (Jia, Zhong, Wang, Huang and
// Li, SANER 2022), each asked again of a campaign. The statements are in our words. Of findings 4
// and 6 to 9 we could not read the wording; what the study's tables on operators (V) and phases
// (VI) suggest is tested in their place, and said to be so.

#include "base/format.hpp"
#include "base/text.hpp"
#include "stats/contingency.hpp"
#include "stats/intervals.hpp"
#include "study/campaign_parts.hpp"

#include <algorithm>
#include <array>

namespace faultline::study {

using campaign::Symptom;

namespace {

struct Answer {
  Verdict verdict = Verdict::undecided;
  std::string numbers;
};

struct Question {
  int number;
  Wording wording;
  std::string_view statement;
  std::string_view criterion;
  Answer (*answer)(const CampaignAnalysis& analysis);
};

// The study's largest share of outliers is 7 %; "few" leaves room for another program.
constexpr double k_few = 0.10;
// Below so many variants a share says nothing.
constexpr size_t k_enough = 5;

Verdict verdict_of(bool held)
{
  return held ? Verdict::held : Verdict::not_held;
}

std::string percent(double share)
{
  return format("{:.1f} %", 100 * share);
}

std::string print_p(double p)
{
  return p < 0.001 ? "p < 0.001" : format("p = {:.3f}", p);
}

Answer most_end_well(const CampaignAnalysis& analysis)
{
  const SymptomCounts& symptoms = analysis.all.symptoms;
  if (symptoms.total < k_enough) {
    return {Verdict::undecided, format("only {} finished", count_of(symptoms.total, "variant"))};
  }
  const size_t well = symptoms.ended_well();
  const stats::Interval interval = stats::wilson(well, symptoms.total);
  return {verdict_of(symptoms.ended_well_share() > 0.5 && symptoms.share(Symptom::crash) < 0.5),
          format("{} of {} ended without an error ({}; 95 % interval {:.1f}–{:.1f} %), {} crashed "
                 "({}), {} hung ({}), {} ran out of memory",
                 well,
                 symptoms.total,
                 percent(symptoms.ended_well_share()),
                 100 * interval.low,
                 100 * interval.high,
                 symptoms.of(Symptom::crash),
                 percent(symptoms.share(Symptom::crash)),
                 symptoms.of(Symptom::hang),
                 percent(symptoms.share(Symptom::hang)),
                 symptoms.of(Symptom::out_of_memory))};
}

// Few variants with a symptom in the quantity, few outliers.
Answer few_outliers(const CampaignAnalysis& analysis,
                    Quantity quantity,
                    Symptom lower,
                    Symptom higher,
                    std::string_view extra)
{
  const std::optional<Box>& box =
      quantity == Quantity::metric ? analysis.all.metric : analysis.all.seconds;
  if (!box || box->count < k_enough) {
    return {Verdict::undecided, "too few variants ended with a value"};
  }
  size_t below = 0;
  size_t above = 0;
  for (const Outlier& outlier : analysis.outliers) {
    if (outlier.quantity == quantity) {
      ++(outlier.above ? above : below);
    }
  }
  const auto count = static_cast<double>(box->count);
  const double outlier_share = static_cast<double>(below + above) / count;
  const size_t beyond = analysis.all.symptoms.of(lower) + analysis.all.symptoms.of(higher);
  const double beyond_share = static_cast<double>(beyond) / count;
  return {
      verdict_of(beyond_share < 0.5 && outlier_share <= k_few),
      format("of {} with a value {} are {}, {} {} ({}); outliers {} below, {} above ({}), {} more "
             "if values of clean runs counted{}",
             box->count,
             analysis.all.symptoms.of(lower),
             name_of(lower),
             analysis.all.symptoms.of(higher),
             name_of(higher),
             percent(beyond_share),
             below,
             above,
             percent(outlier_share),
             box->outliers_below + box->outliers_above - below - above,
             extra)};
}

Answer few_accuracy_outliers(const CampaignAnalysis& analysis)
{
  const size_t invalid = analysis.all.symptoms.of(Symptom::invalid_metric);
  const size_t no_number = analysis.all.symptoms.of(Symptom::not_a_number);
  return few_outliers(
      analysis,
      Quantity::metric,
      Symptom::degraded,
      Symptom::improved,
      format("; {} invalid, {} no number (the study has 5 invalid)", invalid, no_number));
}

Answer few_time_outliers(const CampaignAnalysis& analysis)
{
  return few_outliers(analysis, Quantity::seconds, Symptom::slower, Symptom::faster, "");
}

Answer symptoms_depend_on(const CampaignAnalysis& analysis, Grouping grouping)
{
  const auto test = std::ranges::find(analysis.symptoms_tests, grouping, &SymptomsTest::grouping);
  if (test == analysis.symptoms_tests.end()) {
    return {Verdict::undecided,
            format("needs two {}s, and variants that end well and that do not", name_of(grouping))};
  }
  const auto& groups = grouping == Grouping::op ? analysis.by_operator : analysis.by_phase;
  std::vector<std::string> shares;
  for (const Group& group : groups) {
    shares.push_back(format("{} {}", group.label, percent(1 - group.symptoms.ended_well_share())));
  }
  return {verdict_of(test->p < k_significance),
          format("χ² = {:.1f}, {} degrees of freedom, {}; not ended well: {}",
                 test->chi_squared,
                 test->freedom,
                 print_p(test->p),
                 join(shares, ", "))};
}

Answer symptoms_depend_on_operator(const CampaignAnalysis& analysis)
{
  return symptoms_depend_on(analysis, Grouping::op);
}

Answer symptoms_depend_on_phase(const CampaignAnalysis& analysis)
{
  return symptoms_depend_on(analysis, Grouping::phase);
}

// ComOR, MemOR and LogOR against BVR and NVR.
Answer conditions_crash_more(const CampaignAnalysis& analysis)
{
  constexpr std::array<std::string_view, 3> k_conditions = {"ComOR", "LogOR", "MemOR"};
  constexpr std::array<std::string_view, 2> k_values = {"BVR", "NVR"};
  const double overall = analysis.all.symptoms.share(Symptom::crash);
  std::vector<std::string> shares;
  bool held = true;
  const auto side = [&](std::span<const std::string_view> labels, bool more) {
    std::vector<double> row = {0, 0};
    for (const Group& group : analysis.by_operator) {
      if (std::ranges::find(labels, group.label) == labels.end() ||
          group.symptoms.total < k_enough) {
        continue;
      }
      const double share = group.symptoms.share(Symptom::crash);
      held = held && (more ? share > overall : share < overall);
      shares.push_back(format("{} {}", group.label, percent(share)));
      row[0] += static_cast<double>(group.symptoms.of(Symptom::crash));
      row[1] += static_cast<double>(group.symptoms.total - group.symptoms.of(Symptom::crash));
    }
    return row;
  };
  std::vector<std::vector<double>> table = {side(k_conditions, true)};
  const size_t conditions = shares.size();
  table.push_back(side(k_values, false));
  if (conditions == 0 || shares.size() == conditions) {
    return {Verdict::undecided, "needs five variants of operators of either kind"};
  }
  const auto test = stats::chi_squared_test(table);
  return {verdict_of(held),
          format("crashed: {}; all {}{}",
                 join(shares, ", "),
                 percent(overall),
                 test ? format("; conditions against values: χ² = {:.1f}, {}",
                               test->statistic,
                               print_p(test->p))
                      : "")};
}

// Whether few groups differ from the clean runs: fewer than half of them.
Answer few_groups_differ(const CampaignAnalysis& analysis, Grouping grouping, Quantity quantity)
{
  size_t tested = 0;
  std::vector<std::string> different;
  for (const DifferenceTest& test : analysis.tests) {
    if (test.grouping == grouping && test.quantity == quantity) {
      ++tested;
      if (test.significant()) {
        different.push_back(format("{} (d = {:.2f})", test.label, test.cohens_d));
      }
    }
  }
  if (tested == 0) {
    return {Verdict::undecided, "needs two clean runs and two variants of a group"};
  }
  std::string numbers = format("{} of {} {}s differ", different.size(), tested, name_of(grouping));
  numbers += different.empty() ? "" : ": " + join(different, ", ");
  for (const GroupsTest& test : analysis.groups_tests) {
    if (test.grouping == grouping && test.quantity == quantity) {
      numbers += format("; among {}s F = {:.2f}, {}", name_of(grouping), test.f, print_p(test.p));
    }
  }
  return {verdict_of(2 * different.size() < tested), numbers};
}

Answer few_operators_differ(const CampaignAnalysis& analysis)
{
  const Answer metric = few_groups_differ(analysis, Grouping::op, Quantity::metric);
  const Answer seconds = few_groups_differ(analysis, Grouping::op, Quantity::seconds);
  const bool decided =
      metric.verdict != Verdict::undecided && seconds.verdict != Verdict::undecided;
  return {decided ? verdict_of(metric.verdict == Verdict::held && seconds.verdict == Verdict::held)
                  : Verdict::undecided,
          format("{}: {} | time: {}", analysis.metric_name(), metric.numbers, seconds.numbers)};
}

Answer few_phases_differ_in_metric(const CampaignAnalysis& analysis)
{
  return few_groups_differ(analysis, Grouping::phase, Quantity::metric);
}

Answer few_phases_differ_in_time(const CampaignAnalysis& analysis)
{
  return few_groups_differ(analysis, Grouping::phase, Quantity::seconds);
}

constexpr Question k_questions[] = {
    {1,
     Wording::known,
     "More than half of the injected bugs let the program run to its end, fewer than half crash "
     "it, "
     "and hardly any hangs.",
     "over 50 % end without an error, under 50 % crash",
     most_end_well},
    {2,
     Wording::in_part,
     "Most bugs that let the program end change the accuracy insignificantly; few are outliers, "
     "and "
     "a handful give an accuracy that cannot be.",
     "under half degraded or improved, at most 10 % outliers (outside the whiskers and beyond "
     "every clean run)",
     few_accuracy_outliers},
    {3,
     Wording::in_part,
     "The same for the training time: few outliers, most of them slower.",
     "under half slower or faster, at most 10 % outliers (outside the whiskers and beyond every "
     "clean run)",
     few_time_outliers},
    {4,
     Wording::not_found,
     "Table V suggests: whether the program ends without an error depends on the operator.",
     "χ² test over operators, p < 0.05",
     symptoms_depend_on_operator},
    {5,
     Wording::known,
     "Changed comparisons, memberships and logical operators crash more often; changed booleans "
     "and "
     "numbers more often run to the end.",
     "ComOR, LogOR and MemOR each crash more often than all variants, BVR and NVR less often",
     conditions_crash_more},
    {6,
     Wording::not_found,
     "Table V suggests: under most operators, accuracy and time of variants that end well do not "
     "differ significantly from the clean runs.",
     "fewer than half of the operators differ (Welch's t-test, adjusted p < 0.05)",
     few_operators_differ},
    {7,
     Wording::not_found,
     "Table VI suggests: whether the program ends without an error depends on the phase.",
     "χ² test over phases, p < 0.05",
     symptoms_depend_on_phase},
    {8,
     Wording::not_found,
     "Table VI suggests: in most phases the accuracy of variants that end well does not differ "
     "significantly from the clean runs.",
     "fewer than half of the phases differ (Welch's t-test, adjusted p < 0.05)",
     few_phases_differ_in_metric},
    {9,
     Wording::not_found,
     "Table VI suggests: in most phases the time of variants that end well does not differ "
     "significantly from the clean runs.",
     "fewer than half of the phases differ (Welch's t-test, adjusted p < 0.05)",
     few_phases_differ_in_time},
};

} // namespace

std::vector<Finding> jia_findings(const CampaignAnalysis& analysis)
{
  std::vector<Finding> findings;
  for (const Question& question : k_questions) {
    Answer answer = question.answer(analysis);
    findings.push_back({question.number,
                        question.wording,
                        std::string(question.statement),
                        std::string(question.criterion),
                        answer.verdict,
                        std::move(answer.numbers)});
  }
  return findings;
}

} // namespace faultline::study
