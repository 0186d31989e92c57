#pragma once

// What the models of Keras layers share. A layer's transfer function reads its settings from the
// constructor's call, and so serves tf.layers too, where settings and input are in one call.

#include "program/machine/machine.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace faultline::program::keras {

// Give arguments of older versions the names of today's (nb_filter → filters, lr → learning_rate),
// so that `setting` finds them. The old ones stay in `surplus`, where rules look for them.
void modernise(Machine& machine, Call& call);

// The object of a class without anything special about it.
Ref make_object(Machine& machine, Call& call);

// What a layer is called on: its first argument. A list of one is that one. Never null: something
// that is not a tensor is one of which nothing is known.
Tensor* begin(Machine& machine, Call& call);
// The same for layers that take a list.
std::vector<Tensor*> begin_many(Machine& machine, Call& call);
Ref subject(const Call& call);                             // that argument as written; may be null
const Argument* call_argument(const Call& call, size_t n); // n-th argument of a layer's call
Ref call_option(const Call& call, std::string_view keyword); // of a layer's call; null if not given

// A new value of a learning layer: any real number.
Tensor* learned(Machine& machine, Call& call, Shape shape);
// A value that keeps what the input's numbers mean.
Tensor* moved(Machine& machine, Call& call, const Tensor& input, Shape shape);
// An array of NumPy, as functions give that prepare data.
Tensor* array(Machine& machine, Call& call, Shape shape, DType dtype, Interval interval);

// End a layer: apply its `activation` and remember what it takes and gives.
Ref end(Machine& machine, Call& call, Tensor* output);
Ref end_plain(Machine& machine, Call& call, Ref output); // without an activation
// Apply an activation, written at `span`, given as string, function, class or object.
Ref activate(Machine& machine, Ref activation, Tensor* on, Span span);

// Where the settings of the layer say so, or else what the program set for all.
bool channels_first(Machine& machine, const Call& call);

// "Conv2D" of a layer's call.
std::string_view short_name(const Call& call);
// The setting's expression if it was written, else the whole call.
Span place(const Call& call, std::string_view parameter);
// Where to point if the input does not suit: the first layer's input_shape, else the call.
Span input_place(const Call& call);

// False, with a problem, if the input surely has another rank.
bool expect_rank(Machine& machine,
                 Call& call,
                 const Tensor& input,
                 size_t rank,
                 ProblemKind kind = ProblemKind::rank,
                 std::string help = {});
// False, with a problem, if the layer was used before with another number of features.
bool expect_same_features(Machine& machine, Call& call, const Tensor& input, int64_t axis);

// Imported from tensorflow, not from stand-alone Keras.
bool is_from_tensorflow(Machine& machine);
// Modules or arguments that only Keras 1 and 2 have.
bool is_old_keras(Machine& machine);

} // namespace faultline::program::keras
