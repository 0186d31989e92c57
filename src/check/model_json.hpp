#pragma once

#include "base/json.hpp"
#include "check/checker.hpp"
#include "check/model_summary.hpp"
#include "source/line_index.hpp"

#include <map>

namespace faultline::check {

// Where the spans of a program are, in cells if it is a notebook. For one thread.
class ModelPlaces {
public:
  ModelPlaces(const program::Program& program, const LoadedText& loaded)
      : m_program(program), m_loaded(loaded)
  {
  }

  source::Place of(program::Span span) const;

private:
  const program::Program& m_program;
  const LoadedText& m_loaded;
  mutable std::map<uint32_t, source::LineIndex> m_lines; // of each file that was asked about
};

// The shape that `check --explain-model --format json` prints for a model; it only ever grows.
Json model_json(const ModelSummary& model, const ModelPlaces& places);

} // namespace faultline::check
