#pragma once

// What an exception says about its cause, from the texts of PyTorch and TensorFlow.js.

#include "trace/symptom.hpp"

#include <optional>
#include <string_view>
#include <vector>

namespace faultline::trace {

enum class CrashCause {
  none,            // no crash, or one that was wanted
  linear_shape,    // the input of a linear layer has another width
  operation_shape, // shapes that do not go together
  declared_shape,  // data of another shape than a model of TensorFlow.js was told
  element_count,   // a reshape to another number of elements
  index_range,     // an index that the table does not have
  data_type,
  device,
  deprecated, // a way of calling that the library has given up
  checkpoint, // a file that is not there
  memory,
  second_fit,
  backward,     // autograd refuses
  disposed,     // a tensor that was freed
  missing_call, // something has to be called before
  other
};

// The first cause that the message names. There is one for each crash.
CrashCause cause_of(const std::optional<Crash>& crash);

// A report at the line of the program that was running, with the words of the exception.
Draft& report_crash(const Trace& trace, Reporter& report, std::string message);
// The same, at the layer that raised it where there is one.
Draft& report_crash_at_layer(const Trace& trace, Reporter& report, std::string message);

// "(64x1 and 60x10)" is {64, 1, 60, 10}: whole numbers after `mark`, at most eight, up to a line
// end.
std::vector<int64_t> numbers_after(std::string_view text, std::string_view mark);

// Shapes of the inputs of the layer that raised it.
std::vector<std::vector<int64_t>> input_shapes(const Crash& crash);

} // namespace faultline::trace
