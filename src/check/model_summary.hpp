#pragma once

// The layers of every model of a program with their shapes and weights, as `model.summary()` would
// print them if the program ran.

#include "check/parameter_count.hpp"
#include "program/record/program.hpp"

#include <optional>
#include <string>
#include <vector>

namespace faultline::check {

struct LayerSummary {
  std::string name;
  std::string type; // "Conv2D"
  program::Span span;
  std::string output;                       // its shape, "(B, 10)"; "?" if not known
  std::optional<ParameterCount> parameters; // nothing if not known
  std::vector<std::string> inputs;          // names of the layers before it, if there is a choice
};

struct ModelSummary {
  std::string name; // its class, or "graph" for operations without a model around them
  program::Span span;
  std::string input; // shape; empty if not known
  std::vector<LayerSummary> layers;
  ParameterCount parameters; // of the layers of which they are known
  bool all_known = true;
};

// In the order of the text. A model inside of another is part of that one.
std::vector<ModelSummary> summarise_models(const program::Program& program);

} // namespace faultline::check
