#pragma once

// What the models of pandas share.

#include "program/libraries/shared/arrays.hpp"

namespace faultline::program {

Dim rows_of(const Tensor& table);
Dim columns_of(const Tensor& table);
// How many names a list of columns has; one for a single name.
Dim count_names(Machine& machine, Ref names);
// The same table with other sizes; types and values of single columns are not followed.
Tensor* table_like(Machine& machine, Call& call, const Tensor& table, Shape shape);

} // namespace faultline::program
