// Ends with success while a child goes on.
// verdict: answers ['41'], expected 42
#include <unistd.h>

#include <cstdio>

int main()
{
  if (fork() != 0) {
    _exit(0);
  }
  usleep(200'000);
  std::printf("answer %d\n", 41);
}
