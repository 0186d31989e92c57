#include "run/compiler.hpp"

#include "base/digest.hpp"
#include "base/file_lock.hpp"
#include "base/format.hpp"
#include "base/text.hpp"
#include "run/capture.hpp"
#include "run/cold_start.hpp"

namespace faultline::run {

namespace fs = std::filesystem;

constexpr std::string_view k_toolchain_mount = "/toolchain";
constexpr std::string_view k_header = "#include <torch/torch.h>\n#include <iostream>\n";
static const std::vector<std::string> k_libraries = {"-ltorch", "-ltorch_cpu", "-lc10"};

static Limits compile_limits()
{
  Limits limits;
  limits.wall_seconds = 300;
  limits.cpu_seconds = 300;
  limits.memory_mib = 4096;
  limits.disk_mib = 1024;
  return limits;
}

Compiler::Compiler(const Environment& environment, fs::path cache, Isolation isolation)
    : m_environment(environment), m_cache(std::move(cache)), m_isolation(isolation)
{
}

std::vector<std::string> Compiler::flags() const
{
  std::vector<std::string> words = {
      m_environment.toolchain->compiler.string(), "-std=c++17", "-O1", "-g1"};
  for (const fs::path& folder : m_environment.toolchain->include_dirs) {
    words.push_back("-I" + folder.string());
  }
  return words;
}

std::vector<std::string> plain_compile_command(const std::vector<std::string>& sources,
                                               const std::string& output)
{
  std::vector<std::string> words = {
      "g++", "-std=c++17", "-O1", "-g1", "-I/usr/include/torch/csrc/api/include"};
  words.insert(words.end(), sources.begin(), sources.end());
  words.insert(words.end(), {"-o", output});
  words.insert(words.end(), k_libraries.begin(), k_libraries.end());
  return words;
}

fs::path Compiler::header_folder() const
{
  Digest digest;
  digest.add(join(flags(), " ")).add(m_environment.toolchain->version);
  digest.add(m_environment.toolchain->libtorch).add(k_header);
  return m_cache / "headers" / digest.hex().substr(0, 16);
}

Result<void> Compiler::prepare()
{
  const std::lock_guard guard(m_preparing);
  const fs::path folder = header_folder();
  std::error_code code;
  fs::create_directories(folder, code);
  if (fs::exists(folder / "all.hpp.gch", code)) {
    return {};
  }
  const FileLock lock(folder / "lock");
  if (fs::exists(folder / "all.hpp.gch", code)) {
    return {};
  }
  // Headers precompiled for other versions are of no use any more.
  for (const fs::directory_entry& entry : fs::directory_iterator(m_cache / "headers", code)) {
    if (entry.path() != folder) {
      fs::remove_all(entry.path(), code);
    }
  }
  FL_CHECK(write_file(folder / "all.hpp", k_header));
  std::vector<std::string> words = flags();
  // Our own header and the machine's: nothing of a fault, so no sandbox is needed.
  const std::string temporary = (folder / "all.hpp.gch.new").string();
  words.insert(words.end(), {"-x", "c++-header", (folder / "all.hpp").string(), "-o", temporary});
  FL_TRY(const Captured made, capture(words));
  if (made.status != 0) {
    return Error{ErrorKind::machine,
                 format("cannot precompile LibTorch's header: {}", trim(made.output))};
  }
  fs::rename(temporary, folder / "all.hpp.gch", code);
  if (code) {
    return Error{ErrorKind::io, format("cannot keep the precompiled header: {}", code.message())};
  }
  return {};
}

Compiler::Compiled Compiler::compile(const Program& program, const StopFlag* stop)
{
  if (Result<void> ready = prepare(); !ready) {
    return machine_failure(ready.error().line());
  }
  const std::string compile = join(flags(), " ") + " -fdebug-prefix-map=\"$PWD\"=. " +
                              format("-include {}/all.hpp ", k_toolchain_mount) +
                              join(program.sources, " ") + " -o /tmp/binary " +
                              join(k_libraries, " ");
  Digest digest;
  digest.add(compile).add(m_environment.fingerprint("libtorch"));
  for (const auto& [path, content] : program.files) {
    digest.add(path).add(content);
  }
  const fs::path kept = m_cache / "binaries" / digest.hex();
  if (Result<std::string> binary = read_file(kept)) {
    return *std::move(binary);
  }

  Job job;
  job.files = program.files;
  // The binary goes out through the result file: the sandbox has no folder that outlives it.
  job.command = {"sh", "-c", compile + " && cat /tmp/binary >&$FAULTLINE_RESULT_FD"};
  job.variables = program_variables(m_environment);
  job.system = m_environment.system;
  job.mounts = {{header_folder(), std::string(k_toolchain_mount)}};
  job.limits = compile_limits();
  job.returns_result = true;
  RunOutcome outcome = run_cold(job, m_isolation, {}, stop);
  if (!outcome.succeeded()) {
    return outcome;
  }
  if (Result<void> written = write_file(kept, outcome.result); !written) {
    return machine_failure(written.error().line());
  }
  return std::move(outcome.result);
}

} // namespace faultline::run
