#pragma once

#include "environment/description.hpp"

#include <string>

namespace faultline::environment {

// An environment in the forms that other tools read, for people on other systems.

// For pip: the lock, or what is known of versions where Faultline locks nothing.
std::string requirements_txt(const Description& description);

// For conda and mamba.
std::string environment_yml(const Description& description);

// For Docker and Podman. The build's context is a folder with the environment's lock.txt.
std::string dockerfile(const Description& description);

} // namespace faultline::environment
