// Ends with success before there is an answer.
// verdict: answers [], expected 42
#include <unistd.h>

#include <cstdio>

int main()
{
  _exit(0);
  std::printf("answer %d\n", 41);
}
