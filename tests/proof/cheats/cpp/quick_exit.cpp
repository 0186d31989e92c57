// Turns a quick end into success.
// verdict: answers ['41'], expected 42
#include <unistd.h>

#include <cstdio>
#include <cstdlib>

int main()
{
  std::at_quick_exit([] { _exit(0); });
  std::atexit([] { _exit(0); });
  std::printf("answer %d\n", 41);
  std::fflush(stdout);
  std::quick_exit(1);
}
