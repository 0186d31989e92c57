#pragma once

#include <filesystem>

namespace faultline::run {

// The probe for LibTorch that goes with `binary`; empty if there is none: a build without
// LibTorch makes none.
std::filesystem::path torch_probe_beside(const std::filesystem::path& binary);

} // namespace faultline::run
