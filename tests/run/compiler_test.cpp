#include "run/compiler.hpp"
#include "run/job_fixture.hpp"

namespace faultline::run {

// The precompiled header is big; all tests, and repeated runs of them, share one cache.
static std::filesystem::path cache()
{
  const char* home = std::getenv("FAULTLINE_HOME");
  return home != nullptr ? std::filesystem::path(home)
                         : std::filesystem::path(FL_SOURCE_DIR) / ".faultline";
}

TEST(Compiler, CompilesAProgramThatRuns)
{
  Compiler compiler(machine(), cache(), Isolation::sandbox);
  const Compiler::Compiled compiled = compiler.compile(
      {{{"main.cpp",
         "#include <torch/torch.h>\n#include <iostream>\n"
         "int main() { std::cout << torch::ones({2, 3}).sum().item<float>() << '\\n'; }\n"}},
       {"main.cpp"},
       "main"});
  ASSERT_TRUE(std::holds_alternative<std::string>(compiled)) << std::get<RunOutcome>(compiled).log;
  Job job = python_job(
      "import subprocess\nprint(subprocess.run(['./main'], capture_output=True).stdout)\n");
  job.files["program/main"] = std::get<std::string>(compiled);
  job.executables.insert("program/main");
  EXPECT_EQ(run_cold(job, Isolation::sandbox).log, "b'6\\n'\n");
}

TEST(Compiler, ReportsAProgramThatDoesNotCompileAsItsOwnFault)
{
  Compiler compiler(machine(), cache(), Isolation::sandbox);
  const Compiler::Compiled compiled = compiler.compile(
      {{{"main.cpp", "int main() { return undeclared; }\n"}}, {"main.cpp"}, "main"});
  ASSERT_TRUE(std::holds_alternative<RunOutcome>(compiled));
  const RunOutcome& outcome = std::get<RunOutcome>(compiled);
  EXPECT_EQ(outcome.ending, Ending::exited);
  EXPECT_NE(outcome.log.find("main.cpp:1:21: error:"), std::string::npos) << outcome.log;
}

TEST(Compiler, CannotBeMadeToReadTheMachine)
{
  Compiler compiler(machine(), cache(), Isolation::sandbox);
  const Compiler::Compiled compiled = compiler.compile(
      {{{"main.cpp", "#include \"/etc/shadow\"\nint main() {}\n"}}, {"main.cpp"}, "main"});
  ASSERT_TRUE(std::holds_alternative<RunOutcome>(compiled));
  EXPECT_NE(std::get<RunOutcome>(compiled).log.find("/etc/shadow: No such file"),
            std::string::npos);
}

} // namespace faultline::run
