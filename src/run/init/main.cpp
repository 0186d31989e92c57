// faultline-init: the first process inside a sandbox.
//
// It lays out the job's files in the (empty, private) folder, starts the command with its limits,
// reaps whatever the command leaves behind, and reports the command's own end as one line
//   "STATUS CPU_MICROSECONDS PEAK_KIB"   (STATUS as wait4 gives it)
// or "!what went wrong" when the command never started. When it ends, the kernel ends every other
// process of its pid namespace. It is linked statically and uses no other code of Faultline, so it
// starts in well under a millisecond.
//
//   faultline-init ORDER_FD LOG_FD STATUS_FD RESULT_FD [--subreaper]
//
// --subreaper: there is no pid namespace (running without a sandbox); kill what is left by hand.

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace {

struct File {
  std::string path;
  mode_t mode;
  std::string content;
};

struct Order {
  std::string root;
  std::string directory;
  std::vector<std::string> arguments;
  std::vector<std::string> variables;
  std::vector<File> files;
  std::vector<std::pair<std::string, std::string>> links;
  std::map<std::string, rlim_t> limits;
};

int g_status_fd = -1;

constexpr int k_niceness = 5;

void report(const std::string& line)
{
  if (write(g_status_fd, line.data(), line.size()) < 0) {
    _exit(126);
  }
}

[[noreturn]] void give_up(const std::string& what)
{
  report("!" + what + ": " + std::strerror(errno));
  _exit(125);
}

std::string read_all(int fd)
{
  std::string bytes;
  char buffer[65536];
  lseek(fd, 0, SEEK_SET);
  for (ssize_t n = 0; (n = read(fd, buffer, sizeof buffer)) > 0;) {
    bytes.append(buffer, static_cast<size_t>(n));
  }
  return bytes;
}

// Takes one netstring off the front of `bytes`.
std::string take(std::string_view& bytes)
{
  size_t digits = 0;
  size_t length = 0;
  while (digits < bytes.size() && bytes[digits] != ':') {
    length = length * 10 + static_cast<size_t>(bytes[digits] - '0');
    ++digits;
  }
  std::string field(bytes.substr(digits + 1, length));
  bytes.remove_prefix(digits + 1 + length);
  return field;
}

Order decode(const std::string& encoded)
{
  Order order;
  std::string_view bytes = encoded;
  while (!bytes.empty()) {
    const std::string kind = take(bytes);
    if (kind == "root") {
      order.root = take(bytes);
    } else if (kind == "dir") {
      order.directory = take(bytes);
    } else if (kind == "arg") {
      order.arguments.push_back(take(bytes));
    } else if (kind == "var") {
      order.variables.push_back(take(bytes));
    } else if (kind == "limit") {
      const std::string name = take(bytes);
      order.limits[name] = std::strtoull(take(bytes).c_str(), nullptr, 10);
    } else if (kind == "file") {
      File file;
      file.path = take(bytes);
      file.mode = static_cast<mode_t>(std::strtoul(take(bytes).c_str(), nullptr, 8));
      file.content = take(bytes);
      order.files.push_back(std::move(file));
    } else if (kind == "link") {
      const std::string path = take(bytes);
      order.links.emplace_back(path, take(bytes));
    }
  }
  return order;
}

void make_parents(const std::string& path)
{
  for (size_t at = path.find('/', 1); at != std::string::npos; at = path.find('/', at + 1)) {
    mkdir(path.substr(0, at).c_str(), 0755);
  }
}

void lay_out(const Order& order)
{
  for (const File& file : order.files) {
    const std::string path = order.root + "/" + file.path;
    make_parents(path);
    const int fd = open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, file.mode);
    if (fd < 0) {
      give_up("cannot create " + file.path);
    }
    std::string_view rest = file.content;
    while (!rest.empty()) {
      const ssize_t n = write(fd, rest.data(), rest.size());
      if (n <= 0) {
        give_up("cannot write " + file.path);
      }
      rest.remove_prefix(static_cast<size_t>(n));
    }
    close(fd);
  }
  for (const auto& [path, target] : order.links) {
    const std::string full = order.root + "/" + path;
    make_parents(full);
    if (symlink(target.c_str(), full.c_str()) != 0) {
      give_up("cannot link " + path);
    }
  }
}

void limit(const Order& order, const char* name, __rlimit_resource resource)
{
  const auto found = order.limits.find(name);
  if (found != order.limits.end()) {
    // At the soft limit of CPU time comes SIGXCPU, which identifies the cause; a second later
    // SIGKILL.
    const rlimit value{found->second, found->second + (resource == RLIMIT_CPU ? 1 : 0)};
    setrlimit(resource, &value);
  }
}

[[noreturn]] void start(const Order& order, int log_fd, int result_fd, int failure_fd)
{
  if (chdir((order.root + "/" + order.directory).c_str()) != 0) {
    give_up("cannot enter " + order.directory);
  }
  const int null = open("/dev/null", O_RDONLY);
  dup2(null, STDIN_FILENO);
  dup2(log_fd, STDOUT_FILENO);
  dup2(log_fd, STDERR_FILENO);
  std::vector<char*> environment;
  std::string result_variable = "FAULTLINE_RESULT_FD=9"; // one digit, since sh supports no more
  if (result_fd >= 0) {
    failure_fd = fcntl(failure_fd, F_DUPFD_CLOEXEC, 10);
    dup2(result_fd, 9);
    environment.push_back(result_variable.data());
  }
  for (const std::string& variable : order.variables) {
    environment.push_back(const_cast<char*>(variable.c_str()));
    if (variable.starts_with("PATH=")) {
      setenv("PATH", variable.c_str() + 5, 1);
    }
  }
  environment.push_back(nullptr);
  std::vector<char*> arguments;
  for (const std::string& argument : order.arguments) {
    arguments.push_back(const_cast<char*>(argument.c_str()));
  }
  arguments.push_back(nullptr);

  limit(order, "data", RLIMIT_DATA);
  limit(order, "cpu", RLIMIT_CPU);
  limit(order, "fsize", RLIMIT_FSIZE);
  const rlimit no_core{0, 0};
  setrlimit(RLIMIT_CORE, &no_core);
  limit(order, "nproc", RLIMIT_NPROC);
  // The process that watches the limits must get the processor when it needs it.
  setpriority(PRIO_PROCESS, 0, getpriority(PRIO_PROCESS, 0) + k_niceness);
  execvpe(arguments[0], arguments.data(), environment.data());
  const std::string why = std::string(arguments[0]) + ": " + std::strerror(errno);
  if (write(failure_fd, why.data(), why.size()) < 0) {
    _exit(126);
  }
  _exit(127);
}

// Without a pid namespace: kill the descendants that are now our children until none is left.
void kill_orphans()
{
  const std::string list = "/proc/self/task/" + std::to_string(getpid()) + "/children";
  while (true) {
    std::ifstream children(list);
    bool any = false;
    for (pid_t pid = 0; children >> pid;) {
      kill(pid, SIGKILL);
      any = true;
    }
    if (!any) {
      return;
    }
    while (waitpid(-1, nullptr, 0) > 0) {
    }
  }
}

} // namespace

int main(int argc, char** argv)
{
  if (argc < 5) {
    std::fputs("faultline-init: started by faultline, not by hand\n", stderr);
    return 2;
  }
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  // The job must not reach this process's descriptors through /proc: in one of them the end of the
  // job is reported. What the job is executed from is open to it again.
  prctl(PR_SET_DUMPABLE, 0);
  const int order_fd = std::atoi(argv[1]);
  const int log_fd = std::atoi(argv[2]);
  g_status_fd = std::atoi(argv[3]);
  const int result_fd = std::atoi(argv[4]);
  const bool subreaper = argc > 5 && std::string_view(argv[5]) == "--subreaper";
  for (const int fd : {order_fd, log_fd, g_status_fd, result_fd}) {
    if (fd >= 0) {
      fcntl(fd, F_SETFD, FD_CLOEXEC);
    }
  }
  if (subreaper) {
    prctl(PR_SET_CHILD_SUBREAPER, 1);
  }

  const Order order = decode(read_all(order_fd));
  lay_out(order);

  int failure[2];
  if (pipe2(failure, O_CLOEXEC) != 0) {
    give_up("pipe");
  }
  const pid_t child = fork();
  if (child < 0) {
    give_up("fork");
  }
  if (child == 0) {
    start(order, log_fd, result_fd, failure[1]);
  }
  close(failure[1]);
  close(log_fd);
  if (result_fd >= 0) {
    close(result_fd);
  }
  char why[512];
  const ssize_t n = read(failure[0], why, sizeof why);
  if (n > 0) {
    report("!cannot start " + std::string(why, static_cast<size_t>(n)));
    return 125;
  }

  while (true) {
    int status = 0;
    rusage usage{};
    const pid_t ended = wait4(-1, &status, 0, &usage);
    if (ended == child) {
      const long long micros = (usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1000000LL +
                               usage.ru_utime.tv_usec + usage.ru_stime.tv_usec;
      if (subreaper) {
        kill_orphans();
      }
      report(std::to_string(status) + " " + std::to_string(micros) + " " +
             std::to_string(usage.ru_maxrss));
      return 0;
    }
  }
}
