#pragma once

#include "cli/session.hpp"
#include "inject/operator.hpp"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace faultline::cli {

struct InjectWeights {
  std::filesystem::path file; // .pt
  std::vector<const inject::Operator*> operators;
  std::optional<std::string> setting;
  uint64_t seed = 1;
  std::filesystem::path write; // empty: only list
  bool json = false;
};

// `faultline inject model.pt`: applies the weight operators to a file; returns the exit status.
Result<int> inject_weights(Session& session, const InjectWeights& options);

} // namespace faultline::cli
