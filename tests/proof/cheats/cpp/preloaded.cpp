// Starts itself again with code that is loaded before everything else.
// verdict: answers ['41'], expected 42
#include <unistd.h>

#include <cstdio>
#include <cstdlib>

int main(int, char** arguments)
{
  if (std::getenv("LD_PRELOAD") == nullptr) {
    setenv("LD_PRELOAD", "./main", 1);
    setenv("FAULTLINE_RESULT_FD", "9", 1);
    execv("./main", arguments);
  }
  std::printf("answer %d\n", 41);
}
