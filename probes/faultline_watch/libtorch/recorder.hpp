#pragma once

// Follows the program through its training steps and writes down what it sees. A step ends when an
// optimizer has stepped; steps that are checks are looked at closely.

#include "evaluations.hpp"
#include "graph.hpp"
#include "layers.hpp"
#include "operators.hpp"
#include "stream.hpp"

#include <torch/optim/optimizer.h>

#include <atomic>
#include <map>
#include <set>
#include <string>
#include <thread>
#include <vector>

namespace faultline_watch {

// What an operation of the program is doing right now: what a crash is about.
struct CurrentOperation {
  const char* name = nullptr;
  int layer = -1;
  std::vector<std::vector<int64_t>> shapes;
  std::vector<at::ScalarType> types;
};

class Recorder {
public:
  void begin(int descriptor, uint32_t every);
  void end(int status);
  void in_child();
  bool is_on() const { return m_on; }
  // Whether this thread is the one that trains and the probe is not itself at work.
  bool listens() const;

  // Models and optimizers.
  Layers& layers() { return m_layers; }
  void optimizer_given(const torch::optim::Optimizer* optimizer, const std::vector<at::Tensor>&);
  void loaded() { m_loaded = true; }
  void memory_given(const at::Tensor& tensor);

  // A step, in the order of its parts.
  void gradients_cleared();
  void operation_begins(const at::RecordFunction& function, Operation& operation);
  void operation_ended(const at::RecordFunction& function, Operation& operation);
  void before_backward(const at::Tensor& tensor);
  void before_step(torch::optim::Optimizer& optimizer);
  void after_step(torch::optim::Optimizer& optimizer);

  void crashed(const std::string& exception, const std::string& message, const Stack& stack);

private:
  struct Made {
    Stack stack;
    bool told = false;
  };
  struct Given {
    c10::weak_intrusive_ptr<c10::StorageImpl> memory;
    std::string type;
    std::string shape;
    Stack stack;
  };

  void begin_step();
  void finish_step(double rate);
  void finish_check();
  void note_reading(const at::RecordFunction& function, Operation& operation);
  void memory_read(const void* memory);
  void tell_clearing(uint32_t steps);
  void tell_loss(const Operator& kind, const at::RecordFunction& function);
  void tell_own_loss();
  void tell_optimizer(torch::optim::Optimizer& optimizer);
  void evaluation_goes_on(const at::RecordFunction& function, Operation& operation);
  void note_input(const Operator& kind, const at::RecordFunction& function);
  void take_output(Layer& layer, const Operator& kind, const at::Tensor& output);
  void take_weights(torch::optim::Optimizer& optimizer);
  void take_updates();
  bool gradients_left() const;

  bool m_on = false;
  bool m_ended = false;
  std::thread::id m_thread;
  Stream m_stream;
  Layers m_layers;
  Graphs m_graphs;
  Evaluations m_evaluations;
  CurrentOperation m_current;
  std::map<const void*, Made> m_optimizers;
  bool m_loaded = false;
  std::vector<Given> m_given; // memory that was handed over and that nothing has read yet
  int m_looks = 0;
  bool m_misread = false;

  uint32_t m_every = 0;
  uint32_t m_step = 0;
  uint32_t m_backwards = 0, m_clearings = 0;
  uint32_t m_left = 0; // steps that began with the gradients of the one before
  Stack m_backward;    // where that was first so
  // Of the step.
  bool m_checking = false, m_loss_seen = false;
  uint32_t m_backwards_here = 0;
  std::vector<double> m_losses;
  double m_accuracy = 0;
  uint32_t m_samples = 0;
  std::string m_input; // facts
  std::set<int> m_seen;
  std::map<std::pair<std::string, Stack>, int> m_occurrences; // of functions
  std::map<std::pair<int, size_t>, std::vector<float>> m_before;
  std::vector<std::tuple<int, Role, uint8_t, Statistics>> m_taken;
};

Recorder& recorder();

// While it lives, nothing that this thread computes is recorded.
class Pause {
public:
  Pause();
  ~Pause();
  Pause(const Pause&) = delete;
  Pause& operator=(const Pause&) = delete;

private:
  at::RecordFunctionGuard m_silent{/*is_enabled=*/false};
};

} // namespace faultline_watch
