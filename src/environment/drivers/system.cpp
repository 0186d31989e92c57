// What the machine has installed. Nothing is built, so nothing is isolated from its updates: the
// versions are part of what a run is kept under.

#include "environment/driver.hpp"

namespace faultline::environment {

const Driver k_system = {
    .name = "system",
    .summary = "what this machine has installed",
    .program = "",
    .remedy = "",
    .layout = Layout::machine,
    .build = [](const Description&, const Site&) { return std::vector<Step>(); },
    .refuses = [](const Description&) { return std::string(); },
};

} // namespace faultline::environment
