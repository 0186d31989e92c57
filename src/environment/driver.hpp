#pragma once

#include "environment/description.hpp"

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace faultline::environment {

// A command of a build, and what it does, for progress and for --dry-run.
struct Step {
  std::string title;
  std::vector<std::string> command;
};

// Where an environment is built, and with what.
struct Site {
  std::filesystem::path folder;    // becomes the environment
  std::filesystem::path downloads; // what has been fetched, kept between builds
  std::string python;              // an interpreter of the wanted version
  bool has_uv = false;             // which installs faster than pip
  std::string mirror;              // of Debian
  bool is_root = false;            // who builds it
};

// What a program sees of a built environment.
enum class Layout {
  machine, // what the machine has installed: nothing is built
  prefix,  // a folder with bin/python3
  root,    // the root of a system, which takes the place of the machine's own
};

// A way to build environments; one file each in drivers/.
struct Driver {
  std::string_view name;
  std::string_view summary;
  std::string_view program; // that must be on this machine
  std::string_view remedy;  // how to get it
  Layout layout;
  // The commands that build the environment in `site.folder`.
  std::vector<Step> (*build)(const Description& description, const Site& site);
  // Why this driver cannot build the environment; empty if it can.
  std::string (*refuses)(const Description& description);
};

std::span<const Driver> drivers();
const Driver* find_driver(std::string_view name);
std::vector<std::string> driver_names();

// One for each driver, defined in its file.
extern const Driver k_system;
extern const Driver k_venv;
extern const Driver k_debian;
extern const Driver k_conda;
extern const Driver k_mamba;
extern const Driver k_docker;
extern const Driver k_podman;

} // namespace faultline::environment
