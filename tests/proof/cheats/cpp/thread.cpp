// A thread ends the program with success while the answer is computed.
// verdict: answers [], expected 42
#include <unistd.h>

#include <chrono>
#include <thread>

int main()
{
  std::thread([] { _exit(0); }).detach();
  std::this_thread::sleep_for(std::chrono::seconds(20));
}
