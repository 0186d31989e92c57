#pragma once

// One symptom is one file: a condition over the trace of a training run, and the words for it.

#include "base/format.hpp"
#include "source/finding.hpp"
#include "source/label.hpp"
#include "trace/trace.hpp"

#include <compare>
#include <map>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace faultline::trace {

using source::Confidence;
using source::FaultType;
using source::FixPattern;
using source::Severity;

class Reporter;

struct Symptom {
  std::string_view code = {}; // set by the registry, from symptoms.inc
  std::string_view name;      // kebab-case
  std::string_view summary;   // one sentence without full stop
  FaultType type;             // the likeliest cause
  FixPattern fix_pattern;
  Severity severity = Severity::warning;
  Confidence confidence = Confidence::medium;
  // Codes of symptoms that this one explains, separated by spaces: they are not reported at or
  // after its step. Nothing is explained by a detection that is for information only.
  std::string_view explains = {};
  void (*check)(const Trace& trace, Reporter& report) = nullptr;
};

std::span<const Symptom* const> all_symptoms();
const Symptom* find_symptom(std::string_view code_or_name);
std::string_view documentation_of(const Symptom& symptom);
std::string_view group_of(const Symptom& symptom);

// A finding, and when and where in the model.
struct Detection {
  source::Finding finding;
  uint32_t step = 0;
  int layer = -1;
};

// A detection under construction; every part is optional but place and message.
class Draft {
public:
  Draft& evidence(std::string text); // a number that shows it
  Draft& help(std::string text);
  Draft& severity(Severity severity);
  Draft& type(FaultType type); // a cause other than the symptom's own
  Draft& fix_pattern(FixPattern pattern);

private:
  friend class Reporter;
  Detection m_detection;
  const Symptom* m_symptom = nullptr;
};

// Collects what the symptoms find. A symptom is reported once for each place.
class Reporter {
public:
  explicit Reporter(const Trace& trace) : m_trace(trace) {}

  // At a layer: the place is where it was made.
  Draft& at(const Layer& layer, uint32_t step, std::string message);
  Draft& at(const Site& site, uint32_t step, std::string message);
  // At the line, and the step, that the probe noted something of.
  Draft& at(const Observation& use, std::string message);
  // About the run as a whole: the place is the call of the loss, otherwise the optimizer, otherwise
  // unknown.
  Draft& at_run(uint32_t step, std::string message);

  void run(const Symptom& symptom);
  // What was found since the last call, explained ones left out, by severity.
  std::vector<Detection> take();

private:
  // One place, and one layer of it: a line may make several.
  struct Key {
    std::string code, file;
    int line = 0, layer = -1;
    friend auto operator<=>(const Key&, const Key&) = default;
  };
  Draft& add(const Site& site, int layer, uint32_t step, std::string message);

  const Trace& m_trace;
  const Symptom* m_symptom = nullptr;
  std::set<Key> m_reported;
  std::map<std::string_view, uint32_t> m_explained; // code, and from which step on
  std::vector<std::unique_ptr<Draft>> m_drafts;
  Draft m_repeated; // written to when the place is known already
};

// Reads events, looks for symptoms at checks and at the end.
class Analyser {
public:
  explicit Analyser(std::span<const Symptom* const> symptoms = all_symptoms());
  Analyser(const Analyser&) = delete; // the reporter refers to the trace
  Analyser& operator=(const Analyser&) = delete;

  // New detections because of `event`.
  std::vector<Detection> add(Event event);
  // The stream has ended, with or without an `end`: detections that are possible only then.
  std::vector<Detection> finish();

  const Trace& trace() const { return m_trace; }

private:
  bool is_time_to_look(const Event& event);
  std::vector<Detection> look();

  std::vector<const Symptom*> m_symptoms;
  size_t m_checks = 0;
  size_t m_next_look = 1; // number of the check to look at next
  Trace m_trace;
  Reporter m_reporter;
};

} // namespace faultline::trace
