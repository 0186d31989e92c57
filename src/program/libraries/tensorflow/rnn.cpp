// Recurrent networks of TensorFlow 1: cells, dynamic_rnn, static_rnn.

#include "base/format.hpp"
#include "program/libraries/keras/keras.hpp"
#include "program/libraries/shared/structure.hpp"
#include "program/libraries/tensorflow/tf.hpp"
#include "program/names/tables.hpp"
#include "program/values/walk.hpp"

namespace faultline::program {

namespace {

using tf::operand;

// How wide the output of a cell is.
Dim cell_units(Machine& machine, Ref cell)
{
  return walk(cell, Dim::top(), [&machine](Ref one, auto& into) -> Dim {
    const auto* object = as<Instance>(one);
    if (object == nullptr || object->made_by == nullptr || object->klass != nullptr) {
      return Dim::top();
    }
    const Call& made = *object->made_by;
    if (const Ref inner = made.arg("cell")) {
      return into(inner);
    }
    if (const auto* cells = as<Sequence>(made.arg("cells"))) {
      return cells->open || cells->items.empty() ? Dim::top() : into(cells->items.back());
    }
    const Ref projected = made.arg("num_proj");
    if (projected != nullptr && !machine.is_none(projected)) {
      return machine.to_dim(projected);
    }
    const Ref units = made.arg("num_units");
    return machine.to_dim(units != nullptr ? units : made.arg("units"));
  });
}

Tensor* learned(Machine& machine, Call& call, Shape shape)
{
  Tensor* made =
      tf::result(machine, call, std::move(shape), DType::Kind::float32, Interval::of(-1, 1));
  made->requires_grad = Truth::yes;
  return made;
}

// (c, h) of an LSTM, a tuple of states of several layers, one tensor of the others.
Ref state_of(Machine& machine, Call& call, Ref cell, const Dim& batch)
{
  return walk(
      cell,
      machine.unknown(),
      [&](Ref one, auto& into) -> Ref {
        const auto* object = as<Instance>(one);
        if (object == nullptr || object->made_by == nullptr || object->klass != nullptr) {
          return machine.unknown();
        }
        if (const Ref inner = object->made_by->arg("cell")) {
          return into(inner);
        }
        if (const auto* cells = as<Sequence>(object->made_by->arg("cells"))) {
          Sequence* all = machine.tuple(map_items(*cells, into));
          all->open = cells->open;
          return all;
        }
        const Shape shape = Shape::of({batch, cell_units(machine, one)});
        if (machine.op_of(one) == "lstm_cell") {
          return machine.tuple({learned(machine, call, shape), learned(machine, call, shape)});
        }
        return learned(machine, call, shape);
      },
      Again::visit);
}

bool expect_sequence(Machine& machine, Call& call, const Tensor& x, Span span)
{
  if (!x.shape.has_rank() || *x.shape.rank() == 3) {
    return true;
  }
  machine.problem(ProblemKind::recurrent_shape,
                  span,
                  format("`{}` takes (batch, steps, features), but gets shape {}",
                         keras::short_name(call),
                         x.shape.text()),
                  &call);
  return false;
}

Ref dynamic_rnn(Machine& machine, Call& call)
{
  const Ref cell = call.arg("cell");
  const Argument* given = call.argument("inputs");
  const Tensor* x = operand(machine, given != nullptr ? given->value : nullptr);
  const bool fits = expect_sequence(machine, call, *x, given != nullptr ? given->span : call.span);
  const bool time_first = machine.truthiness(call.arg("time_major")).value_or(false);
  const Dim units = cell_units(machine, cell);
  const Shape shape = fits && x->shape.has_rank() ? x->shape.with(-1, units)
                                                  : Shape::of({Dim::top(), Dim::top(), units});
  const Dim batch = shape.at(time_first ? 1 : 0);
  return machine.tuple({learned(machine, call, shape), state_of(machine, call, cell, batch)});
}

Ref bidirectional_dynamic_rnn(Machine& machine, Call& call)
{
  const Argument* given = call.argument("inputs");
  const Tensor* x = operand(machine, given != nullptr ? given->value : nullptr);
  const bool fits = expect_sequence(machine, call, *x, given != nullptr ? given->span : call.span);
  std::vector<Ref> outputs;
  std::vector<Ref> states;
  for (const std::string_view name : {"cell_fw", "cell_bw"}) {
    const Dim units = cell_units(machine, call.arg(name));
    const Shape shape = fits && x->shape.has_rank() ? x->shape.with(-1, units)
                                                    : Shape::of({Dim::top(), Dim::top(), units});
    outputs.push_back(learned(machine, call, shape));
    states.push_back(state_of(machine, call, call.arg(name), shape.at(0)));
  }
  return machine.tuple({machine.tuple(std::move(outputs)), machine.tuple(std::move(states))});
}

// Takes a list of steps, each (batch, features).
Ref static_rnn(Machine& machine, Call& call)
{
  const Ref cell = call.arg("cell") != nullptr ? call.arg("cell") : call.arg("cell_fw");
  const Argument* given = call.argument("inputs");
  Dim units = cell_units(machine, cell);
  if (const Ref backward = call.arg("cell_bw")) {
    units = units.plus(cell_units(machine, backward));
  }
  Dim batch = Dim::top();
  if (given != nullptr && as<Tensor>(given->value) != nullptr &&
      as<Tensor>(given->value)->shape.has_rank()) {
    Problem& problem =
        machine.problem(ProblemKind::recurrent_shape,
                        given->span,
                        format("`{}` takes a list of steps, but gets one tensor of shape {}",
                               keras::short_name(call),
                               as<Tensor>(given->value)->shape.text()),
                        &call);
    problem.help = "cut it into steps with `tf.unstack(x, steps, axis=1)`";
  }
  std::vector<Ref> outputs;
  const auto* steps = given != nullptr ? as<Sequence>(given->value) : nullptr;
  if (steps != nullptr) {
    for (const Ref step : steps->items) {
      const Tensor* x = operand(machine, step);
      if (x->shape.has_rank() && *x->shape.rank() != 2) {
        machine.problem(ProblemKind::recurrent_shape,
                        given->span,
                        format("each step must be (batch, features), but is {}", x->shape.text()),
                        &call);
        break;
      }
      batch = x->shape.at(0);
      outputs.push_back(learned(machine, call, Shape::of({batch, units})));
    }
  }
  Sequence* list = machine.list(std::move(outputs));
  if (steps == nullptr || steps->open) {
    list->open = true;
    list->rest = learned(machine, call, Shape::of({batch, units}));
  }
  const Ref state = state_of(machine, call, cell, batch);
  return call.arg("cell_bw") != nullptr ? machine.tuple({list, state, machine.unknown()})
                                        : machine.tuple({list, state});
}

// One step: (output, new state).
Ref step(Machine& machine, Call& call)
{
  const Tensor* x = operand(machine, call.arg("inputs"));
  const Ref state = call.arg("state");
  const Dim units = call.layer != nullptr ? cell_units(machine, call.layer) : Dim::top();
  return machine.tuple({learned(machine, call, Shape::of({x->shape.at(0), units})),
                        state != nullptr ? state : machine.unknown()});
}

Ref zero_state(Machine& machine, Call& call)
{
  return call.self != nullptr
             ? state_of(machine, call, call.self, machine.to_dim(call.arg("batch_size")))
             : machine.unknown();
}

Ref state_tuple(Machine& machine, Call& call)
{
  const Ref c = call.arg("c");
  const Ref h = call.arg("h");
  return machine.tuple(
      {c != nullptr ? c : machine.unknown(), h != nullptr ? h : machine.unknown()});
}

Ref output_size(Machine& machine, Call& call)
{
  return call.self != nullptr ? machine.integer(cell_units(machine, call.self)) : machine.unknown();
}

constexpr std::string_view k_base = "tensorflow.contrib.rnn.RNNCell";
constexpr uint32_t k_traits = k_recurrent;

constexpr Api cell(std::string_view name, std::string_view signature, std::string_view op)
{
  return {name, signature, Role::object, op, k_traits, nullptr, k_base};
}

// One row a line.
// clang-format off
constexpr Api k_rows[] = {
    {k_base, "", Role::object, "rnn_cell", k_traits},
    {"tensorflow.contrib.rnn.RNNCell.__call__", "inputs, state, scope=None", Role::method, "rnn_cell", k_learning | k_recurrent, step},
    {"tensorflow.contrib.rnn.RNNCell.zero_state", "batch_size, dtype=None", Role::method, {}, 0, zero_state},
    {"tensorflow.contrib.rnn.RNNCell.state_size", {}, Role::attribute},
    {"tensorflow.contrib.rnn.RNNCell.output_size", {}, Role::attribute, {}, 0, output_size},
    {"tensorflow.contrib.rnn.RNNCell.variables", {}, Role::attribute},
    cell("tensorflow.contrib.rnn.BasicRNNCell", "num_units, activation=None, reuse=None, **kwargs", "rnn_cell"),
    cell("tensorflow.contrib.rnn.BasicLSTMCell", "num_units, forget_bias=1.0, state_is_tuple=True, activation=None, reuse=None, **kwargs", "lstm_cell"),
    cell("tensorflow.contrib.rnn.LSTMCell", "num_units, use_peepholes=False, cell_clip=None, initializer=None, num_proj=None, proj_clip=None, num_unit_shards=None, num_proj_shards=None, forget_bias=1.0, state_is_tuple=True, activation=None, reuse=None, **kwargs", "lstm_cell"),
    cell("tensorflow.contrib.rnn.LayerNormBasicLSTMCell", "num_units, forget_bias=1.0, **kwargs", "lstm_cell"),
    cell("tensorflow.contrib.rnn.LSTMBlockCell", "num_units, forget_bias=1.0, **kwargs", "lstm_cell"),
    cell("tensorflow.contrib.rnn.GRUCell", "num_units, activation=None, reuse=None, **kwargs", "gru_cell"),
    cell("tensorflow.contrib.rnn.GRUBlockCell", "num_units, **kwargs", "gru_cell"),
    cell("tensorflow.contrib.rnn.MultiRNNCell", "cells, state_is_tuple=True", "rnn_cell"),
    cell("tensorflow.contrib.rnn.DropoutWrapper", "cell, input_keep_prob=1.0, output_keep_prob=1.0, state_keep_prob=1.0, **kwargs", "rnn_cell"),
    cell("tensorflow.contrib.rnn.ResidualWrapper", "cell, **kwargs", "rnn_cell"),
    cell("tensorflow.contrib.rnn.DeviceWrapper", "cell, device", "rnn_cell"),
    cell("tensorflow.contrib.rnn.AttentionCellWrapper", "cell, attn_length, **kwargs", "rnn_cell"),
    cell("tensorflow.contrib.rnn.OutputProjectionWrapper", "inner, num_units, **kwargs", "rnn_cell"),
    {"tensorflow.contrib.rnn.LSTMStateTuple", "c, h", Role::function, {}, 0, state_tuple},
    {"tensorflow.nn.dynamic_rnn", "cell, inputs, sequence_length=None, initial_state=None, dtype=None, parallel_iterations=None, swap_memory=False, time_major=False, scope=None", Role::layer_function, "rnn", k_learning | k_recurrent, dynamic_rnn},
    {"tensorflow.nn.bidirectional_dynamic_rnn", "cell_fw, cell_bw, inputs, sequence_length=None, initial_state_fw=None, initial_state_bw=None, dtype=None, **kwargs", Role::layer_function, "rnn", k_learning | k_recurrent, bidirectional_dynamic_rnn},
    {"tensorflow.nn.static_rnn", "cell, inputs, initial_state=None, dtype=None, sequence_length=None, scope=None", Role::layer_function, "rnn", k_learning | k_recurrent, static_rnn},
    {"tensorflow.nn.static_bidirectional_rnn", "cell_fw, cell_bw, inputs, initial_state_fw=None, initial_state_bw=None, dtype=None, **kwargs", Role::layer_function, "rnn", k_learning | k_recurrent, static_rnn},
    {"tensorflow.nn.raw_rnn", "cell, loop_fn, **kwargs", Role::layer_function, "rnn", k_learning | k_recurrent},
    {"tensorflow.nn.seq2seq.rnn_decoder", "decoder_inputs, initial_state, cell, **kwargs", Role::layer_function, "rnn", k_learning | k_recurrent},
};
// clang-format on

} // namespace

std::span<const Api> tf_rnn()
{
  return k_rows;
}

} // namespace faultline::program
