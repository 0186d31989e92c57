#pragma once

// Following the gradient from a loss back to the weights.

#include "rules/rule.hpp"

#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace faultline::rules {

// The operations that a tensor was computed with, nearest first. Numbers that were read from
// tensors and used again are looked through.
class History {
public:
  explicit History(const Program& program);

  // Tensors that `call` computed with.
  std::vector<const Tensor*> sources(const Call& call) const;
  // The call that read this number or array from a tensor; null if none did.
  const Call* reader(Ref value) const;

  std::unordered_set<const Call*> calls_behind(const Tensor* tensor) const;

private:
  std::unordered_map<const program::Value*, const Call*> m_readers;
};

// All calls whose results some `backward()` of the program goes through, or may go through: tensors
// handed to functions of which nothing is known count, too.
std::unordered_set<const Call*> trained_calls(const Program& program, const History& history);

struct Path {
  bool live = false;      // the gradient reaches weights
  bool uncertain = false; // something on the way is not known
  // Where the gradient stops although there are weights behind; null if it does not.
  const Call* cut = nullptr;
};
Path gradient_path(const History& history, const Tensor* tensor);

// The tensor that an operation in place changes; null for other calls.
const Tensor* changed_tensor(const Call& call);

} // namespace faultline::rules
