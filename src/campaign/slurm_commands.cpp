#include "campaign/slurm_commands.hpp"

#include "base/file.hpp"
#include "base/format.hpp"
#include "base/text.hpp"
#include "run/capture.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

namespace faultline::campaign {

static std::optional<size_t> number_in(std::string_view text)
{
  size_t value = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (problem != std::errc() || end != text.data() + text.size()) {
    return std::nullopt;
  }
  return value;
}

// The output of a tool, or an error with the last line that it printed.
static Result<std::string> output_of(const std::vector<std::string>& command)
{
  FL_TRY(run::Captured captured, run::capture(command));
  if (captured.status == 0) {
    return std::move(captured.output);
  }
  std::string last;
  for (const std::string_view line : split_lines(captured.output)) {
    if (!line.empty()) {
      last = line;
    }
  }
  return Error{ErrorKind::machine,
               last.empty() ? format("{} ended with status {}", command[0], captured.status)
                            : last};
}

bool QueuedTask::is_stuck() const
{
  // "launch failed requeued held", "job requeued in held state", …; a user may hold tasks as well,
  // and then means it.
  return is_pending() && reason.find("equeued") != std::string::npos &&
         reason.find("held") != std::string::npos;
}

Queue parse_queue(std::string_view lines)
{
  Queue queue;
  for (const std::string_view line : split_lines(lines)) {
    const std::vector<std::string_view> fields = split(line, '|');
    if (fields.size() < 4) {
      continue;
    }
    const std::optional<size_t> index = number_in(fields[1]);
    if (number_in(fields[0]) && index) {
      queue[{std::string(fields[0]), *index}] = {std::string(fields[2]), std::string(fields[3])};
    }
  }
  return queue;
}

Result<Queue> read_queue(const std::string& job_name)
{
  FL_TRY(
      const std::string lines,
      output_of({"squeue", "--noheader", "--array", "--name=" + job_name, "--format=%F|%K|%T|%r"}));
  return parse_queue(lines);
}

Result<std::string> submit(const std::vector<std::string>& options, const std::string& script)
{
  FL_TRY(const TempDir folder, TempDir::create());
  const std::filesystem::path file = folder.path() / "job.sh";
  FL_CHECK(write_file(file, script));
  std::vector<std::string> command = {"sbatch", "--parsable"};
  command.insert(command.end(), options.begin(), options.end());
  command.push_back(file.string());
  FL_TRY(const std::string output, output_of(command));
  // "1234" or "1234;cluster", perhaps after warnings.
  for (const std::string_view line : split_lines(output)) {
    const std::string_view job = line.substr(0, line.find(';'));
    if (number_in(job)) {
      return std::string(job);
    }
  }
  return Error{ErrorKind::machine, format("sbatch gave no job number but: {}", output)};
}

bool is_permanent_refusal(std::string_view message)
{
  static constexpr std::array<std::string_view, 11> k_phrases = {
      "cannot run sbatch",
      "nvalid partition",
      "nvalid account",
      "nvalid qos",
      "nvalid feature",
      "nvalid job array",
      "nvalid generic resource",
      "nvalid time",
      "unrecognized option",
      "--help",
      "node configuration is not available",
  };
  return std::any_of(k_phrases.begin(), k_phrases.end(), [&](std::string_view phrase) {
    return message.find(phrase) != std::string_view::npos;
  });
}

Result<void> cancel(const std::vector<std::string>& arguments)
{
  std::vector<std::string> command = {"scancel", "--quiet"};
  command.insert(command.end(), arguments.begin(), arguments.end());
  FL_CHECK(output_of(command));
  return {};
}

} // namespace faultline::campaign
