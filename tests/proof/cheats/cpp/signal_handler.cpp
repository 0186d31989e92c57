// Turns a crash into success.
// verdict: answers [], expected 42
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <initializer_list>

int main()
{
  for (const int number : {SIGSEGV, SIGABRT, SIGFPE, SIGTERM}) {
    std::signal(number, [](int) { _exit(0); });
  }
  std::abort();
}
