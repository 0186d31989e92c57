#pragma once

// The cause of an exception, from the messages of PyTorch and TensorFlow.js.

#include "trace/symptom.hpp"

#include <optional>
#include <string_view>
#include <vector>

namespace faultline::trace {

enum class CrashCause {
  none,            // no crash, or an intended one
  linear_shape,    // the input of a linear layer has the wrong width
  operation_shape, // incompatible shapes
  declared_shape,  // data whose shape differs from that declared in TensorFlow.js
  element_count,   // a reshape that changes the number of elements
  index_range,     // an index that the table does not have
  data_type,
  device,
  deprecated, // a call that the library no longer supports
  checkpoint, // a missing file
  memory,
  second_fit,
  backward,     // autograd raises an error
  disposed,     // a tensor that was freed
  missing_call, // a call is missing before this one
  other
};

// The first cause that the message names. There is one for each crash.
CrashCause cause_of(const std::optional<Crash>& crash);

// A report at the line of the program that was running, with the message of the exception.
Draft& report_crash(const Trace& trace, Reporter& report, std::string message);
// The same, at the layer that raised it where there is one.
Draft& report_crash_at_layer(const Trace& trace, Reporter& report, std::string message);

// "(64x1 and 60x10)" is {64, 1, 60, 10}: integers after `mark`, at most eight, up to the end of the
// line.
std::vector<int64_t> numbers_after(std::string_view text, std::string_view mark);

// Shapes of the inputs of the layer that raised it.
std::vector<std::vector<int64_t>> input_shapes(const Crash& crash);

} // namespace faultline::trace
