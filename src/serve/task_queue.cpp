#include "serve/task_queue.hpp"

#include <pthread.h>

#include <chrono>

namespace faultline::serve {

// Enough for the analyses that a request may ask for. Memory is taken as it is touched.
constexpr size_t k_stack_bytes = 8UL * 1024 * 1024;
constexpr std::chrono::seconds k_idle_time{10};

static thread_local bool t_overflow = false;

bool TaskQueue::is_overflow()
{
  return t_overflow;
}

TaskQueue::~TaskQueue()
{
  TaskQueue::shutdown();
}

void* TaskQueue::run_thread(void* queue)
{
  static_cast<TaskQueue*>(queue)->run();
  return nullptr;
}

bool TaskQueue::start_thread()
{
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, k_stack_bytes);
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  pthread_t thread = {};
  const bool started = pthread_create(&thread, &attributes, run_thread, this) == 0;
  pthread_attr_destroy(&attributes);
  return started;
}

void TaskQueue::enqueue(std::function<void()> task)
{
  {
    const std::lock_guard lock(m_mutex);
    bool served = m_idle > m_tasks.size();
    if (!served && m_threads < m_most && start_thread()) {
      ++m_threads;
      served = true;
    }
    if (served) {
      m_tasks.push_back(std::move(task));
      m_changed.notify_one();
      return;
    }
  }
  t_overflow = true;
  task();
  t_overflow = false;
}

void TaskQueue::run()
{
  std::unique_lock lock(m_mutex);
  while (true) {
    ++m_idle;
    const bool woken =
        m_changed.wait_for(lock, k_idle_time, [this] { return !m_tasks.empty() || m_stopping; });
    --m_idle;
    if (!woken || m_tasks.empty()) {
      --m_threads;
      m_changed.notify_all(); // `shutdown` waits for the last
      return;
    }
    const std::function<void()> task = std::move(m_tasks.front());
    m_tasks.pop_front();
    lock.unlock();
    task();
    lock.lock();
  }
}

void TaskQueue::shutdown()
{
  std::unique_lock lock(m_mutex);
  m_stopping = true;
  m_changed.notify_all();
  m_changed.wait(lock, [this] { return m_threads == 0; });
}

} // namespace faultline::serve
