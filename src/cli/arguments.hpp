#pragma once

// What a command takes from the command line. Commands describe their options with these; the
// library that reads the line, CLI11, is named in arguments.cpp only, because its templates take
// seconds to compile in every file that sees them.

#include "base/result.hpp"

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace CLI {
class App;
class Option;
} // namespace CLI

namespace faultline::cli {

// One option or positional argument; a copy names the same one.
class Option {
public:
  explicit Option(CLI::Option* option) : m_option(option) {}

  Option& named(std::string value); // what stands for its value in --help: "FILE"
  Option& in_group(std::string heading);
  Option& required();
  Option& one_of(std::vector<std::string> words);
  Option& within(int low, int high);
  Option& within(double low, double high);
  Option& at_least(int low);
  Option& repeated();                // one value each time: `--tool A --tool B`, never `--tool A B`
  Option& separated_by(char letter); // `--select NU,SH`
  Option& excludes(Option other);
  Option& shows_default();

  // After parsing.
  bool given() const;
  bool is_flag() const;
  std::string name() const;  // "--json"
  std::string group() const; // its heading in --help
  std::vector<std::string> values() const;

private:
  CLI::Option* m_option;
};

// The options and arguments of one command, or of the program itself; a copy refers to the same
// command.
class Arguments {
public:
  explicit Arguments(CLI::App& app) : m_app(&app) {}

  // `target` keeps its value if the option is not given, and must outlive parsing. T is one of the
  // types at the end of arguments.cpp. A name without dashes is a positional argument.
  template <typename T> Option option(std::string name, T& target, std::string help);
  Option flag(std::string name, bool& target, std::string help);
  Option flag(std::string name, std::function<void()> action, std::string help);
  std::vector<Option> options() const;

  // Add a subcommand. `examples` are shown under its --help, one per line.
  Arguments command(std::string_view name, std::string_view summary, std::string_view examples);
  void require_command();                  // a subcommand must be given
  void hide();                             // from the help of the parent command
  void add_to_help(std::string_view text); // below the examples

  bool chosen() const; // once the line is read
  std::string help() const;

private:
  CLI::App* m_app;
};

// The whole command line.
class CommandLine {
public:
  CommandLine(std::string description, std::string version, std::string epilogue);
  ~CommandLine();
  CommandLine(const CommandLine&) = delete;
  CommandLine& operator=(const CommandLine&) = delete;

  Arguments arguments();

  // Nothing, or what `--help` or `--version` asked to be printed instead of running a command.
  Result<std::string> read(int argc, const char* const* argv);

  std::string chosen() const; // the command that was named, or ""

private:
  struct Parser;
  std::unique_ptr<Parser> m_parser;
};

} // namespace faultline::cli
