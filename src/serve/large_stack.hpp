#pragma once

#include <functional>

namespace faultline::serve {

// Call `work` on a thread of its own, whose stack is large enough for deeply nested programs, and
// wait for it. The threads that answer requests have small ones. False if there is no room for
// another thread; `work` was not called then. It must not throw.
[[nodiscard]] bool on_large_stack(const std::function<void()>& work);

} // namespace faultline::serve
