#pragma once

#include "run/isolated.hpp"

namespace faultline::run {

// What a worker says to whoever asked it, and the nursery in its place when it has died.
constexpr char k_answer = 'A';
constexpr char k_died = 'D'; // then how, in words

// The life of the process that forks the workers of an Isolated: for each descriptor that comes
// over `control` it forks one that answers there. Ends when the other side is gone.
[[noreturn]] void
run_nursery(Fd control, const Isolated::Work& work, const IsolationLimits& limits);

} // namespace faultline::run
