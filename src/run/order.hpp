#pragma once

#include "run/job.hpp"

#include <string>

namespace faultline::run {

// A job as the bytes that travel into the sandbox, read there by `faultline-init` (cold) and by
// `probes/fork_server.py` (warm): a sequence of netstrings ("3:abc"), each record a kind followed
// by its fields.
//
//   arg TEXT          one word of the command
//   var NAME=VALUE    environment
//   dir PATH          working directory
//   file PATH MODE CONTENT
//   link PATH TARGET
//   limit NAME N      data, cpu, fsize, nproc: resource limits; tmpfs: bytes of scratch space
//   root PATH         the folder that the relative paths above start from
std::string encode_order(const Job& job, const std::string& root);

} // namespace faultline::run
