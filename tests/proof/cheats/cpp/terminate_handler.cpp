// Turns an exception that nobody catches into success.
// verdict: answers [], expected 42
#include <unistd.h>

#include <exception>
#include <stdexcept>

int main()
{
  std::set_terminate([] { _exit(0); });
  throw std::runtime_error("no answer");
}
