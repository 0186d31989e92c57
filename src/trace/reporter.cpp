#include "base/text.hpp"
#include "trace/symptom.hpp"

#include <algorithm>
#include <tuple>

namespace faultline::trace {

namespace {

// The file that was started, for findings that have no line.
std::string script_of(const Start& start)
{
  for (const std::string& word : start.command) {
    if (word.ends_with(".py") || word.ends_with(".js")) {
      return word;
    }
  }
  return "";
}

source::Place place_of(const Site& site, const Start& start)
{
  source::Place place;
  place.file = site.file.empty() ? script_of(start) : site.file;
  place.line = place.end_line = site.line > 0 ? static_cast<size_t>(site.line) : 1;
  const size_t indent =
      site.text.size() - std::string_view(site.text)
                             .substr(std::min(site.text.find_first_not_of(" \t"), site.text.size()))
                             .size();
  place.column = indent + 1;
  place.end_column = indent + 1 + display_width(trim(site.text));
  return place;
}

std::string when_and_where(const Layer* layer, uint32_t step)
{
  return layer == nullptr ? format("step {}", step)
                          : format("step {}, layer `{}` ({})", step, layer->name, layer->kind);
}

} // namespace

Draft& Reporter::add(const Site& site, int layer, uint32_t step, std::string message)
{
  const source::Place place = place_of(site, m_trace.start());
  const Key key{std::string(m_symptom->code), place.file, static_cast<int>(place.line), layer};
  if (!m_reported.insert(key).second) {
    m_repeated = Draft();
    return m_repeated;
  }
  auto draft = std::make_unique<Draft>();
  draft->m_symptom = m_symptom;
  draft->m_detection.step = step;
  draft->m_detection.layer = layer;
  source::Finding& finding = draft->m_detection.finding;
  finding.rule = m_symptom->code;
  finding.severity = m_symptom->severity;
  finding.confidence = m_symptom->confidence;
  finding.type = m_symptom->type.id();
  finding.fix_pattern = m_symptom->fix_pattern.id();
  finding.place = place;
  finding.message = std::move(message);
  finding.label = trim(site.text); // the line itself: the file may not be at hand
  finding.notes.push_back({when_and_where(m_trace.layer(layer), step)});
  m_drafts.push_back(std::move(draft));
  return *m_drafts.back();
}

Draft& Reporter::at(const Layer& layer, uint32_t step, std::string message)
{
  return add(layer.site, layer.id, step, std::move(message));
}

Draft& Reporter::at(const Site& site, uint32_t step, std::string message)
{
  return add(site, -1, step, std::move(message));
}

Draft& Reporter::at(const Observation& use, std::string message)
{
  return at(use.site, use.step, std::move(message));
}

Draft& Reporter::at_run(uint32_t step, std::string message)
{
  const LossUse* loss = m_trace.training_loss();
  if (loss != nullptr && loss->site.line > 0) {
    return add(loss->site, -1, step, std::move(message));
  }
  const auto& optimizers = m_trace.optimizers();
  return add(optimizers.empty() ? Site() : optimizers.front().site, -1, step, std::move(message));
}

void Reporter::run(const Symptom& symptom)
{
  m_symptom = &symptom;
  symptom.check(m_trace, *this);
  m_symptom = nullptr;
}

std::vector<Detection> Reporter::take()
{
  for (const auto& draft : m_drafts) {
    if (draft->m_detection.finding.severity == Severity::info) {
      continue;
    }
    for (const std::string_view code : split(draft->m_symptom->explains, ' ')) {
      const uint32_t step = draft->m_detection.step;
      const auto [known, is_new] = m_explained.try_emplace(code, step);
      known->second = std::min(known->second, step);
    }
  }
  std::vector<Detection> detections;
  for (const auto& draft : m_drafts) {
    Detection& detection = draft->m_detection;
    const auto explained = m_explained.find(draft->m_symptom->code);
    if (explained != m_explained.end() && detection.step >= explained->second) {
      continue;
    }
    detections.push_back(std::move(detection));
  }
  m_drafts.clear();
  std::ranges::stable_sort(detections, [](const Detection& a, const Detection& b) {
    return std::tuple(b.finding.severity, a.step) < std::tuple(a.finding.severity, b.step);
  });
  return detections;
}

} // namespace faultline::trace
