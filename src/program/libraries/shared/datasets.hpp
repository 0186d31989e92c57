#pragma once

// Data sets whose content is known before they are loaded.

#include "program/libraries/shared/arrays.hpp"

#include <string_view>

namespace faultline::program {

// Features or labels of a known data set, as an array that remembers where it comes from.
struct DataPart {
  std::string_view name; // "iris"
  DataSource::Split split = DataSource::Split::whole;
  DataSource::Part part = DataSource::Part::features;
  Shape shape = Shape::top();
  DType dtype = {};
  Interval interval = Interval::top(); // of the numbers as loaded
  Encoding encoding = Encoding::unknown;
  int64_t classes = 0;
};
Tensor* data_part(Machine& machine, Call& call, const DataPart& part);

} // namespace faultline::program
