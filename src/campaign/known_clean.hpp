#pragma once

// What is known of the clean program before any variant runs, and what follows from it for variants
// that need no run.

#include "base/json.hpp"
#include "campaign/engine.hpp"

#include <map>
#include <string>

namespace faultline::campaign {

// A number of an object of JSON, or `otherwise` if it has none of this name.
double number_in(const Json& json, const char* key, double otherwise);

// What `measure_reference` found, read back.
class KnownClean {
public:
  explicit KnownClean(const std::string& text);

  // For the probe: states, and the functions that are called before the program begins.
  Json probe_json() const;
  // Segments in which a variant can differ; null if that is not known.
  Json differs(const std::string& id) const;
  bool never_differs(const std::string& id) const;
  std::map<std::string, double> metrics() const;
  double cpu_seconds() const { return number_in(states(), "cpu", 0); }
  double wall_seconds() const { return number_in(states(), "wall", 0); }
  // What the clean run still takes after its first `checkpoints`.
  double cpu_after(size_t checkpoints) const
  {
    return cpu_seconds() - at(checkpoints, "cpu_at", cpu_seconds());
  }
  double wall_after(size_t checkpoints) const
  {
    return wall_seconds() - at(checkpoints, "wall_at", wall_seconds());
  }

private:
  const Json& states() const;
  double at(size_t checkpoints, const char* key, double otherwise) const;

  Json m_json;
};

// The run of a variant that is the clean program, by what is known of that.
Observed vouched(const KnownClean& clean, const std::string& variant, int repeat);

} // namespace faultline::campaign
