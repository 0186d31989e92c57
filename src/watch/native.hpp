#pragma once

// Programs that are machine code: which libraries they need.

#include <filesystem>
#include <string>
#include <vector>

namespace faultline::watch {

// The file that a command starts: the command itself if it has a slash, otherwise found in PATH.
// Empty if there is none.
std::filesystem::path file_of_command(const std::string& word);

// Names of the shared libraries that an ELF file asks for, such as "libtorch_cpu.so.1.13"; none if
// it is not a valid ELF file.
std::vector<std::string> needed_libraries(const std::filesystem::path& file);

bool uses_libtorch(const std::filesystem::path& file);

// Whether a program needs every library of LibTorch that `probe` needs, under the same name. If
// not, the probe would bring another LibTorch along, whose functions the program would then call.
bool has_libtorch_of(const std::filesystem::path& program, const std::filesystem::path& probe);

} // namespace faultline::watch
