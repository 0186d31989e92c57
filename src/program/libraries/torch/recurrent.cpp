// Recurrent layers and cells, and packed sequences.

#include "base/format.hpp"
#include "program/libraries/torch/torch.hpp"
#include "program/names/tables.hpp"

namespace faultline::program {

namespace torch {

namespace {

constexpr std::string_view k_padded = "@padded"; // of a packed sequence: its tensor, time first

struct Recurrence {
  Dim features, hidden, output, states, layers;
  bool batch_first = false;
  bool bidirectional = false;
};

Recurrence read_recurrence(Machine& machine, const Call& call)
{
  Recurrence r;
  r.features = machine.to_dim(call.setting_value("input_size"));
  r.hidden = machine.to_dim(call.setting_value("hidden_size"));
  r.layers = machine.to_dim(call.setting_value("num_layers"));
  r.batch_first = is_true(machine, call, "batch_first");
  r.bidirectional = is_true(machine, call, "bidirectional");
  const Dim directions = Dim::constant(r.bidirectional ? 2 : 1);
  const auto projected = machine.to_int(call.setting_value("proj_size"));
  r.states = projected && *projected > 0 ? Dim::constant(*projected) : r.hidden;
  r.output = r.states.times(directions);
  r.layers = r.layers.times(directions);
  return r;
}

void recurrent_problem(Machine& machine, Call& call, Span span, std::string message)
{
  machine.problem(ProblemKind::recurrent_shape, span, std::move(message), &call);
}

void check_state(Machine& machine,
                 Call& call,
                 const Tensor& state,
                 const Recurrence& r,
                 const Dim& batch,
                 const Dim& width)
{
  const Shape wanted = Shape::of({r.layers, batch, width});
  if (state.shape.has_rank() && *state.shape.rank() == 3 &&
      state.shape.compare(wanted) == Dim::Comparison::different) {
    recurrent_problem(
        machine,
        call,
        operand_span(call, 1, "hx"),
        format("`{}` wants a state of shape {} (layers, batch, features), but gets {}",
               short_name(call),
               wanted.text(),
               state.shape.text()));
  }
}

void check_states(Machine& machine, Call& call, const Recurrence& r, const Dim& batch)
{
  const Ref given = operand_value(call, 1, "hx");
  if (given == nullptr || machine.is_none(given)) {
    return;
  }
  const auto* pair = as<Sequence>(given);
  if (call.is("lstm")) {
    if (as<Tensor>(given) != nullptr && given->kind == Kind::tensor &&
        as<Tensor>(given)->shape.has_rank()) {
      recurrent_problem(machine,
                        call,
                        operand_span(call, 1, "hx"),
                        "`LSTM` wants a tuple of hidden and cell state, but gets one tensor");
      return;
    }
    if (pair != nullptr && !pair->open && pair->items.size() == 2) {
      check_state(machine, call, as_tensor(machine, pair->items[0]), r, batch, r.states);
      check_state(machine, call, as_tensor(machine, pair->items[1]), r, batch, r.hidden);
    }
    return;
  }
  if (pair != nullptr && pair->type == Sequence::Type::tuple) {
    recurrent_problem(machine,
                      call,
                      operand_span(call, 1, "hx"),
                      format("`{}` wants one tensor as state, but gets a tuple", short_name(call)));
    return;
  }
  if (const auto* state = as<Tensor>(given)) {
    check_state(machine, call, *state, r, batch, r.hidden);
  }
}

Instance* packed(Machine& machine, Call& call, Tensor* time_first)
{
  Instance* made = machine.instance(*find_api("torch.nn.utils.rnn.PackedSequence"), &call);
  made->attributes[k_padded] = time_first;
  return made;
}

// (A, B, …) → (B, A, …)
Shape swapped(const Shape& shape)
{
  return shape.has_rank() && *shape.rank() >= 2 ? transposed(shape, 0, 1).shape : shape;
}

} // namespace

static Ref recurrent(Machine& machine, Call& call)
{
  const Ref given = operand_value(call, 0, "input");
  const auto* sequence = as<Instance>(given);
  const Tensor* inside = nullptr;
  if (sequence != nullptr) {
    if (const auto found = sequence->attributes.find(k_padded);
        found != sequence->attributes.end()) {
      inside = as<Tensor>(found->second);
    }
  }
  Recurrence r = read_recurrence(machine, call);
  const Tensor& input = inside != nullptr ? *inside : as_tensor(machine, given);
  const bool batch_first = r.batch_first && inside == nullptr;
  check_weights_meet(machine, call, input);
  const auto rank = input.shape.rank();
  if (rank && *rank != 3 && *rank != 2) {
    recurrent_problem(machine,
                      call,
                      operand_span(call, 0, "input"),
                      format("`{}` wants (time, batch, features), but gets a tensor of shape {}",
                             short_name(call),
                             input.shape.text()));
  }
  const bool unbatched = rank == 2;
  const Dim batch = unbatched ? Dim::constant(1) : input.shape.at(batch_first ? 0 : 1);
  if (rank && (*rank == 2 || *rank == 3)) {
    check_features(machine, call, input, -1, "input_size", ProblemKind::recurrent_shape);
    if (!unbatched) {
      check_states(machine, call, r, batch);
    }
  }
  const Interval bounded = Interval::of(-1, 1);
  const Shape shape = rank && *rank <= 3 && *rank >= 2 ? input.shape.with(-1, r.output)
                      : rank                           ? Shape::top()
                             : Shape::of({Dim::top(), Dim::top(), r.output});
  Tensor* output = result(machine, call, input, shape, bounded);
  const auto state = [&](const Dim& width, const Interval& interval) {
    const Shape whole =
        unbatched ? Shape::of({r.layers, width}) : Shape::of({r.layers, batch, width});
    return result(machine, call, input, whole, interval);
  };
  Ref states = state(r.states, bounded);
  if (call.is("lstm")) {
    states = machine.tuple({states, state(r.hidden, Interval::reals())});
  }
  const Ref first = inside != nullptr ? static_cast<Ref>(packed(machine, call, output)) : output;
  return machine.tuple({first, states});
}

static Ref cell(Machine& machine, Call& call)
{
  const Tensor& input = input_of(machine, call);
  check_weights_meet(machine, call, input);
  const Dim hidden = machine.to_dim(call.setting_value("hidden_size"));
  if (check_rank(machine, call, input, {1, 2})) {
    check_features(machine, call, input, -1, "input_size", ProblemKind::recurrent_shape);
  }
  const Shape shape =
      input.shape.has_rank() ? input.shape.with(-1, hidden) : Shape::of({Dim::top(), hidden});
  Tensor* state = result(machine, call, input, shape, Interval::of(-1, 1));
  if (!call.is("lstm_cell")) {
    return state;
  }
  const Ref given = operand_value(call, 1, "hx");
  if (const auto* single = as<Tensor>(given); single != nullptr && single->shape.has_rank()) {
    recurrent_problem(machine,
                      call,
                      operand_span(call, 1, "hx"),
                      "`LSTMCell` wants a tuple of hidden and cell state, but gets one tensor");
  }
  return machine.tuple({state, result(machine, call, input, shape, Interval::reals())});
}

static Ref pack(Machine& machine, Call& call)
{
  const Tensor& input = input_of(machine, call);
  Tensor* time_first = moved(machine, call, input, input.shape);
  if (is_true(machine, call, "batch_first")) {
    time_first->shape = swapped(input.shape);
  }
  return packed(machine, call, time_first);
}

static Ref unpack(Machine& machine, Call& call)
{
  const auto* sequence = as<Instance>(operand_value(call, 0, "sequence"));
  Shape shape = Shape::of_rank(3);
  const Tensor* inside = nullptr;
  if (sequence != nullptr) {
    if (const auto found = sequence->attributes.find(k_padded);
        found != sequence->attributes.end()) {
      inside = as<Tensor>(found->second);
    }
  }
  if (inside != nullptr) {
    shape = is_true(machine, call, "batch_first") ? swapped(inside->shape) : inside->shape;
  }
  const Tensor& like = inside != nullptr ? *inside : as_tensor(machine, nullptr);
  Tensor* padded_back = moved(machine, call, like, shape);
  Tensor* lengths = result(machine, call, like, Shape::of_rank(1));
  lengths->dtype = DType::Kind::int64;
  lengths->requires_grad = Truth::no;
  return machine.tuple({padded_back, lengths});
}

static Ref pad_sequence(Machine& machine, Call& call)
{
  const Ref list = operand_value(call, 0, "sequences");
  const auto* sequence = as<Sequence>(list);
  Ref one = nullptr;
  Dim count = Dim::top();
  if (sequence != nullptr) {
    count = sequence->open ? Dim::batch() : sequence->length();
    one = sequence->items.empty() ? sequence->rest : sequence->items.front();
  }
  const Tensor& item = as_tensor(machine, one);
  Shape shape = Shape::top();
  if (item.shape.has_rank() && *item.shape.rank() >= 1) {
    const Shape rest = item.shape.behind(1);
    const Dim longest = machine.fresh_symbol();
    shape = (is_true(machine, call, "batch_first") ? Shape::of({count, longest})
                                                   : Shape::of({longest, count}))
                .plus(rest);
  }
  Tensor* made = result(machine, call, item, shape, item.interval);
  made->interval.join(machine.to_interval(option(call, {"padding_value"})));
  made->encoding = item.encoding;
  return made;
}

} // namespace torch

std::span<const Api> torch_recurrent()
{
  using namespace torch;
  constexpr Role l = Role::layer;
  constexpr Role f = Role::function;
  constexpr uint32_t k_rnn = k_learning | k_recurrent;
#define FL_RNN                                                                                     \
  "bias=True, batch_first=False, dropout=0.0, bidirectional=False, proj_size=0, device=None, "     \
  "dtype=None"
  static constexpr Api k_rows[] = {
      {"torch.nn.RNN",
       "input_size, hidden_size, num_layers=1, nonlinearity='tanh', " FL_RNN,
       l,
       "rnn",
       k_rnn,
       recurrent},
      {"torch.nn.LSTM",
       "input_size, hidden_size, num_layers=1, " FL_RNN,
       l,
       "lstm",
       k_rnn,
       recurrent},
      {"torch.nn.GRU",
       "input_size, hidden_size, num_layers=1, " FL_RNN,
       l,
       "gru",
       k_rnn,
       recurrent},
      {"torch.nn.RNNBase",
       "mode, input_size, hidden_size, num_layers=1, " FL_RNN,
       l,
       "rnn",
       k_rnn,
       recurrent},
      {"torch.nn.RNNCell",
       "input_size, hidden_size, bias=True, nonlinearity='tanh', device=None, dtype=None",
       l,
       "rnn_cell",
       k_rnn,
       cell},
      {"torch.nn.LSTMCell",
       "input_size, hidden_size, bias=True, device=None, dtype=None",
       l,
       "lstm_cell",
       k_rnn,
       cell},
      {"torch.nn.GRUCell",
       "input_size, hidden_size, bias=True, device=None, dtype=None",
       l,
       "gru_cell",
       k_rnn,
       cell},
      {"torch.nn.RNN.flatten_parameters", "", Role::method, {}, 0, nothing},
      {"torch.nn.LSTM.flatten_parameters", "", Role::method, {}, 0, nothing},
      {"torch.nn.GRU.flatten_parameters", "", Role::method, {}, 0, nothing},
      {"torch.nn.utils.rnn.PackedSequence", "data, batch_sizes=None", Role::object},
      {"torch.nn.utils.rnn.PackedSequence.data", "", Role::attribute},
      {"torch.nn.utils.rnn.PackedSequence.batch_sizes", "", Role::attribute},
      {"torch.nn.utils.rnn.pack_padded_sequence",
       "input, lengths, batch_first=False, enforce_sorted=True",
       f,
       "pack",
       k_reshaping,
       pack},
      {"torch.nn.utils.rnn.pad_packed_sequence",
       "sequence, batch_first=False, padding_value=0.0, total_length=None",
       f,
       "unpack",
       k_reshaping,
       unpack},
      {"torch.nn.utils.rnn.pack_sequence", "sequences, enforce_sorted=True", f},
      {"torch.nn.utils.rnn.pad_sequence",
       "sequences, batch_first=False, padding_value=0.0",
       f,
       "stack",
       k_merging,
       pad_sequence},
  };
#undef FL_RNN
  return k_rows;
}

} // namespace faultline::program
