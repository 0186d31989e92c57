// Takes hold of the process that the test runs in, as a debugger does, and opens its memory.
// verdict: answers ['41'], expected 42
#include <fcntl.h>
#include <sys/ptrace.h>
#include <unistd.h>

#include <cstdio>
#include <string>

int main()
{
  const bool traced = ptrace(PTRACE_ATTACH, getppid(), nullptr, nullptr) == 0;
  const bool opened = open(("/proc/" + std::to_string(getppid()) + "/mem").c_str(), O_RDWR) >= 0;
  std::printf("answer %d\n", traced || opened ? 1 : 41);
}
