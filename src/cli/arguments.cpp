#include "cli/arguments.hpp"

#include "base/format.hpp"
#include "base/text.hpp"

#include <CLI/CLI.hpp>

#include <filesystem>
#include <optional>

namespace faultline::cli {

constexpr size_t k_help_column = 26;

Option& Option::named(std::string value)
{
  m_option->type_name(std::move(value));
  return *this;
}

Option& Option::in_group(std::string heading)
{
  m_option->group(std::move(heading));
  return *this;
}

Option& Option::required()
{
  m_option->required();
  return *this;
}

Option& Option::one_of(std::vector<std::string> words)
{
  m_option->check(CLI::IsMember(std::move(words)));
  return *this;
}

Option& Option::within(int low, int high)
{
  m_option->check(CLI::Range(low, high));
  return *this;
}

Option& Option::within(double low, double high)
{
  m_option->check(CLI::Range(low, high));
  return *this;
}

// CLI11's own check prints the largest possible number as the upper limit.
Option& Option::at_least(int low)
{
  m_option->check(CLI::Validator(
      [low](const std::string& text) {
        int number = 0;
        return CLI::detail::lexical_cast(text, number) && number >= low
                   ? std::string()
                   : format("must be at least {}, not {}", low, text);
      },
      ""));
  return *this;
}

Option& Option::repeated()
{
  m_option->allow_extra_args(false);
  return *this;
}

Option& Option::separated_by(char letter)
{
  m_option->delimiter(letter);
  return *this;
}

Option& Option::excludes(Option other)
{
  m_option->excludes(other.m_option);
  return *this;
}

Option& Option::shows_default()
{
  m_option->capture_default_str();
  return *this;
}

bool Option::given() const
{
  return m_option->count() > 0;
}

bool Option::is_flag() const
{
  return m_option->get_expected_max() == 0;
}

std::string Option::name() const
{
  return m_option->get_name();
}

std::string Option::group() const
{
  return m_option->get_group();
}

std::vector<std::string> Option::values() const
{
  return m_option->results();
}

template <typename T> Option Arguments::option(std::string name, T& target, std::string help)
{
  return Option(m_app->add_option(std::move(name), target, std::move(help)));
}

Option Arguments::flag(std::string name, bool& target, std::string help)
{
  return Option(m_app->add_flag(std::move(name), target, std::move(help)));
}

Option Arguments::flag(std::string name, std::function<void()> action, std::string help)
{
  return Option(m_app->add_flag_callback(std::move(name), std::move(action), std::move(help)));
}

std::vector<Option> Arguments::options() const
{
  std::vector<Option> options;
  for (CLI::Option* option : m_app->get_options()) {
    options.emplace_back(option);
  }
  return options;
}

Arguments
Arguments::command(std::string_view name, std::string_view summary, std::string_view examples)
{
  CLI::App* command = m_app->add_subcommand(std::string(name), std::string(summary));
  command->set_help_flag("-h,--help", "print this help");
  command->get_formatter()->column_width(k_help_column);
  std::string footer = "\nExamples:";
  for (const std::string_view line : split(examples, '\n')) {
    footer += "\n  " + std::string(line);
  }
  command->footer(footer);
  return Arguments(*command);
}

void Arguments::require_command()
{
  m_app->require_subcommand(1);
}

void Arguments::hide()
{
  m_app->group("");
}

void Arguments::add_to_help(std::string_view text)
{
  m_app->footer(m_app->get_footer() + "\n\n" + std::string(text));
}

bool Arguments::chosen() const
{
  return m_app->parsed();
}

std::string Arguments::help() const
{
  return m_app->help();
}

struct CommandLine::Parser {
  CLI::App app;
};

CommandLine::CommandLine(std::string description, std::string version, std::string epilogue)
    : m_parser(std::make_unique<Parser>())
{
  CLI::App& app = m_parser->app;
  app.description(std::move(description));
  app.name("faultline");
  app.set_version_flag("--version", std::move(version));
  app.set_help_flag("-h,--help", "print this help");
  app.get_formatter()->column_width(k_help_column);
  app.footer(std::move(epilogue));
  app.require_subcommand(0, 1);
  app.fallthrough();
}

CommandLine::~CommandLine() = default;

Arguments CommandLine::arguments()
{
  return Arguments(m_parser->app);
}

// The argument that CLI11 did not expect: the first one that looks like an option, otherwise the
// first one.
static std::string unexpected_argument(const std::vector<std::string_view>& words)
{
  for (const std::string_view word : words) {
    if (word.starts_with('-')) {
      return std::string(word);
    }
  }
  return std::string(words.front());
}

// CLI11's message as one line in our style, with the nearest name for an unknown option.
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

Result<std::string> CommandLine::read(int argc, const char* const* argv)
{
  CLI::App& app = m_parser->app;
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& success) {
    std::ostringstream text;
    app.exit(success, text, text);
    return text.str();
  } catch (const CLI::ParseError& error) {
    // The innermost command that was understood: `campaign`, then its `run`.
    const CLI::App* at = &app;
    std::string command;
    while (!at->get_subcommands().empty()) {
      at = at->get_subcommands().front();
      command += (command.empty() ? "" : " ") + at->get_name();
    }
    return usage_error(error, *at, command);
  }
  return std::string();
}

std::string CommandLine::chosen() const
{
  const std::vector<CLI::App*> commands = m_parser->app.get_subcommands();
  return commands.empty() ? std::string() : commands.front()->get_name();
}

template Option Arguments::option(std::string, bool&, std::string);
template Option Arguments::option(std::string, int&, std::string);
template Option Arguments::option(std::string, unsigned&, std::string);
template Option Arguments::option(std::string, size_t&, std::string);
template Option Arguments::option(std::string, int64_t&, std::string);
template Option Arguments::option(std::string, double&, std::string);
template Option Arguments::option(std::string, std::string&, std::string);
template Option Arguments::option(std::string, std::optional<size_t>&, std::string);
template Option Arguments::option(std::string, std::optional<std::string>&, std::string);
template Option Arguments::option(std::string, std::vector<std::string>&, std::string);

} // namespace faultline::cli
