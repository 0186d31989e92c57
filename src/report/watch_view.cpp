#include "report/watch_view.hpp"

#include "base/clock.hpp"
#include "base/format.hpp"
#include "base/text.hpp"
#include "report/text_table.hpp"
#include "report/watch_lost.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace faultline::report {

namespace {

constexpr std::array<std::string_view, 8> k_blocks = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};

// The mean of each cell's share of the values.
std::vector<double> condensed(std::span<const double> values, size_t cells)
{
  const size_t n = std::min(values.size(), cells);
  std::vector<double> means;
  for (size_t i = 0; i < n; ++i) {
    const size_t begin = i * values.size() / n;
    const size_t end = (i + 1) * values.size() / n;
    double sum = 0;
    for (size_t j = begin; j < end; ++j) {
      sum += values[j];
    }
    means.push_back(sum / static_cast<double>(end - begin));
  }
  return means;
}

std::string number(double value)
{
  return std::isnan(value) ? "–" : format("{:.3g}", value);
}

const trace::TensorStats* latest(const trace::Trace& trace, int layer, trace::Role role)
{
  const std::vector<trace::TensorStats>& series = trace.series(layer, role);
  return series.empty() ? nullptr : &series.back();
}

std::string lost(const trace::TensorStats& stats, const Painter& paint)
{
  return paint(Colour::red, word_of_lost(stats));
}

std::string output_of(const trace::TensorStats* output, const Painter& paint)
{
  return output == nullptr  ? "–"
         : is_lost(*output) ? lost(*output, paint)
                            : format("{} ± {}", number(output->mean), number(output->std));
}

std::string norm_of(const trace::TensorStats* stats, const Painter& paint)
{
  return stats == nullptr ? "–" : is_lost(*stats) ? lost(*stats, paint) : number(stats->norm);
}

// How far a step moves the weights, against their size.
std::string update_ratio(const trace::Trace& trace, int layer, const Painter& paint)
{
  const trace::TensorStats* update = latest(trace, layer, trace::Role::update);
  const trace::TensorStats* weight = latest(trace, layer, trace::Role::weight);
  if (update == nullptr || weight == nullptr) {
    return "–";
  }
  for (const trace::TensorStats* stats : {update, weight}) {
    if (is_lost(*stats)) {
      return lost(*stats, paint);
    }
  }
  return weight->norm == 0 ? "–" : number(update->norm / weight->norm);
}

bool is_layer_lost(const trace::Trace& trace, int layer)
{
  const auto& all = trace.all_series();
  for (auto at = all.lower_bound({.layer = layer, .role = trace::Role::input});
       at != all.end() && at->first.layer == layer;
       ++at) {
    if (at->first.role != trace::Role::input && is_lost(at->second.back())) {
      return true;
    }
  }
  return false;
}

const trace::Detection* worst_at(const std::vector<trace::Detection>& detections, int layer)
{
  const trace::Detection* worst = nullptr;
  for (const trace::Detection& detection : detections) {
    if (detection.layer == layer &&
        (worst == nullptr || detection.finding.severity > worst->finding.severity)) {
      worst = &detection;
    }
  }
  return worst;
}

std::string first_line(const trace::Trace& trace, size_t width, const Painter& paint)
{
  if (trace.steps().empty()) {
    return paint(Colour::dim, "watching: no training step yet");
  }
  const trace::Step& last = trace.steps().back();
  std::string text = format("epoch {}  step {}", last.epoch, last.step);
  if (!std::isnan(last.accuracy)) {
    text += format("  accuracy {:.3f}", last.accuracy);
  }
  if (!std::isnan(last.rate)) {
    text += format("  rate {:.2g}", last.rate);
  }
  text += format("  {}  ", print_duration(last.seconds));
  const bool gone = is_loss_lost(trace, last);
  const std::string loss = "loss " + (gone && std::isnan(last.loss) ? "nan" : number(last.loss));
  std::vector<double> losses;
  for (const trace::Step& step : trace.steps()) {
    losses.push_back(step.loss);
  }
  const size_t used = display_width(text) + display_width(loss) + 1;
  const size_t cells = width > used ? std::min<size_t>(width - used, 40) : 0;
  return paint(Colour::bold, text) + paint(gone ? Colour::red : Colour::bold, loss) + " " +
         paint(Colour::cyan, sparkline(losses, cells));
}

TextTable layer_table(const trace::Trace& trace,
                      const std::vector<trace::Detection>& detections,
                      size_t most,
                      const Painter& paint)
{
  TextTable table({{" "},
                   {"LAYER", Align::left, Colour::bold},
                   {"KIND"},
                   {"OUTPUT", Align::right},
                   {"ZEROS", Align::right},
                   {"GRADIENT", Align::right},
                   {"UPDATE", Align::right},
                   {"FINDING"}});
  const std::vector<const trace::Layer*> layers = trace.layers_in_order();
  const auto is_ailing = [&](const trace::Layer* layer) {
    return worst_at(detections, layer->id) != nullptr || is_layer_lost(trace, layer->id);
  };
  // Ailing layers are always shown.
  std::vector<const trace::Layer*> shown = layers;
  if (shown.size() > most) {
    std::ranges::stable_sort(shown, [&](const trace::Layer* a, const trace::Layer* b) {
      return is_ailing(a) > is_ailing(b);
    });
    shown.resize(most);
    std::ranges::sort(shown, {}, [](const trace::Layer* layer) { return layer->order; });
  }
  for (const trace::Layer* layer : shown) {
    const trace::Detection* worst = worst_at(detections, layer->id);
    const bool is_red = is_layer_lost(trace, layer->id) ||
                        (worst != nullptr && worst->finding.severity == source::Severity::error);
    const Colour colour = is_red ? Colour::red : worst != nullptr ? Colour::yellow : Colour::green;
    const trace::TensorStats* output = latest(trace, layer->id, trace::Role::output);
    table.add(
        {paint(colour, colour == Colour::green ? "●" : "▲"),
         layer->name,
         layer->kind,
         output_of(output, paint),
         output == nullptr || is_lost(*output) ? "–" : format("{:.0f} %", output->zeros * 100),
         norm_of(latest(trace, layer->id, trace::Role::gradient), paint),
         update_ratio(trace, layer->id, paint),
         worst == nullptr ? "" : worst->finding.rule});
  }
  return table;
}

} // namespace

std::string sparkline(std::span<const double> values, size_t cells)
{
  const std::vector<double> means = condensed(values, cells);
  double low = INFINITY;
  double high = -INFINITY;
  for (const double mean : means) {
    if (std::isfinite(mean)) {
      low = std::min(low, mean);
      high = std::max(high, mean);
    }
  }
  std::string line;
  for (const double mean : means) {
    if (!std::isfinite(mean)) {
      line += "×";
      continue;
    }
    const double height = high > low ? (mean - low) / (high - low) : 0;
    line += k_blocks[static_cast<size_t>(std::lround(height * (k_blocks.size() - 1)))];
  }
  return line;
}

std::vector<std::string> watch_view(const trace::Trace& trace,
                                    const std::vector<trace::Detection>& detections,
                                    ViewSize size,
                                    const Painter& paint)
{
  std::vector<std::string> lines = {first_line(trace, size.width, paint)};
  const size_t layers = trace.layers_in_order().size();
  if (layers == 0 || size.rows < 4) {
    return lines;
  }
  const size_t most = size.rows - 3;
  const TextTable table = layer_table(trace, detections, most, paint);
  const std::string printed = table.print(paint, size.width);
  for (const std::string_view line : split_lines(printed)) {
    lines.emplace_back(line);
  }
  if (layers > most) {
    lines.push_back(paint(Colour::dim, format("… and {} more", count_of(layers - most, "layer"))));
  }
  return lines;
}

} // namespace faultline::report
