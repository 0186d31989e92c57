#include "campaign/slurm.hpp"

#include "base/clock.hpp"
#include "base/digest.hpp"
#include "base/file.hpp"
#include "base/format.hpp"
#include "base/shell.hpp"
#include "base/text.hpp"
#include "campaign/chunk_file.hpp"
#include "campaign/slurm_commands.hpp"
#include "run/interrupt.hpp"

#include <algorithm>
#include <chrono>
#include <optional>
#include <set>
#include <thread>

namespace faultline::campaign {

namespace fs = std::filesystem;

namespace {

// The name of all jobs of a campaign, the same when it is resumed.
std::string job_name(const fs::path& folder)
{
  std::error_code code;
  const fs::path canonical = fs::weakly_canonical(folder, code);
  return "faultline-" + Digest().add(canonical.string()).hex().substr(0, 16);
}

// Empty where there is nothing to read.
std::string last_line_of(const fs::path& file)
{
  const Result<std::string> text = read_file(file);
  std::string last;
  for (const std::string_view line : split_lines(text ? std::string_view(*text) : "")) {
    last = line.empty() ? last : std::string(line);
  }
  return last;
}

struct Task {
  bool done = false;
  std::string job; // the array that it was last submitted with; empty: to be submitted
  size_t index = 0;
  int fruitless = 0;  // submissions since its file last grew
  uintmax_t size = 0; // of its file when it was submitted
  std::optional<double> missing_since;
};

class Arrays {
public:
  Arrays(const SlurmConfig& config,
         size_t tasks,
         const std::function<bool(size_t)>& is_done,
         const std::function<void(const SlurmProgress&)>& on_progress)
      : m_config(config), m_is_done(is_done), m_on_progress(on_progress), m_tasks(tasks),
        m_name(job_name(config.folder))
  {
  }

  Result<void> run();
  // What is queued under our name, whoever put it there.
  Result<void> cancel_all() const { return cancel({"--name=" + m_name}); }

private:
  Result<void> look(const Queue& queue);
  Result<void> look_at(size_t chunk, const Queue& queue);
  Result<void> submit_waiting();
  Result<void> trouble(const std::string& message);
  void note_done();
  void pause() const;
  std::vector<std::string> options(size_t count) const;
  uintmax_t size_of(size_t chunk) const;
  bool all_done() const { return m_progress.done == m_tasks.size(); }

  const SlurmConfig& m_config;
  const std::function<bool(size_t)>& m_is_done;
  const std::function<void(const SlurmProgress&)>& m_on_progress;
  std::vector<Task> m_tasks;
  std::string m_name; // of all our jobs
  std::set<std::string> m_jobs;
  size_t m_leftovers = 0; // jobs in the queue under our name that are not ours
  SlurmProgress m_progress;
  std::optional<double> m_trouble_since;
};

Result<void> Arrays::run()
{
  while (!run::interrupted()) {
    note_done();
    if (all_done()) {
      break;
    }
    m_progress.trouble.clear();
    if (const Result<Queue> queue = read_queue(m_name)) {
      FL_CHECK(look(*queue));
      // What an earlier call left must be gone first: it writes to the same files.
      if (m_leftovers == 0 || !m_jobs.empty()) {
        FL_CHECK(submit_waiting());
      }
    } else {
      FL_CHECK(trouble(queue.error().line()));
    }
    if (m_progress.trouble.empty()) {
      m_trouble_since.reset();
    }
    m_on_progress(m_progress);
    pause();
  }
  m_progress.running = m_progress.pending = 0;
  m_on_progress(m_progress);
  return {};
}

void Arrays::note_done()
{
  m_progress.done = 0;
  for (size_t chunk = 0; chunk < m_tasks.size(); ++chunk) {
    Task& task = m_tasks[chunk];
    task.done = task.done || m_is_done(chunk);
    m_progress.done += task.done ? 1 : 0;
  }
}

// Slurm may be restarted, or refuse for a while.
Result<void> Arrays::trouble(const std::string& message)
{
  m_progress.trouble = message;
  const double now = monotonic_seconds();
  if (!m_trouble_since) {
    m_trouble_since = now;
  }
  if (now - *m_trouble_since >= m_config.patience_seconds) {
    return Error{
        ErrorKind::machine,
        format("Slurm refuses since {}: {}", print_duration(now - *m_trouble_since), message)};
  }
  return {};
}

Result<void> Arrays::look(const Queue& queue)
{
  m_progress.running = m_progress.pending = 0;
  std::set<std::string> strange;
  for (const auto& [place, queued] : queue) {
    if (!m_jobs.contains(place.first)) {
      // Left by a killed call, or accepted although sbatch did not hear it.
      strange.insert(place.first);
    } else {
      m_progress.pending += queued.is_pending() ? 1 : 0;
      m_progress.running += queued.state == "RUNNING" ? 1 : 0;
    }
  }
  m_leftovers = strange.size();
  if (!strange.empty()) {
    if (const auto cancelled = cancel({strange.begin(), strange.end()}); !cancelled) {
      m_progress.trouble = cancelled.error().line();
    }
  }
  for (size_t chunk = 0; chunk < m_tasks.size(); ++chunk) {
    if (!m_tasks[chunk].done && !m_tasks[chunk].job.empty()) {
      FL_CHECK(look_at(chunk, queue));
    }
  }
  return {};
}

Result<void> Arrays::look_at(size_t chunk, const Queue& queue)
{
  Task& task = m_tasks[chunk];
  const auto queued = queue.find({task.job, task.index});
  if (queued != queue.end() && !queued->second.is_stuck()) {
    task.missing_since.reset();
    return {};
  }
  const double now = monotonic_seconds();
  if (!task.missing_since) {
    task.missing_since = now;
  }
  if (now - *task.missing_since < m_config.grace_seconds || m_is_done(chunk)) {
    return {};
  }
  if (queued != queue.end()) {
    if (const auto cancelled = cancel({format("{}_{}", task.job, task.index)}); !cancelled) {
      return trouble(cancelled.error().line());
    }
  }
  const uintmax_t size = size_of(chunk);
  task.fruitless = size > task.size ? 0 : task.fruitless + 1;
  if (task.fruitless >= m_config.tries) {
    const fs::path output = m_config.folder / "slurm" / format("{}_{}.out", task.job, task.index);
    const std::string last = last_line_of(output);
    return Error{ErrorKind::machine,
                 format("task {} ended {} times without finishing a run{}; its output is in {}",
                        chunk,
                        task.fruitless,
                        last.empty() ? "" : format(" ({})", last),
                        output.string())};
  }
  task.job.clear();
  task.missing_since.reset();
  m_progress.resubmitted += 1;
  return {};
}

Result<void> Arrays::submit_waiting()
{
  std::vector<size_t> waiting;
  bool outstanding = false;
  for (size_t chunk = 0; chunk < m_tasks.size(); ++chunk) {
    const Task& task = m_tasks[chunk];
    if (!task.done && task.job.empty()) {
      waiting.push_back(chunk);
    }
    outstanding = outstanding || (!task.done && !task.job.empty());
  }
  for (size_t begin = 0; begin < waiting.size(); begin += m_config.array_size) {
    // Slurm bounds what runs at once within an array only: then one array after the other.
    if (m_config.at_once > 0 && outstanding) {
      return {};
    }
    const size_t end = std::min(waiting.size(), begin + m_config.array_size);
    const std::vector<size_t> chunks(waiting.begin() + static_cast<std::ptrdiff_t>(begin),
                                     waiting.begin() + static_cast<std::ptrdiff_t>(end));
    const Result<std::string> job =
        submit(options(chunks.size()), array_script(m_config.worker, chunks));
    if (!job) {
      if (is_permanent_refusal(job.error().line())) {
        return Error{ErrorKind::machine, "Slurm does not take the job: " + job.error().line()};
      }
      if (m_progress.running + m_progress.pending > 0) {
        m_trouble_since.reset(); // no hurry: a limit on queued jobs, say
      }
      return trouble(job.error().line());
    }
    m_jobs.insert(*job);
    outstanding = true;
    for (size_t i = 0; i < chunks.size(); ++i) {
      Task& task = m_tasks[chunks[i]];
      task.job = *job;
      task.index = i;
      task.size = size_of(chunks[i]);
      task.missing_since.reset();
    }
    m_progress.pending += chunks.size();
  }
  return {};
}

std::vector<std::string> Arrays::options(size_t count) const
{
  std::string array = format("--array=0-{}", count - 1);
  if (m_config.at_once > 0) {
    array += format("%{}", m_config.at_once);
  }
  std::vector<std::string> options = {
      array,
      "--job-name=" + m_name,
      "--requeue",
      "--open-mode=append",
      "--ntasks=1",
      format("--cpus-per-task={}", m_config.cpus_per_task),
      "--output=" + (m_config.folder / "slurm" / "%A_%a.out").string(),
      "--chdir=" + m_config.folder.string(),
  };
  if (!m_config.partition.empty()) {
    options.push_back("--partition=" + m_config.partition);
  }
  if (!m_config.time_limit.empty()) {
    options.push_back("--time=" + m_config.time_limit);
  }
  options.insert(options.end(), m_config.options.begin(), m_config.options.end());
  return options;
}

uintmax_t Arrays::size_of(size_t chunk) const
{
  std::error_code code;
  const uintmax_t size = fs::file_size(chunk_path(m_config.folder, chunk), code);
  return code ? 0 : size;
}

void Arrays::pause() const
{
  const double end = monotonic_seconds() + m_config.poll_seconds;
  while (monotonic_seconds() < end && !run::interrupted()) {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
}

} // namespace

std::string array_script(const std::vector<std::string>& worker, const std::vector<size_t>& chunks)
{
  std::string script = "#!/bin/sh\nset --";
  for (const size_t chunk : chunks) {
    script += format(" {}", chunk);
  }
  script += "\nshift \"$SLURM_ARRAY_TASK_ID\"\nexec";
  for (const std::string& word : worker) {
    script += " " + shell_word(word);
  }
  return script + " \"$1\"\n";
}

void cancel_leftovers(const fs::path& folder, double seconds)
{
  const std::string name = job_name(folder);
  const double end = monotonic_seconds() + seconds;
  for (Result<Queue> queue = read_queue(name); queue && !queue->empty(); queue = read_queue(name)) {
    (void)cancel({"--name=" + name});
    if (monotonic_seconds() > end || run::interrupted()) {
      return;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
  }
}

Result<void> run_on_slurm(const SlurmConfig& config,
                          size_t tasks,
                          const std::function<bool(size_t)>& is_done,
                          const std::function<void(const SlurmProgress&)>& on_progress)
{
  FL_ASSERT(!config.worker.empty() && config.array_size > 0, "a task must have something to do");
  std::error_code code;
  fs::create_directories(config.folder / "slurm", code);
  fs::create_directories(config.folder / "chunks", code);
  if (code) {
    return Error{ErrorKind::io, format("{}: {}", config.folder.string(), code.message())};
  }
  SlurmConfig absolute = config;
  absolute.folder = fs::absolute(config.folder, code);
  Arrays arrays(absolute, tasks, is_done, on_progress);
  Result<void> result = arrays.run();
  // Tasks may be queued still: cancelled ones that hang on, second starts, all of them on an error.
  const Result<void> cancelled = arrays.cancel_all();
  if (result && !cancelled && run::interrupted()) {
    return Error(cancelled.error()).in("cannot cancel the tasks that are queued");
  }
  return result;
}

} // namespace faultline::campaign
