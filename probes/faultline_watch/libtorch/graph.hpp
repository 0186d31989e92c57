#pragma once

// Graphs of past steps that the program still holds: a sum of losses, a list of outputs.

#include "sites.hpp"
#include "stream.hpp"

#include <torch/csrc/autograd/function.h>

#include <deque>
#include <memory>
#include <vector>

namespace faultline_watch {

class Graphs {
public:
  // An operation of this step made a tensor that needs gradients.
  void add(uint32_t step, const std::shared_ptr<torch::autograd::Node>& node, const Stack& stack);
  // After a check: says once that graphs of many steps are alive.
  void tell(Stream& stream, uint32_t step);

private:
  struct Made {
    std::weak_ptr<torch::autograd::Node> node;
    Stack stack;
  };
  struct Past {
    uint32_t step;
    std::vector<Made> made;
  };
  std::deque<Past> m_past;
  bool m_told = false;
};

} // namespace faultline_watch
