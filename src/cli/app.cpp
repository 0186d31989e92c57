#include "cli/app.hpp"

#include "base/format.hpp"
#include "base/text.hpp"
#include "cli/command.hpp"

#include <iostream>
#include <map>

namespace faultline::cli {

static std::string examples_of(const Command& command)
{
  std::string text = "\nExamples:";
  for (const std::string_view line : split(command.examples, '\n')) {
    text += "\n  " + std::string(line);
  }
  return text;
}

// The argument that CLI11 did not expect: the first that looks like an option, else the first.
static std::string unexpected_argument(const std::vector<std::string_view>& words)
{
  for (const std::string_view word : words) {
    if (word.starts_with('-')) {
      return std::string(word);
    }
  }
  return std::string(words.front());
}

// What CLI11 says, as one line of ours, with the nearest name where an option was not known.
static Error
usage_error(const CLI::ParseError& error, const CLI::App& app, const std::string& command)
{
  std::string message = replace_all(std::string(error.what()), "\n", " ");
  for (const std::string start : {"The following argument was not expected: ",
                                  "The following arguments were not expected: "}) {
    if (message.starts_with(start)) {
      const std::string given = unexpected_argument(split(message.substr(start.size()), ' '));
      std::vector<std::string> names;
      for (const CLI::Option* option : app.get_options()) {
        names.push_back(option->get_name());
      }
      message = format("unexpected argument `{}`{}", given, did_you_mean(given, names));
    }
  }
  message = std::string(trim(message));
  if (message.ends_with('?')) {
    return {ErrorKind::usage, message};
  }
  if (message.ends_with('.')) {
    message.pop_back();
  }
  return {ErrorKind::usage,
          format("{}; see `faultline{}{} --help`", message, command.empty() ? "" : " ", command)};
}

static int run_parsed(int argc, char** argv)
{
  Session session;
  CLI::App app("Faultline: executable faults of deep-learning programs, re-proved with one command",
               "faultline");
  app.set_version_flag("--version", "faultline " FL_VERSION);
  app.set_help_flag("-h,--help", "print this help");
  app.get_formatter()->column_width(26);
  app.add_option("--root", session.root_option, "the folder with faults/ and taxonomy/")
      ->type_name("FOLDER");
  app.add_option("--color", session.colour_option, "auto (default), always or never")
      ->check(CLI::IsMember({"auto", "always", "never"}))
      ->type_name("WHEN");
  app.footer(
      "\nfaultline COMMAND --help says more of a command.\n"
      "Exit status: 0 all well; 1 something was found; 2 the request or its input was wrong;\n"
      "3 the machine could not; 130 interrupted.");
  app.require_subcommand(0, 1);
  app.fallthrough();

  std::map<std::string, Action, std::less<>> actions;
  std::vector<std::string> names;
  for (const Command& command : commands()) {
    const std::string name(command.name);
    CLI::App* sub = app.add_subcommand(name, std::string(command.summary));
    sub->set_help_flag("-h,--help", "print this help");
    sub->footer(examples_of(command));
    sub->get_formatter()->column_width(26);
    actions[name] = command.declare(*sub, session);
    names.push_back(name);
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
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& success) {
    return app.exit(success);
  } catch (const CLI::ParseError& error) {
    // The innermost command that was understood: `campaign`, then its `run`.
    const CLI::App* at = &app;
    std::string command;
    while (!at->get_subcommands().empty()) {
      at = at->get_subcommands().front();
      command += (command.empty() ? "" : " ") + at->get_name();
    }
    return report_error(usage_error(error, *at, command), session.err());
  }
  const std::vector<CLI::App*> chosen = app.get_subcommands();
  if (chosen.empty()) {
    std::cout << app.help();
    return k_exit_ok;
  }
  const Result<int> status = actions.at(chosen.front()->get_name())();
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
  // The outermost fence: an exception of a library is our bug, said in one line.
  try {
    return run_parsed(argc, argv);
  } catch (const std::exception& error) {
    return report_error({ErrorKind::internal, format("internal error: {}", error.what())},
                        Painter(false));
  }
}

} // namespace faultline::cli
