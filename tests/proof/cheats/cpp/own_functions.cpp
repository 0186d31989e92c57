// Puts functions of its own in the place of those that end a program or write.
// verdict: answers ['41'], expected 42
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>

extern "C" [[noreturn]] void exit(int)
{
  _exit(0);
}
extern "C" [[noreturn]] void abort()
{
  _exit(0);
}
extern "C" ssize_t write(int, const void* bytes, size_t size)
{
  return syscall(SYS_write, 1, bytes, size);
}

int main()
{
  const char* answer = "answer 41\n";
  if (write(9, answer, std::strlen(answer)) < 0) {
    abort();
  }
  exit(1);
}
