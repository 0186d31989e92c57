#pragma once

#include "base/json.hpp"
#include "base/result.hpp"
#include "check/checker.hpp"
#include "run/isolated.hpp"

#include <memory>

namespace faultline::serve {

// Analyses texts that anybody may have sent, each in a process that can die alone.
class TextAnalysis {
public:
  // Before this process has other threads.
  static Result<std::unique_ptr<TextAnalysis>> start();

  // The answer of `POST /api/v1/check`. From any thread.
  Result<Json> of(const check::Subject& subject);

private:
  explicit TextAnalysis(std::unique_ptr<run::Isolated> isolated) : m_isolated(std::move(isolated))
  {
  }
  std::unique_ptr<run::Isolated> m_isolated;
};

} // namespace faultline::serve
