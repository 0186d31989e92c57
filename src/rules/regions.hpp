#pragma once

// Where in a program something happens: inside which loops, branches and functions.

#include "rules/rule.hpp"

#include <string_view>
#include <vector>

namespace faultline::rules {

using program::Context;

// `inner` is `outer` or lies inside it.
bool is_inside(const Context* inner, const Context* outer);

// Whatever `a` is, it happens whenever `b` does: every branch, loop and handler around it is around
// `b`, too. Which of the two comes first is not asked.
bool happens_whenever(const Context* a, const Context* b);

// `a` lies in a branch or handler that `b` is not inside of, so that it need not have happened.
bool is_optional(const Context* a, const Context* b);

// Gradients are switched off around the call: torch.no_grad and its like.
bool gradient_off(const Call& call);

// The innermost function around `context`; null at the top.
const Context* function_around(const Context* context);
std::string_view function_name(const Context* function); // empty if there is none

// The name of some function around says that it tests, validates or predicts, or a loop around goes
// over data that are named so.
bool is_evaluation(const Program& program, const Context* context);

// One time round a loop.
struct Round {
  const Context* context = nullptr;
  size_t first = 0; // calls [first, end) happened in it
  size_t end = 0;
};

// All rounds of `loop` that were interpreted, one or two as a rule.
std::vector<Round> rounds_of(const Program& program, const program::Loop& loop);

} // namespace faultline::rules
