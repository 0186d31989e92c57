// Curves of a training run as Vega-Lite specifications, which carry their data.

#include "base/format.hpp"
#include "report/watch_lost.hpp"
#include "report/watch_report.hpp"

#include <algorithm>
#include <cmath>

namespace faultline::report {

namespace {

// More points than a screen has columns show nothing more.
constexpr size_t k_most_points = 600;
constexpr size_t k_most_marks = 20;
constexpr int k_height = 180;
// Round numbers as they are, very large and very small ones with an exponent.
constexpr const char* k_number_format = ".6~g";
// A curve over more than that shows nothing but its largest values.
constexpr double k_widest_linear = 1e4;

// Points of a figure. What was not seen (NaN) is none, what is infinite is a gap; gaps behind the
// last point are left out, so that the axis fits the curve.
class Points {
public:
  void add(uint32_t step, const char* what, double value)
  {
    if (std::isnan(value)) {
      return;
    }
    const bool finite = std::isfinite(value);
    m_values.push_back({{"step", step}, {"what", what}, {"value", finite ? Json(value) : Json()}});
    if (finite) {
      m_last = std::max(m_last, step);
      m_low = std::min(m_low, value);
      m_high = std::max(m_high, value);
    }
  }

  bool empty() const { return m_low > m_high; }
  uint32_t last() const { return m_last; }
  bool is_wide() const { return m_low > 0 && m_high > m_low * k_widest_linear; }

  Json take()
  {
    Json kept = Json::array();
    for (Json& value : m_values) {
      if (value["step"] <= m_last) {
        kept.push_back(std::move(value));
      }
    }
    return kept;
  }

private:
  std::vector<Json> m_values;
  uint32_t m_last = 0;
  double m_low = INFINITY;
  double m_high = -INFINITY;
};

// A rule where numbers were lost; the one that says so in words is the last that matters.
void add_marks(Json& layers, const std::vector<LostStretch>& lost, uint32_t last_point)
{
  if (lost.empty()) {
    return;
  }
  Json rules = Json::array();
  for (const LostStretch& stretch : lost) {
    if (rules.size() < k_most_marks || stretch.to_the_end) {
      rules.push_back({{"step", stretch.first}, {"what", print_stretch(stretch)}});
    }
  }
  const LostStretch& told = lost.back().to_the_end ? lost.back() : lost.front();
  const bool at_right = told.first * 2 > std::max(last_point, told.first);
  const Json x = {{"field", "step"}, {"type", "quantitative"}};
  layers.push_back({{"data", {{"values", std::move(rules)}}},
                    {"mark", {{"type", "rule"}, {"style", "lost"}, {"strokeDash", {4, 3}}}},
                    {"encoding", {{"x", x}, {"tooltip", {{"field", "what"}}}}}});
  layers.push_back(
      {{"data", {{"values", {{{"step", told.first}, {"what", print_stretch(told)}}}}}},
       {"mark",
        {{"type", "text"},
         {"style", "lost-label"},
         {"align", at_right ? "right" : "left"},
         {"dx", at_right ? -5 : 5},
         {"baseline", "bottom"}}},
       {"encoding", {{"x", x}, {"y", {{"value", k_height - 4}}}, {"text", {{"field", "what"}}}}}});
}

enum class Scale { linear, logarithmic };

Json lines_spec(Points points,
                const std::vector<LostStretch>& lost,
                const char* y_title,
                Scale scale)
{
  const Json y = {
      {"field", "value"},
      {"type", "quantitative"},
      {"title", y_title},
      {"axis", {{"format", k_number_format}}},
      {"scale", scale == Scale::logarithmic ? Json{{"type", "log"}} : Json{{"zero", false}}}};
  const Json x = {{"field", "step"},
                  {"type", "quantitative"},
                  {"title", "step"},
                  {"scale", {{"nice", false}}},
                  {"axis", {{"tickMinStep", 1}}}};
  const Json color = {{"field", "what"},
                      {"type", "nominal"},
                      {"legend", {{"title", nullptr}, {"orient", "top"}, {"columns", 5}}}};
  const uint32_t last_point = points.last();
  Json layers = Json::array();
  layers.push_back({{"mark", {{"type", "line"}, {"tooltip", true}, {"point", {{"size", 12}}}}},
                    {"encoding", {{"x", x}, {"y", y}, {"color", color}}}});
  add_marks(layers, lost, last_point);
  return {{"$schema", "https://vega.github.io/schema/vega-lite/v6.json"},
          {"width", "container"},
          {"height", k_height},
          {"data", {{"values", points.take()}}},
          {"layer", std::move(layers)}};
}

Points progress(const trace::Trace& trace,
                double trace::Step::*field,
                const char* what,
                double instead_of_nan = NAN)
{
  Points points;
  const size_t stride = trace.steps().size() / k_most_points + 1;
  for (size_t i = 0; i < trace.steps().size(); i += stride) {
    const double value = trace.steps()[i].*field;
    points.add(trace.steps()[i].step, what, std::isnan(value) ? instead_of_nan : value);
  }
  return points;
}

Points layer_points(const trace::Trace& trace, int layer)
{
  Points points;
  const auto add = [&](trace::Role role, const char* what, double trace::TensorStats::*field) {
    for (const trace::TensorStats& stats : trace.series(layer, role)) {
      const double value = stats.*field;
      // Zero has no logarithm; numbers of a lost tensor are those of its finite part.
      points.add(stats.step, what, value > 0 && !is_lost(stats) ? value : INFINITY);
    }
  };
  add(trace::Role::output, "outputs", &trace::TensorStats::std);
  add(trace::Role::weight, "weights", &trace::TensorStats::norm);
  add(trace::Role::gradient, "gradient", &trace::TensorStats::norm);
  add(trace::Role::update, "update", &trace::TensorStats::norm);
  return points;
}

} // namespace

Json watch_figures(const trace::Trace& trace)
{
  Json figures = Json::object();
  const auto add = [&figures](const std::string& name,
                              const std::string& title,
                              const std::string& caption,
                              Json spec) {
    figures[name] = {{"title", title}, {"caption", caption}, {"spec", std::move(spec)}};
  };
  const std::vector<LostStretch> lost = lost_losses(trace);
  Points loss = progress(trace, &trace::Step::loss, "training", lost.empty() ? NAN : INFINITY);
  Points accuracy = progress(trace, &trace::Step::accuracy, "training");
  for (const trace::Evaluation& evaluation : trace.evaluations()) {
    loss.add(evaluation.step, "evaluation", evaluation.loss);
    accuracy.add(evaluation.step, "evaluation", evaluation.accuracy);
  }
  if (!loss.empty()) {
    const bool wide = loss.is_wide();
    add("loss",
        "Loss",
        "Of each step; evaluations are passes without gradients.",
        lines_spec(std::move(loss),
                   lost,
                   wide ? "loss, logarithmic" : "loss",
                   wide ? Scale::logarithmic : Scale::linear));
  }
  if (!accuracy.empty()) {
    add("accuracy",
        "Accuracy",
        "Of each batch that was looked at.",
        lines_spec(std::move(accuracy), {}, "accuracy", Scale::linear));
  }
  if (Points rate = progress(trace, &trace::Step::rate, "rate"); !rate.empty()) {
    add("rate",
        "Learning rate",
        "Of the first group of parameters.",
        lines_spec(std::move(rate), {}, "rate", Scale::logarithmic));
  }
  for (const trace::Layer* layer : trace.layers_in_order()) {
    if (Points points = layer_points(trace, layer->id); !points.empty()) {
      add(format("layer_{}", layer->id),
          layer->name.empty() ? layer->kind : format("{} ({})", layer->name, layer->kind),
          layer->site.line > 0
              ? format("{}:{} {}", layer->site.file, layer->site.line, layer->site.text)
              : std::string(),
          lines_spec(std::move(points),
                     lost_checks(trace, layer->id),
                     "norm; of outputs the spread",
                     Scale::logarithmic));
    }
  }
  return figures;
}

} // namespace faultline::report
