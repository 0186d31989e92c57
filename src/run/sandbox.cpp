#include "run/sandbox.hpp"

#include "base/format.hpp"
#include "base/text.hpp"
#include "run/capture.hpp"
#include "run/installation.hpp"

#include <filesystem>

namespace faultline::run {

namespace fs = std::filesystem;

// /usr, and /bin, /lib… as the system below `root` has them: links into /usr or folders of their
// own.
static void add_system(std::vector<std::string>& words, const fs::path& root)
{
  const auto below = [&root](const char* name) { return root.string() + name; };
  words.insert(words.end(), {"--ro-bind", below("/usr"), "/usr"});
  for (const char* name : {"/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32"}) {
    std::error_code code;
    if (fs::is_symlink(below(name), code)) {
      words.insert(words.end(), {"--symlink", fs::read_symlink(below(name), code).string(), name});
    } else if (fs::is_directory(below(name), code)) {
      words.insert(words.end(), {"--ro-bind", below(name), name});
    }
  }
  // Of /etc only what programs need to start; nothing that names users or holds secrets.
  for (const char* name : {"/etc/ld.so.cache",
                           "/etc/ld.so.conf",
                           "/etc/ld.so.conf.d",
                           "/etc/alternatives",
                           "/etc/localtime",
                           "/etc/python3",
                           "/etc/python3.11",
                           "/etc/python3.13"}) {
    words.insert(words.end(), {"--ro-bind-try", below(name), name});
  }
}

std::vector<std::string>
sandbox_command(const std::vector<Mount>& mounts, const Limits& limits, const fs::path& system)
{
  const std::string scratch = format("{}", limits.disk_mib * 1024 * 1024);
  std::vector<std::string> words = {"bwrap",
                                    "--unshare-all",
                                    "--unshare-user",
                                    "--uid",
                                    "1000",
                                    "--gid",
                                    "1000",
                                    "--die-with-parent",
                                    "--new-session",
                                    "--clearenv",
                                    "--hostname",
                                    "sandbox"};
  add_system(words, system);
  words.insert(words.end(), {"--proc", "/proc", "--dev", "/dev"});
  // Root, even in a user namespace, could otherwise change kernel settings.
  for (const char* name : {"/proc/sys", "/proc/sysrq-trigger", "/proc/irq", "/proc/bus"}) {
    words.insert(words.end(), {"--ro-bind-try", name, name});
  }
  words.insert(words.end(), {"--size", scratch, "--tmpfs", "/dev/shm", "--remount-ro", "/dev"});
  words.insert(words.end(), {"--size", scratch, "--tmpfs", "/tmp"});
  words.insert(words.end(), {"--size", scratch, "--tmpfs", std::string(k_folder)});
  words.insert(words.end(), {"--ro-bind", init_path(), "/faultline-init"});
  for (const Mount& mount : mounts) {
    words.insert(words.end(), {"--ro-bind", mount.host.string(), mount.inside});
  }
  words.insert(words.end(), {"--remount-ro", "/", "--chdir", std::string(k_folder), "--"});
  return words;
}

std::string init_path()
{
  return helper_of(own_executable(), "faultline-init").string();
}

Result<void> check_sandbox()
{
  if (init_path().empty()) {
    return Error{ErrorKind::machine,
                 format("faultline-init is missing, which belongs beside {} or in "
                        "../libexec/faultline: build or install Faultline again",
                        own_executable().string())};
  }
  std::vector<std::string> words = sandbox_command({}, Limits{});
  words.insert(words.end(), {"true"});
  const Result<Captured> tried = capture(words);
  if (!tried) {
    return Error{
        ErrorKind::machine,
        "bubblewrap is not installed (apt-get install bubblewrap), or run with --no-sandbox"};
  }
  if (tried->status != 0) {
    return Error{
        ErrorKind::machine,
        format("bubblewrap cannot make a sandbox here: {} (unprivileged user namespaces may "
               "be forbidden: see sysctl kernel.unprivileged_userns_clone and "
               "user.max_user_namespaces; --no-sandbox runs without isolation)",
               trim(tried->output))};
  }
  return {};
}

} // namespace faultline::run
