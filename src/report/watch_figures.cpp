// Curves of a training run as Vega-Lite specifications, which carry their data.

#include "base/format.hpp"
#include "report/watch_report.hpp"

#include <cmath>

namespace faultline::report {

namespace {

// More points than a screen has columns show nothing more.
constexpr size_t k_most_points = 600;

Json finite(double value)
{
  return std::isfinite(value) ? Json(value) : Json(nullptr);
}

Json lines_spec(Json values, const char* y_title, bool logarithmic)
{
  Json y = {{"field", "value"}, {"type", "quantitative"}, {"title", y_title}};
  y["scale"] = logarithmic ? Json{{"type", "log"}} : Json{{"zero", false}};
  if (logarithmic) {
    y["axis"] = {{"format", ".1e"}};
  }
  return {{"$schema", "https://vega.github.io/schema/vega-lite/v6.json"},
          {"width", "container"},
          {"height", 180},
          {"data", {{"values", std::move(values)}}},
          {"mark", {{"type", "line"}, {"tooltip", true}, {"point", {{"size", 12}}}}},
          {"encoding",
           {{"x", {{"field", "step"}, {"type", "quantitative"}, {"title", "step"}}},
            {"y", std::move(y)},
            {"color",
             {{"field", "what"},
              {"type", "nominal"},
              {"legend", {{"title", nullptr}, {"orient", "top"}, {"columns", 5}}}}}}}};
}

void add_point(Json& values, uint32_t step, const char* what, double value)
{
  if (!std::isnan(value)) {
    values.push_back({{"step", step}, {"what", what}, {"value", finite(value)}});
  }
}

Json progress_values(const trace::Trace& trace, double trace::Step::*field, const char* what)
{
  Json values = Json::array();
  const size_t stride = trace.steps().size() / k_most_points + 1;
  for (size_t i = 0; i < trace.steps().size(); i += stride) {
    add_point(values, trace.steps()[i].step, what, trace.steps()[i].*field);
  }
  return values;
}

Json layer_values(const trace::Trace& trace, int layer)
{
  Json values = Json::array();
  const auto add = [&](trace::Role role, const char* what, double trace::TensorStats::*field) {
    for (const trace::TensorStats& stats : trace.series(layer, role)) {
      const double value = stats.*field;
      add_point(values, stats.step, what, value > 0 ? value : INFINITY); // a gap: no logarithm
    }
  };
  add(trace::Role::output, "outputs", &trace::TensorStats::std);
  add(trace::Role::weight, "weights", &trace::TensorStats::norm);
  add(trace::Role::gradient, "gradient", &trace::TensorStats::norm);
  add(trace::Role::update, "update", &trace::TensorStats::norm);
  return values;
}

} // namespace

Json watch_figures(const trace::Trace& trace)
{
  Json figures = Json::object();
  const auto add = [&figures](const std::string& name,
                              const std::string& title,
                              const std::string& caption,
                              Json values,
                              const char* y_title,
                              bool logarithmic) {
    if (!values.empty()) {
      figures[name] = {{"title", title},
                       {"caption", caption},
                       {"spec", lines_spec(std::move(values), y_title, logarithmic)}};
    }
  };
  Json loss = progress_values(trace, &trace::Step::loss, "training");
  Json accuracy = progress_values(trace, &trace::Step::accuracy, "training");
  for (const trace::Evaluation& evaluation : trace.evaluations()) {
    add_point(loss, evaluation.step, "evaluation", evaluation.loss);
    add_point(accuracy, evaluation.step, "evaluation", evaluation.accuracy);
  }
  add("loss",
      "Loss",
      "Of each step; evaluations are passes without gradients.",
      std::move(loss),
      "loss",
      false);
  add("accuracy",
      "Accuracy",
      "Of each batch that was looked at.",
      std::move(accuracy),
      "accuracy",
      false);
  add("rate",
      "Learning rate",
      "Of the first group of parameters.",
      progress_values(trace, &trace::Step::rate, "rate"),
      "rate",
      true);
  for (const trace::Layer* layer : trace.layers_in_order()) {
    add(format("layer_{}", layer->id),
        layer->name.empty() ? layer->kind : format("{} ({})", layer->name, layer->kind),
        layer->site.line > 0
            ? format("{}:{} {}", layer->site.file, layer->site.line, layer->site.text)
            : std::string(),
        layer_values(trace, layer->id),
        "norm; of outputs the spread",
        true);
  }
  return figures;
}

} // namespace faultline::report
