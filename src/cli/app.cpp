#include "cli/app.hpp"

#include "base/format.hpp"
#include "base/text.hpp"
#include "cli/command.hpp"

#include <iostream>
#include <map>

namespace faultline::cli {

static int run_parsed(int argc, char** argv)
{
  Session session;
  CommandLine line("Faultline: a benchmark of real bugs in deep-learning programs, and tools that "
                   "find such bugs",
                   "faultline " FL_VERSION,
                   "\nRun `faultline COMMAND --help` for the options of a command and examples.\n"
                   "Exit status: 0 success; 1 something was found; 2 wrong usage or bad input;\n"
                   "3 the machine could not do it; 130 interrupted.");
  Arguments arguments = line.arguments();
  arguments.option("--root", session.root_option, "the folder with faults/ and taxonomy/")
      .named("FOLDER");
  arguments.option("--color", session.colour_option, "auto (default), always or never")
      .one_of({"auto", "always", "never"})
      .named("WHEN");

  std::map<std::string, Action, std::less<>> actions;
  std::vector<std::string> names;
  for (const Command& command : commands()) {
    Arguments of_command = arguments.command(command.name, command.summary, command.examples);
    names.emplace_back(command.name);
    actions[names.back()] = command.declare(of_command, session);
  }
  const std::string asked = argc > 1 ? argv[1] : "";
  if (!asked.empty() && !asked.starts_with('-') && !actions.contains(asked)) {
    const std::string guess = did_you_mean(asked, names);
    return report_error({ErrorKind::usage,
                         format("unknown command `{}`{}",
                                asked,
                                guess.empty() ? "; see `faultline --help`" : guess)},
                        session.err());
  }
  const Result<std::string> text = line.read(argc, argv);
  if (!text) {
    return report_error(text.error(), session.err());
  }
  if (!text->empty() || line.chosen().empty()) {
    std::cout << (text->empty() ? arguments.help() : *text);
    return k_exit_ok;
  }
  const Result<int> status = actions.at(line.chosen())();
  if (!status) {
    return report_error(status.error(), session.err());
  }
  std::cout.flush();
  if (!std::cout) {
    return report_error({ErrorKind::io, "cannot write to standard output"}, session.err());
  }
  return *status <= k_exit_found && session.has_problems() ? int{k_exit_wrong} : *status;
}

int run_app(int argc, char** argv)
{
  // The outermost handler: an exception that a library lets through is our bug, reported in one
  // line.
  try {
    return run_parsed(argc, argv);
  } catch (const std::exception& error) {
    return report_error({ErrorKind::internal, format("internal error: {}", error.what())},
                        Painter(false));
  }
}

} // namespace faultline::cli
