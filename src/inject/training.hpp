#pragma once

// Training loops, losses, optimizers and training data of PyTorch and Keras programs.

#include "inject/patterns.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace faultline::inject {

// PyTorch's optimizers made in the program, and those of Keras.
bool makes_optimizer(const Call& call);
bool makes_torch_optimizer(const Call& call);

// `optimizer.step()`, `optimizer.zero_grad()`: by class if it is known, else by the object's name.
bool is_optimizer_call(const Call& call, std::string_view method);

// Keras's `model.fit(…)` and `model.compile(…)`, not those of other libraries' objects.
bool is_fit(const Code& code, const Call& call);
bool is_compile(const Code& code, const Call& call);

// A loss computed in PyTorch: `criterion(output, target)`, `F.cross_entropy(output, target)`.
struct Loss {
  Call call;
  std::string kind; // "CrossEntropyLoss", also for F.cross_entropy; empty if unknown
  Node prediction;
  Node target;
};
std::vector<Loss> losses_of(const Code& code);

// Those that a `.backward()` in the same loop or function follows.
std::vector<Loss> training_losses_of(const Code& code);

// `for … in range(…)` around what trains: counts epochs. The node of the count is `range`'s end.
struct EpochLoop {
  Node loop; // the `for` statement
  Node count;
};
std::vector<EpochLoop> epoch_loops_of(const Code& code);

// The innermost loop around a `.backward()` that goes over batches.
std::vector<Node> batch_loops_of(const Code& code);

// DataLoaders that training uses: those whose names say so, else those that shuffle, else all.
std::vector<Call> training_loaders_of(const Code& code);

// Multiply the learning rate of every optimizer by the setting; the default one where none is
// given.
void scale_learning_rate(const Subject& subject, std::string_view setting, Mutations& found);

} // namespace faultline::inject
