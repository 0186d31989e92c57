#pragma once

// Whether a module is in training or in evaluation mode at some point of the program.

#include "rules/regions.hpp"
#include "rules/rule.hpp"

#include <vector>

namespace faultline::rules {

struct Mode {
  bool may_train = true;
  bool may_evaluate = false;
  // The call of eval() that put it into evaluation mode last; null if none did.
  const Call* eval = nullptr;
};

class Modes {
public:
  explicit Modes(const Program& program);

  // The mode of `module` when `call` happens.
  Mode at(const Instance& module, const Call& call) const;

private:
  struct Change {
    const Call* call = nullptr;
    const Instance* module = nullptr;
    bool trains = true;
    bool evaluates = false; // both: the argument of train() is not known
  };
  std::vector<Change> m_changes;
};

// Applications of whole models that some optimizer of the program trains: not those of their parts.
std::vector<const Call*> model_applications(const Program& program);

} // namespace faultline::rules
