#pragma once

// What the models of PyTorch share. One transfer function serves the module (nn.ReLU), the function
// (F.relu, torch.relu) and the method (x.relu_) of an operation: settings are read from whichever
// call has them.

#include "program/machine/machine.hpp"
#include "program/operations/shapes.hpp"

#include <initializer_list>
#include <optional>
#include <string_view>
#include <vector>

namespace faultline::program::torch {

// --- Reading a call. ---

// The n-th operand: a method's object is operand 0, then come the arguments. Of a module's call the
// arguments themselves, whatever they are called. Null if it was not given.
const Argument* operand(const Call& call, size_t n, std::string_view name = {});
Ref operand_value(const Call& call, size_t n, std::string_view name = {});
Span operand_span(const Call& call, size_t n, std::string_view name = {});
// A value as a tensor; something that is none has nothing known.
Tensor& as_tensor(Machine& machine, Ref value);
Tensor& input_of(Machine& machine, Call& call); // operand 0

// The first of these names that was written, be it as a keyword that the signature does not list
// (dim, axis); else the default of the first. Of a module, its constructor's.
Ref option(const Call& call, std::initializer_list<std::string_view> names);
std::optional<int64_t>
int_option(Machine& machine, const Call& call, std::initializer_list<std::string_view> names);
bool is_true(Machine& machine, const Call& call, std::string_view name);

// Sizes written one by one or as one sequence: x.view(2, 3), x.view((2, 3)). `skip` leading
// operands are something else. Nothing if it is not known how many there are.
std::optional<std::vector<Dim>> sizes(Machine& machine, const Call& call, std::string_view name);
std::optional<std::vector<int64_t>> ints(Machine& machine, const Call& call, std::string_view name);

// --- Making results. ---

Tensor* result(Machine& machine,
               Call& call,
               const Tensor& input,
               Shape shape,
               Interval interval = Interval::top());
// Elements of `input`, or some of them, in another shape.
Tensor* moved(Machine& machine, Call& call, const Tensor& input, Shape shape);
// Reported at the n-th operand, or at `span`.
Shape checked(Machine& machine, const Call& call, const Shaped& shaped, Span span);
// A parameter of a module.
Tensor* parameter(Machine& machine, Shape shape);

// --- Checks on what modules with weights get. ---

// Device and type of input and weights; nothing is known of user's own.
void check_weights_meet(Machine& machine, Call& call, const Tensor& input);
void check_index_type(Machine& machine, Call& call, const Tensor& index, Span span);
void check_mask_type(Machine& machine, Call& call, const Tensor& mask, Span span);
// False, with a problem, if the rank is surely none of these.
bool check_rank(Machine& machine,
                Call& call,
                const Tensor& input,
                std::initializer_list<size_t> ranks);
// False, with a problem, if that axis surely has another size. `setting` names where it is written.
bool check_features(Machine& machine,
                    Call& call,
                    const Tensor& input,
                    int64_t axis,
                    std::string_view setting,
                    ProblemKind kind = ProblemKind::features);

// "Conv2d", "conv2d": the last part of the name.
std::string_view short_name(const Call& call);

// All modules inside `module`, itself first.
std::vector<Instance*> modules_of(Instance& module);
void move_module(Machine& machine, Instance& module, const std::optional<Device>& device);

// The type in "torch.LongTensor", "torch.cuda.FloatTensor"; nothing for other names.
std::optional<DType> legacy_type(std::string_view name);

// Arguments of `.to(…)`: what is not written stays as it is.
struct Move {
  std::optional<Device> device;
  std::optional<DType> dtype;
  bool device_unknown = false;
};
Move read_move(Machine& machine, const Call& call);

// --- Transfer functions that several tables use. ---

Ref activation(Machine& machine, Call& call); // element-wise by op; softmax and its kin along dim
Ref keep(Machine& machine, Call& call);       // the same values
Ref dropout(Machine& machine, Call& call);
Ref clamp(Machine& machine, Call& call);
Ref binary(Machine& machine, Call& call);
Ref compare(Machine& machine, Call& call);
Ref reshape(Machine& machine, Call& call);
Ref flatten(Machine& machine, Call& call);
Ref unflatten(Machine& machine, Call& call);
Ref pad(Machine& machine, Call& call);
Ref pool(Machine& machine, Call& call);
Ref adaptive_pool(Machine& machine, Call& call);
Ref upsample(Machine& machine, Call& call);
Ref pixel_shuffle(Machine& machine, Call& call);
Ref fold(Machine& machine, Call& call);
Ref unfold(Machine& machine, Call& call);
Ref cosine_similarity(Machine& machine, Call& call);
Ref matmul(Machine& machine, Call& call);
Ref one_hot(Machine& machine, Call& call);
Ref normalise(Machine& machine, Call& call); // F.normalize
Ref loss(Machine& machine, Call& call);
Ref same_object(Machine& machine, Call& call); // returns self
Ref nothing(Machine& machine, Call& call);     // None
Ref first_argument(Machine& machine, Call& call);

} // namespace faultline::program::torch
