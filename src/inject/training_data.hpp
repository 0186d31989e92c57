#pragma once

// Where a program hands its training data over, and how to make it train on other data: lines of
// Python in front of that place, with random numbers of their own so that all else stays the same.

#include "inject/patterns.hpp"

#include <optional>
#include <string>
#include <vector>

namespace faultline::inject {

struct TrainingData {
  enum class Form {
    tensors,   // TensorDataset(inputs, targets)
    dataset,   // DataLoader(dataset)
    arrays,    // model.fit(inputs, targets) of Keras
    variables, // tensors in variables that a loop of the program's own cuts into batches
  };
  Form form = Form::tensors;
  Node statement; // the lines go before it; behind it for variables
  Node inputs;    // the data set, if it is one
  std::optional<Node> targets = {};
  bool gives_pairs = true; // an element is known to be an input and its target
};

std::vector<TrainingData> training_data_of(const Code& code);

// Other samples: the lines of `change` set `_rows`, the numbers of the samples in order. They may
// use `_numpy` and `_random`.
void change_rows(const Subject& subject, const std::vector<std::string>& change, Mutations& found);

// Other pairs: the lines may also set `_answers`, the numbers of the samples that the targets come
// from, and read `_labels`, one number for each sample.
void change_pairs(const Subject& subject, const std::vector<std::string>& change, Mutations& found);

// Other inputs: the lines set `_values`, an array of all inputs, one in a row.
void change_inputs(const Subject& subject,
                   const std::vector<std::string>& change,
                   Mutations& found);

// For Operator::looks_for.
inline constexpr std::string_view k_looks_for_training_data =
    "training data in `TensorDataset(x, y)`, `DataLoader(dataset)` or `model.fit(x, y)`, or as "
    "tensors that are called like x_train and y_train";

// The number that `setting` is, if it is a share between 0 and 1.
std::optional<std::string> share_of(std::string_view setting);

} // namespace faultline::inject
