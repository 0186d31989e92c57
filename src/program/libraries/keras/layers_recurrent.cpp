// Recurrent layers, their cells, and the wrappers Bidirectional and TimeDistributed.

#include "base/format.hpp"
#include "program/libraries/keras/keras.hpp"
#include "program/libraries/keras/layers.hpp"
#include "program/libraries/tensorflow/tf.hpp"
#include "program/names/tables.hpp"
#include "program/values/walk.hpp"

namespace faultline::program {

namespace {

using keras::begin;
using keras::end_plain;
using keras::learned;

bool flag(Machine& machine, const Call& call, std::string_view name)
{
  return machine.truthiness(call.setting_value(name)).value_or(false);
}

bool is_undecided(Machine& machine, const Call& call, std::string_view name)
{
  const Ref value = call.setting_value(name);
  return value != nullptr && !machine.truthiness(value).has_value();
}

Interval state_interval(Machine& machine, const Call& call)
{
  const std::string_view activation = machine.op_of(call.setting_value("activation"));
  return activation == "tanh" || activation == "sigmoid" ? Interval::of(-1, 1) : Interval::reals();
}

bool expect_sequence(Machine& machine, Call& call, const Tensor& x, size_t rank)
{
  const bool after_recurrent = x.producer != nullptr && x.producer->has(k_recurrent);
  return keras::expect_rank(machine,
                            call,
                            x,
                            rank,
                            ProblemKind::recurrent_shape,
                            after_recurrent
                                ? "the recurrent layer before needs `return_sequences=True`"
                                : "recurrent layers take (batch, steps, features)");
}

// The sequence or its last state, followed by the states if they are asked for.
Ref recurrent_result(
    Machine& machine, Call& call, const Shape& sequence, const Shape& state, size_t states)
{
  const bool undecided = is_undecided(machine, call, "return_sequences");
  const bool whole = flag(machine, call, "return_sequences");
  Tensor* output = learned(machine, call, undecided ? Shape::top() : whole ? sequence : state);
  output->interval = state_interval(machine, call);
  if (!flag(machine, call, "return_state")) {
    return end_plain(machine, call, output);
  }
  std::vector<Ref> all{output};
  for (size_t i = 0; i < states; ++i) {
    all.push_back(learned(machine, call, state));
  }
  return end_plain(machine, call, machine.list(std::move(all)));
}

// (batch, steps, features) → (batch, units)
Ref recurrent_over(Machine& machine, Call& call, const Tensor& x, Dim units, size_t states)
{
  const bool fits = expect_sequence(machine, call, x, 3);
  const Shape shape =
      fits && x.shape.has_rank() ? x.shape : Shape::of({Dim::batch(), Dim::top(), Dim::top()});
  keras::expect_same_features(machine, call, x, -1);
  return recurrent_result(
      machine, call, shape.with(-1, units), Shape::of({shape.at(0), units}), states);
}

Ref recurrent(Machine& machine, Call& call)
{
  const Tensor* x = begin(machine, call);
  const Dim units = machine.to_dim(call.setting_value("units"));
  return recurrent_over(machine, call, *x, units, call.is("lstm") ? 2 : 1);
}

// One step of a cell: (output, states).
Ref cell_step(Machine& machine, Call& call)
{
  const Tensor* x = begin(machine, call);
  const Dim units = machine.to_dim(call.setting_value("units"));
  const Shape shape = Shape::of({x->shape.at(0), units});
  Tensor* output = learned(machine, call, shape);
  std::vector<Ref> states;
  for (int i = 0; i < (call.is("lstm_cell") ? 2 : 1); ++i) {
    states.push_back(learned(machine, call, shape));
  }
  return machine.tuple({output, machine.list(std::move(states))});
}

Dim cell_units(Machine& machine, Ref cell)
{
  return walk(cell, Dim::top(), [&machine](Ref one, auto& into) -> Dim {
    if (const auto* list = as<Sequence>(one)) {
      return list->open || list->items.empty() ? Dim::top() : into(list->items.back());
    }
    const auto* object = as<Instance>(one);
    if (object == nullptr || object->klass != nullptr || object->made_by == nullptr) {
      return Dim::top();
    }
    if (const Ref inner = object->made_by->arg("cells")) {
      return into(inner);
    }
    return machine.to_dim(object->made_by->arg("units"));
  });
}

Ref recurrent_of_cell(Machine& machine, Call& call)
{
  const Tensor* x = begin(machine, call);
  const Ref cell = call.setting_value("cell");
  const auto* object = as<Instance>(cell);
  if (object == nullptr || object->klass != nullptr) { // a cell of the user's own
    return end_plain(machine, call, learned(machine, call, Shape::top()));
  }
  return recurrent_over(
      machine, call, *x, cell_units(machine, cell), machine.op_of(cell) == "lstm_cell" ? 2 : 1);
}

Ref convolutional_recurrent(Machine& machine, Call& call)
{
  const Tensor* x = begin(machine, call);
  const auto axes = static_cast<size_t>(call.api->number);
  const bool fits = expect_sequence(machine, call, *x, axes + 3);
  const bool first = keras::channels_first(machine, call);
  Shape steps = Shape::of_rank(axes + 3);
  if (fits && x->shape.has_rank()) {
    const keras::Sliding way = keras::sliding(machine, call, "kernel_size", axes);
    steps =
        tf::checked(machine, call, slide(x->shape, first ? 3 : 2, axes, way.windows), call.span);
    if (!steps.has_rank()) {
      steps = Shape::of_rank(axes + 3);
    }
  }
  steps = steps.with(first ? 2 : -1, machine.to_dim(call.setting_value("filters")));
  return recurrent_result(machine, call, steps, steps.without(1), 2);
}

Ref inner_layer(Machine& machine, Call& call, Ref input)
{
  const Argument* layer = call.setting("layer");
  if (layer == nullptr) {
    return machine.unknown();
  }
  std::vector<Argument> arguments{{.name = {}, .value = input, .span = layer->span, .given = true}};
  for (const Argument& argument : call.arguments) {
    if (argument.name == "training" || argument.name == "initial_state") {
      arguments.push_back(argument);
    }
  }
  return machine.call(layer->value, std::move(arguments), layer->span);
}

// The wrapped layer's own result, which is still nobody else's, gets the shape of the whole.
void widen(Tensor& output, std::string_view mode)
{
  if (mode == "concat") {
    output.shape = output.shape.with(-1, output.shape.at(-1).times(Dim::constant(2)));
  }
}

Ref bidirectional(Machine& machine, Call& call)
{
  begin(machine, call);
  const Ref given = keras::subject(call);
  const Ref result = given != nullptr ? inner_layer(machine, call, given) : machine.unknown();
  const Ref merge = call.setting_value("merge_mode");
  if (machine.is_none(merge)) {
    return end_plain(machine, call, machine.list({result, result}));
  }
  const std::string_view mode = machine.to_string(merge).value_or("");
  if (auto* output = as<Tensor>(result)) {
    widen(*output, mode);
    return end_plain(machine, call, output);
  }
  auto* parts = as<Sequence>(result);
  if (parts == nullptr || parts->items.empty()) {
    return end_plain(machine, call, learned(machine, call, Shape::top()));
  }
  if (auto* output = as<Tensor>(parts->items.front())) {
    widen(*output, mode);
  }
  std::vector<Ref> all = parts->items;
  all.insert(all.end(), parts->items.begin() + 1, parts->items.end());
  return end_plain(machine, call, machine.list(std::move(all)));
}

Ref time_distributed(Machine& machine, Call& call)
{
  const Tensor* x = begin(machine, call);
  if (const auto rank = x->shape.rank(); rank && *rank < 3) {
    machine.problem(
        ProblemKind::rank,
        keras::input_place(call),
        format("`TimeDistributed` takes (batch, steps, …), but gets shape {}", x->shape.text()),
        &call);
    return end_plain(machine, call, learned(machine, call, Shape::top()));
  }
  Tensor* step =
      keras::moved(machine, call, *x, x->shape.has_rank() ? x->shape.without(1) : Shape::top());
  const Ref result = inner_layer(machine, call, step);
  auto* output = as<Tensor>(result);
  if (output == nullptr) {
    return end_plain(machine, call, learned(machine, call, Shape::top()));
  }
  // The result is still nobody else's, so it gets the steps back in place.
  output->shape = x->shape.has_rank() && output->shape.rank() >= 1
                      ? output->shape.inserted(1, x->shape.at(1))
                      : Shape::top();
  return end_plain(machine, call, output);
}

constexpr std::string_view k_lstm =
    "units, activation='tanh', recurrent_activation='sigmoid', use_bias=True, "
    "kernel_initializer='glorot_uniform', recurrent_initializer='orthogonal', "
    "bias_initializer='zeros', unit_forget_bias=True, kernel_regularizer=None, "
    "recurrent_regularizer=None, bias_regularizer=None, activity_regularizer=None, "
    "kernel_constraint=None, recurrent_constraint=None, bias_constraint=None, dropout=0.0, "
    "recurrent_dropout=0.0, implementation=2, return_sequences=False, return_state=False, "
    "go_backwards=False, stateful=False, unroll=False, **kwargs";
constexpr std::string_view k_gru =
    "units, activation='tanh', recurrent_activation='sigmoid', use_bias=True, "
    "kernel_initializer='glorot_uniform', recurrent_initializer='orthogonal', "
    "bias_initializer='zeros', kernel_regularizer=None, recurrent_regularizer=None, "
    "bias_regularizer=None, activity_regularizer=None, kernel_constraint=None, "
    "recurrent_constraint=None, bias_constraint=None, dropout=0.0, recurrent_dropout=0.0, "
    "return_sequences=False, return_state=False, go_backwards=False, stateful=False, unroll=False, "
    "reset_after=True, **kwargs";
constexpr std::string_view k_simple =
    "units, activation='tanh', use_bias=True, kernel_initializer='glorot_uniform', "
    "recurrent_initializer='orthogonal', bias_initializer='zeros', kernel_regularizer=None, "
    "recurrent_regularizer=None, bias_regularizer=None, activity_regularizer=None, "
    "kernel_constraint=None, recurrent_constraint=None, bias_constraint=None, dropout=0.0, "
    "recurrent_dropout=0.0, return_sequences=False, return_state=False, go_backwards=False, "
    "stateful=False, unroll=False, **kwargs";
constexpr std::string_view k_cell =
    "units, activation='tanh', recurrent_activation='sigmoid', use_bias=True, **kwargs";
constexpr std::string_view k_conv_lstm =
    "filters, kernel_size, strides=1, padding='valid', data_format=None, dilation_rate=1, "
    "activation='tanh', recurrent_activation='hard_sigmoid', use_bias=True, "
    "kernel_initializer='glorot_uniform', return_sequences=False, return_state=False, "
    "go_backwards=False, stateful=False, dropout=0.0, recurrent_dropout=0.0, **kwargs";
constexpr std::string_view k_rnn =
    "cell, return_sequences=False, return_state=False, go_backwards=False, stateful=False, "
    "unroll=False, time_major=False, **kwargs";

constexpr uint32_t k_traits = k_learning | k_recurrent;

// One row a line.
// clang-format off
constexpr Api k_rows[] = {
    {"keras.layers.LSTM", k_lstm, Role::layer, "lstm", k_traits, recurrent},
    {"keras.layers.GRU", k_gru, Role::layer, "gru", k_traits, recurrent},
    {"keras.layers.SimpleRNN", k_simple, Role::layer, "rnn", k_traits, recurrent},
    {"keras.layers.CuDNNLSTM", k_lstm, Role::layer, "lstm", k_traits, recurrent},
    {"keras.layers.CuDNNGRU", k_gru, Role::layer, "gru", k_traits, recurrent},
    {"keras.layers.RNN", k_rnn, Role::layer, "rnn", k_traits, recurrent_of_cell},
    {"keras.layers.Recurrent", k_simple, Role::layer, "rnn", k_traits, recurrent},
    {"keras.layers.LSTMCell", k_cell, Role::layer, "lstm_cell", k_traits, cell_step},
    {"keras.layers.GRUCell", k_cell, Role::layer, "gru_cell", k_traits, cell_step},
    {"keras.layers.SimpleRNNCell", k_cell, Role::layer, "rnn_cell", k_traits, cell_step},
    {"keras.layers.StackedRNNCells", "cells, **kwargs", Role::layer, "rnn_cell", k_traits},
    {"keras.layers.AbstractRNNCell", "**kwargs", Role::layer, "rnn_cell", k_traits},
    {"keras.layers.ConvLSTM1D", k_conv_lstm, Role::layer, "conv_lstm", k_traits, convolutional_recurrent, {}, 1},
    {"keras.layers.ConvLSTM2D", k_conv_lstm, Role::layer, "conv_lstm", k_traits, convolutional_recurrent, {}, 2},
    {"keras.layers.ConvLSTM3D", k_conv_lstm, Role::layer, "conv_lstm", k_traits, convolutional_recurrent, {}, 3},
    {"keras.layers.Bidirectional", "layer, merge_mode='concat', weights=None, backward_layer=None, **kwargs", Role::layer, "bidirectional", k_wraps | k_recurrent, bidirectional},
    {"keras.layers.TimeDistributed", "layer, **kwargs", Role::layer, "time_distributed", k_wraps, time_distributed},
    {"keras.layers.Wrapper", "layer, **kwargs", Role::layer, "wrapper", k_wraps},
};
// clang-format on

} // namespace

std::span<const Api> keras_layers_recurrent()
{
  return k_rows;
}

} // namespace faultline::program
