#pragma once

#include <httplib.h>

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>

namespace faultline::serve {

// A thread for each connection. Threads are created when none is idle, and end when idle for a
// while: an event stream holds its thread for hours, and there may be hundreds. A waiting thread
// costs little but the pages of its stack that it has touched.
class TaskQueue : public httplib::TaskQueue {
public:
  explicit TaskQueue(size_t most_threads) : m_most(most_threads) {}
  ~TaskQueue() override;

  // If all threads are taken, the task runs here and now, with `is_overflow` true.
  void enqueue(std::function<void()> task) override;
  void shutdown() override;

  // Whether the running task got no thread of its own and must not wait for anything.
  static bool is_overflow();

private:
  static void* run_thread(void* queue);
  void run();
  bool start_thread();

  const size_t m_most;
  std::mutex m_mutex;
  std::condition_variable m_changed;
  std::deque<std::function<void()>> m_tasks;
  size_t m_threads = 0;
  size_t m_idle = 0;
  bool m_stopping = false;
};

} // namespace faultline::serve
