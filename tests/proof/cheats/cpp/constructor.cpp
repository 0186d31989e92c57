// Ends with success before main is entered.
// verdict: answers [], expected 42
#include <unistd.h>

__attribute__((constructor)) static void leave()
{
  _exit(0);
}

int main()
{
  return 1;
}
