// Figures as Vega-Lite specifications. They carry their data, and no colours of text or ground, so
// that whoever shows them decides between light and dark.

#include "base/format.hpp"
#include "report/campaign_report.hpp"
#include "report/campaign_tables.hpp"

#include <array>

namespace faultline::report {

using campaign::Symptom;
using study::CampaignAnalysis;
using study::Group;
using study::Quantity;

namespace {

// Readable on white and on black, and apart for the colour-blind: grey and blues for what goes
// well or is only slow, warm colours for what is wrong.
constexpr std::array<std::pair<Symptom, const char*>, 10> k_colours = {{
    {Symptom::normal, "#a3adb8"},
    {Symptom::crash, "#c44e52"},
    {Symptom::hang, "#7a4fa3"},
    {Symptom::out_of_memory, "#b779c4"},
    {Symptom::not_a_number, "#8c6d31"},
    {Symptom::invalid_metric, "#d6b656"},
    {Symptom::degraded, "#e08a3c"},
    {Symptom::improved, "#4c9f70"},
    {Symptom::slower, "#3f7fb5"},
    {Symptom::faster, "#7cc4d8"},
}};
constexpr const char* k_clean_colour = "#3f7fb5";
constexpr const char* k_variant_colour = "#e08a3c";

Json base_spec()
{
  Json spec;
  spec["$schema"] = "https://vega.github.io/schema/vega-lite/v6.json";
  spec["width"] = "container";
  return spec;
}

// Looking closer, without taking the wheel and the finger from who scrolls the page.
Json zoom(const Json& encodings)
{
  return {{"name", "view"},
          {"select",
           {{"type", "interval"},
            {"encodings", encodings},
            {"zoom", "wheel![event.shiftKey]"},
            {"translate", "[mousedown, window:mouseup] > window:mousemove!"}}},
          {"bind", "scales"}};
}

Json symptom_scale(const CampaignAnalysis& analysis)
{
  Json scale = {{"domain", Json::array()}, {"range", Json::array()}};
  for (const Symptom symptom : symptoms_that_occur(analysis)) {
    for (const auto& [known, colour] : k_colours) {
      if (known == symptom) {
        scale["domain"].push_back(name_of(symptom));
        scale["range"].push_back(colour);
      }
    }
  }
  return scale;
}

Json labels_of(const std::vector<Group>& groups)
{
  Json labels = Json::array();
  for (const Group& group : groups) {
    labels.push_back(group.label);
  }
  return labels;
}

Json symptom_bars(const CampaignAnalysis& analysis, std::vector<Group> groups, std::string_view by)
{
  groups.push_back(analysis.all);
  Json spec = base_spec();
  Json values = Json::array();
  int order = 0;
  for (const Symptom symptom : symptoms_that_occur(analysis)) {
    for (const Group& group : groups) {
      if (group.symptoms.of(symptom) > 0) {
        values.push_back({{"group", group.label},
                          {"symptom", name_of(symptom)},
                          {"order", order},
                          {"variants", group.symptoms.of(symptom)},
                          {"share", group.symptoms.share(symptom)}});
      }
    }
    ++order;
  }
  spec["height"] = {{"step", 24}};
  spec["data"] = {{"values", values}};
  spec["mark"] = {{"type", "bar"}, {"height", {{"band", 0.78}}}};
  spec["encoding"] = {
      {"y",
       {{"field", "group"}, {"type", "nominal"}, {"title", nullptr}, {"sort", labels_of(groups)}}},
      {"x",
       {{"field", "share"},
        {"type", "quantitative"},
        {"stack", "zero"},
        {"title", format("share of variants by {}", by)},
        {"scale", {{"domain", {0, 1}}}},
        {"axis", {{"format", ".0%"}}}}},
      {"color",
       {{"field", "symptom"},
        {"type", "nominal"},
        {"scale", symptom_scale(analysis)},
        {"legend", {{"title", nullptr}, {"orient", "top"}, {"columns", 5}}}}},
      {"order", {{"field", "order"}, {"type", "quantitative"}}},
      {"tooltip",
       {{{"field", "group"}, {"title", by}},
        {{"field", "symptom"}},
        {{"field", "variants"}},
        {{"field", "share"}, {"format", ".1%"}}}}};
  return spec;
}

const std::optional<study::Box>& box_of(const Group& group, Quantity quantity)
{
  return quantity == Quantity::metric ? group.metric : group.seconds;
}

// The numbers of the boxes of `rows`, of which the first is that of the clean runs.
Json box_values(const std::vector<Group>& rows, Quantity quantity)
{
  Json values = Json::array();
  for (const Group& group : rows) {
    const std::optional<study::Box>& box = box_of(group, quantity);
    if (!box) {
      continue;
    }
    values.push_back({{"group", group.label},
                      {"kind", &group == &rows.front() ? "clean" : "variants"},
                      {"n", box->count},
                      {"lower", box->lower_whisker},
                      {"q1", box->lower_quartile},
                      {"median", box->median},
                      {"q3", box->upper_quartile},
                      {"upper", box->upper_whisker}});
  }
  return values;
}

// Variants outside of the whiskers of all variants' box, or of the box of a group that they are in.
Json box_outliers(const CampaignAnalysis& analysis,
                  const std::vector<Group>& groups,
                  study::Grouping grouping,
                  Quantity quantity)
{
  Json points = Json::array();
  const auto add_point = [&](const Group& group, const study::VariantOutcome& outcome) {
    const auto value = quantity == Quantity::metric ? outcome.metric : outcome.seconds;
    const std::optional<study::Box>& box = box_of(group, quantity);
    if (value && box && (*value < box->lower_whisker || *value > box->upper_whisker)) {
      const inject::Variant& variant = analysis.record_of(outcome).variant;
      points.push_back({{"group", group.label},
                        {"value", *value},
                        {"variant", variant.id},
                        {"change", change_of(variant)},
                        {"place", place_of(variant)},
                        {"link", "#v-" + variant.id}});
    }
  };
  for (const study::VariantOutcome& outcome : analysis.outcomes) {
    const campaign::VariantRecord& record = analysis.record_of(outcome);
    const std::vector<std::string> keys = study::keys_of(record, grouping);
    add_point(analysis.all, outcome);
    for (const Group& group : groups) {
      if (std::ranges::find(keys, group.key) != keys.end()) {
        add_point(group, outcome);
      }
    }
  }
  return points;
}

// A box for the clean runs, one for all variants and one for each group, drawn from their numbers.
Json boxes(const CampaignAnalysis& analysis,
           const std::vector<Group>& groups,
           study::Grouping grouping,
           Quantity quantity)
{
  std::vector<Group> rows = {analysis.clean, analysis.all};
  rows.insert(rows.end(), groups.begin(), groups.end());
  Json spec = base_spec();
  const std::string title = quantity_name(analysis, quantity);
  spec["height"] = {{"step", 26}};
  spec["encoding"] = {
      {"y",
       {{"field", "group"}, {"type", "nominal"}, {"title", nullptr}, {"sort", labels_of(rows)}}}};
  const auto x = [&](const char* field) {
    return Json{
        {"field", field}, {"type", "quantitative"}, {"title", title}, {"scale", {{"zero", false}}}};
  };
  const Json colour = {
      {"field", "kind"},
      {"type", "nominal"},
      {"scale", {{"domain", {"clean", "variants"}}, {"range", {k_clean_colour, k_variant_colour}}}},
      {"legend", nullptr}};
  const Json tooltip = {{{"field", "group"}},
                        {{"field", "n"}},
                        {{"field", "lower"}, {"title", "lower whisker"}},
                        {{"field", "q1"}},
                        {{"field", "median"}},
                        {{"field", "q3"}},
                        {{"field", "upper"}, {"title", "upper whisker"}}};
  const Json data = {{"values", box_values(rows, quantity)}};
  spec["layer"] = {
      {{"data", data},
       {"params", Json::array({zoom(Json::array({"x"}))})},
       {"mark", {{"type", "rule"}, {"clip", true}, {"strokeWidth", 1.5}}},
       {"encoding", {{"x", x("lower")}, {"x2", {{"field", "upper"}}}, {"color", colour}}}},
      {{"data", data},
       {"mark",
        {{"type", "bar"}, {"clip", true}, {"height", 13}, {"opacity", 0.85}, {"minBandSize", 2}}},
       {"encoding",
        {{"x", x("q1")}, {"x2", {{"field", "q3"}}}, {"color", colour}, {"tooltip", tooltip}}}},
      {{"data", data},
       {"mark", {{"type", "tick"}, {"clip", true}, {"thickness", 2.5}, {"size", 17}}},
       {"encoding", {{"x", x("median")}, {"color", colour}, {"tooltip", tooltip}}}},
      {{"data", {{"values", box_outliers(analysis, groups, grouping, quantity)}}},
       {"mark",
        {{"type", "point"},
         {"clip", true},
         {"opacity", 0.6},
         {"size", 22},
         {"color", k_variant_colour},
         {"cursor", "pointer"}}},
       {"encoding",
        {{"x", x("value")},
         {"href", {{"field", "link"}}},
         {"tooltip",
          {{{"field", "variant"}},
           {{"field", "change"}},
           {{"field", "place"}},
           {{"field", "value"}, {"title", title}}}}}}}};
  return spec;
}

Json scatter(const CampaignAnalysis& analysis)
{
  Json values = Json::array();
  for (const study::VariantOutcome& outcome : analysis.outcomes) {
    if (outcome.metric && outcome.seconds) {
      const inject::Variant& variant = analysis.record_of(outcome).variant;
      values.push_back({{"variant", variant.id},
                        {"operator", study::operator_label(variant.op)},
                        {"symptom", name_of(outcome.symptom)},
                        {"metric", *outcome.metric},
                        {"seconds", *outcome.seconds},
                        {"change", change_of(variant)},
                        {"place", place_of(variant)},
                        {"link", "#v-" + variant.id}});
    }
  }
  Json clean = Json::array();
  for (const campaign::Run& run : analysis.data.clean) {
    if (const auto value = run.metrics.find(analysis.metric_name()); value != run.metrics.end()) {
      clean.push_back({{"variant", format("clean run {}", run.repeat + 1)},
                       {"metric", value->second},
                       {"seconds", run.cpu_seconds}});
    }
  }
  Json spec = base_spec();
  spec["height"] = 340;
  const auto axis = [](const char* field, const std::string& title) {
    return Json{{"field", field},
                {"type", "quantitative"},
                {"title", title},
                {"scale", {{"zero", false}, {"nice", true}}}};
  };
  const Json x = axis("seconds", "CPU seconds");
  const Json y = axis("metric", analysis.metric_name());
  spec["layer"] = {{{"data", {{"values", values}}},
                    {"params", Json::array({zoom(Json::array({"x", "y"}))})},
                    {"mark",
                     {{"type", "circle"},
                      {"clip", true},
                      {"size", 34},
                      {"opacity", 0.7},
                      {"cursor", "pointer"}}},
                    {"encoding",
                     {{"x", x},
                      {"y", y},
                      {"href", {{"field", "link"}}},
                      {"color",
                       {{"field", "symptom"},
                        {"type", "nominal"},
                        {"scale", symptom_scale(analysis)},
                        {"legend", {{"title", nullptr}, {"orient", "top"}, {"columns", 5}}}}},
                      {"tooltip",
                       {{{"field", "variant"}},
                        {{"field", "operator"}},
                        {{"field", "symptom"}},
                        {{"field", "change"}},
                        {{"field", "place"}},
                        {{"field", "metric"}, {"title", analysis.metric_name()}},
                        {{"field", "seconds"}, {"title", "CPU seconds"}}}}}}},
                   {{"data", {{"values", clean}}},
                    {"mark",
                     {{"type", "point"},
                      {"clip", true},
                      {"shape", "diamond"},
                      {"size", 70},
                      {"strokeWidth", 1.8},
                      {"color", k_clean_colour}}},
                    {"encoding",
                     {{"x", x},
                      {"y", y},
                      {"tooltip",
                       {{{"field", "variant"}, {"title", "run"}},
                        {{"field", "metric"}, {"title", analysis.metric_name()}},
                        {{"field", "seconds"}, {"title", "CPU seconds"}}}}}}}};
  return spec;
}

} // namespace

Json campaign_figures(const CampaignAnalysis& analysis)
{
  Json figures = Json::object();
  const auto add = [&](const char* name, std::string title, std::string caption, Json spec) {
    figures[name] = {
        {"title", std::move(title)}, {"caption", std::move(caption)}, {"spec", std::move(spec)}};
  };
  add("symptoms_by_operator",
      "Symptoms by operator",
      "Each bar is all finished variants of one operator, split by symptom; the last bar "
      "is all variants.",
      symptom_bars(analysis, analysis.by_operator, "operator"));
  add("symptoms_by_phase",
      "Symptoms by phase",
      "The same by phase. A line that several phases execute counts in each of them.",
      symptom_bars(analysis, analysis.by_phase, "phase"));
  const std::string metric = capitalised(analysis.metric_name());
  const std::string how =
      "Box: the middle half, its tick the median; whiskers: up to one and a half "
      "box heights; circles: outliers, which link to their variant. The clean "
      "runs are in blue. Shift and the wheel zoom in.";
  const std::string how_time =
      how + " A variant that was not run, because nothing could differ, has no time.";
  add("metric_by_operator",
      metric + " by operator",
      how,
      boxes(analysis, analysis.by_operator, study::Grouping::op, Quantity::metric));
  add("time_by_operator",
      "CPU time by operator",
      how_time,
      boxes(analysis, analysis.by_operator, study::Grouping::op, Quantity::seconds));
  add("metric_by_phase",
      metric + " by phase",
      how,
      boxes(analysis, analysis.by_phase, study::Grouping::phase, Quantity::metric));
  add("time_by_phase",
      "CPU time by phase",
      how_time,
      boxes(analysis, analysis.by_phase, study::Grouping::phase, Quantity::seconds));
  add("metric_and_time",
      metric + " against time",
      "Each dot is a variant that ran to the end, each diamond a clean run. A click goes to "
      "the variant; Shift and the wheel zoom in, dragging moves.",
      scatter(analysis));
  return figures;
}

} // namespace faultline::report
