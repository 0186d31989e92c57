#pragma once

#include "base/file.hpp"
#include "base/result.hpp"
#include "run/environment.hpp"
#include "run/interrupt.hpp"
#include "run/outcome.hpp"
#include "run/sandbox.hpp"

#include <filesystem>
#include <mutex>
#include <string>
#include <variant>
#include <vector>

namespace faultline::run {

// Compiles C++ programs against LibTorch inside the sandbox. The header is precompiled once, and a
// binary is kept under the digest of everything that went into it, so that a program is compiled
// once. Safe to use from several threads and processes.
class Compiler {
public:
  Compiler(const Environment& environment, std::filesystem::path cache, Isolation isolation);

  struct Program {
    FileTree files;
    std::vector<std::string> sources;
    std::string output;
  };

  // The binary's bytes; or, if the program does not compile, the compiler's outcome.
  using Compiled = std::variant<std::string, RunOutcome>;
  Compiled compile(const Program& program, const StopFlag* stop = nullptr);

  // Precompile the header now (half a minute, once per machine) rather than at first use.
  Result<void> prepare();

private:
  std::vector<std::string> flags() const;
  std::filesystem::path header_folder() const;

  const Environment& m_environment;
  std::filesystem::path m_cache;
  Isolation m_isolation;
  std::mutex m_preparing;
};

// The command a user types to compile such a program by hand.
std::vector<std::string> plain_compile_command(const std::vector<std::string>& sources,
                                               const std::string& output);

} // namespace faultline::run
