#pragma once

// Element-wise operations on tensors of any library; the functions of the libraries (torch.add,
// numpy.subtract) share them with the operators.

#include "program/machine/machine.hpp"

#include <string_view>

namespace faultline::program {

// `op` on `a` and `b`, each a tensor, number or list; result of `call`. Problems are reported.
Tensor* binary_operation(Machine& machine, Call& call, std::string_view op, Ref a, Ref b);
Tensor* comparison(Machine& machine, Call& call, Ref a, Ref b);
// A function of one tensor by its op; keeps the shape.
Tensor* unary_operation(Machine& machine, Call& call, std::string_view op, const Tensor& input);
// A matrix product.
Tensor* product_operation(Machine& machine, Call& call, Ref a, Ref b);

// Two tensors of torch that surely live on different devices meet. A scalar may be anywhere.
bool devices_clash(const Tensor& a, const Tensor& b);

// torch.set_default_dtype, set_default_device and set_default_tensor_type change what constructors
// and layers make, so that what they usually make is not known.
bool defaults_changed(Machine& machine);

} // namespace faultline::program
