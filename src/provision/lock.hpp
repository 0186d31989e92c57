#pragma once

#include "base/result.hpp"
#include "environment/description.hpp"

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

namespace faultline::provision {

// The text of lock.txt for an environment: for pip, what its `requirements` mean today, all that
// they need, each with the digests of its files; for Debian, the packages of the built environment.
Result<std::string> make_lock(const environment::Description& description,
                              const std::filesystem::path& environments,
                              const std::function<void(std::string_view)>& on_progress);

// The lock that pip's report of an installation (`pip install --dry-run --report`) amounts to.
Result<std::string> lock_of_report(std::string_view report,
                                   const environment::Description& description);

} // namespace faultline::provision
