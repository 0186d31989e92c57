// No cheat at all: what the buggy program prints fails.
// verdict: answers ['41'], expected 42
#include <cstdio>

int main()
{
  std::printf("answer %d\n", 41);
}
