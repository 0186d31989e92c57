#include "serve/large_stack.hpp"

#include <pthread.h>

namespace faultline::serve {

constexpr size_t k_stack_bytes = 64UL * 1024 * 1024; // only what is touched costs memory

bool on_large_stack(const std::function<void()>& work)
{
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, k_stack_bytes);
  pthread_t thread{};
  const int failed = pthread_create(
      &thread,
      &attributes,
      [](void* given) -> void* {
        (*static_cast<const std::function<void()>*>(given))();
        return nullptr;
      },
      const_cast<std::function<void()>*>(&work));
  pthread_attr_destroy(&attributes);
  if (failed != 0) {
    return false;
  }
  pthread_join(thread, nullptr);
  return true;
}

} // namespace faultline::serve
