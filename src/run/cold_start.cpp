#include "run/cold_start.hpp"

#include "base/format.hpp"
#include "base/text.hpp"
#include "run/fd.hpp"
#include "run/order.hpp"
#include "run/process_tree.hpp"
#include "run/spawn.hpp"
#include "run/supervisor.hpp"
#include "run/task_limit.hpp"

#include <poll.h>
#include <sys/wait.h>

#include <csignal>
#include <cstdlib>

namespace faultline::run {

// Without a sandbox the mounts do not exist: links into them lead to the machine's own folders.
static Job without_mounts(Job job)
{
  for (auto& [path, target] : job.links) {
    for (const Mount& mount : job.mounts) {
      if (target.starts_with(mount.inside)) {
        target = mount.host.string() + target.substr(mount.inside.size());
      }
    }
  }
  for (std::string& word : job.command) {
    for (const Mount& mount : job.mounts) {
      word = replace_all(word, mount.inside, mount.host.string());
    }
  }
  for (const Mount& mount : job.mounts) {
    std::string& path = job.variables["PATH"];
    path = replace_all(path, mount.inside + "/", mount.host.string() + "/");
  }
  return job;
}

// bubblewrap writes {"child-pid": N} once the first process inside exists.
static pid_t read_child_pid(int fd)
{
  std::string text;
  pollfd ready{fd, POLLIN, 0};
  while (text.find('}') == std::string::npos && poll(&ready, 1, 5000) > 0) {
    char buffer[512];
    const ssize_t n = read(fd, buffer, sizeof buffer);
    if (n <= 0) {
      break;
    }
    text.append(buffer, static_cast<size_t>(n));
  }
  const size_t at = text.find("\"child-pid\":");
  return at == std::string::npos ? 0 : std::atoi(text.c_str() + at + 12);
}

static Result<RunOutcome> start_and_follow(const Job& job,
                                           Isolation isolation,
                                           const std::function<void(std::string_view)>& on_output,
                                           const StopFlag* stop)
{
  const bool boxed = isolation == Isolation::sandbox;
  if (!boxed && !job.system.empty()) {
    return Error{ErrorKind::machine, "another system's programs run in the sandbox only"};
  }
  std::optional<TempDir> folder;
  if (!boxed) {
    FL_TRY(folder, TempDir::create());
  }
  const std::string root = boxed ? std::string(k_folder) : folder->path().string();
  FL_TRY(const Fd order, make_memory_file(encode_order(boxed ? job : without_mounts(job), root)));
  FL_TRY(Pipe log, make_pipe());
  FL_TRY(Pipe status, make_pipe());
  FL_TRY(Pipe info, make_pipe());
  FL_TRY(Pipe trouble, make_pipe());
  Fd result;
  if (job.returns_result) {
    FL_TRY(result, make_memory_file(""));
  }

  std::vector<int> keep{order.get(), log.write.get(), status.write.get()};
  if (result) {
    keep.push_back(result.get());
  }
  std::vector<std::string> command;
  if (boxed) {
    command = sandbox_command(job.mounts, job.limits, job.system);
    const std::string info_fd = format("{}", info.write.get());
    command.insert(command.begin() + 1, {"--info-fd", info_fd});
    keep.push_back(info.write.get());
  }
  command.push_back(boxed ? "/faultline-init" : init_path());
  for (const int fd : {order.get(), log.write.get(), status.write.get(), result.get()}) {
    command.push_back(format("{}", fd));
  }
  if (!boxed) {
    command.push_back("--subreaper");
  }

  const std::optional<TaskLimit> tasks = TaskLimit::create(most_tasks(job.limits));
  FL_TRY(const pid_t pid,
         spawn(command, trouble.write.get(), keep, tasks ? tasks->joining_fd() : -1));
  log.write.reset();
  status.write.reset();
  info.write.reset();
  trouble.write.reset();

  RunningJob running;
  running.log = std::move(log.read);
  running.status = std::move(status.read);
  running.stop = stop;
  running.root = boxed ? read_child_pid(info.read.get()) : pid;
  running.kill = [&running, pid, boxed] {
    if (boxed && running.root > 0) {
      kill(running.root, SIGKILL); // the kernel ends the rest of its pid namespace
    } else {
      kill_tree(pid);
    }
    kill(pid, SIGKILL);
  };
  RunOutcome outcome = supervise(running, job.limits, on_output);
  waitpid(pid, nullptr, 0);
  if (outcome.ending == Ending::machine_failure) {
    char text[1024];
    const ssize_t n = read(trouble.read.get(), text, sizeof text);
    if (n > 0) {
      outcome.reason += format(": {}", trim(std::string_view(text, static_cast<size_t>(n))));
    }
  }
  if (result) {
    outcome.result = read_memory_file(result.get(), k_most_result);
  }
  return outcome;
}

RunOutcome run_cold(const Job& job,
                    Isolation isolation,
                    const std::function<void(std::string_view)>& on_output,
                    const StopFlag* stop)
{
  Result<RunOutcome> outcome = start_and_follow(job, isolation, on_output, stop);
  if (!outcome) {
    return machine_failure(outcome.error().line());
  }
  return *std::move(outcome);
}

} // namespace faultline::run
