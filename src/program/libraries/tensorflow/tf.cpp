#include "program/libraries/tensorflow/tf.hpp"

#include "base/format.hpp"
#include "program/libraries/keras/keras.hpp"
#include "program/libraries/shared/loss_kinds.hpp"

namespace faultline::program::tf {

static const Argument* bound(const Call& call, size_t n)
{
  if (call.self != nullptr) {
    if (n == 0) {
      return nullptr;
    }
    --n;
  }
  if (call.layer != nullptr) {
    return keras::call_argument(call, n);
  }
  if (call.api == nullptr) {
    return nullptr;
  }
  const std::vector<Parameter>& parameters = parameters_of(*call.api);
  return n < parameters.size() ? call.argument(parameters[n].name) : nullptr;
}

Ref argument(const Call& call, size_t n)
{
  if (n == 0 && call.self != nullptr) {
    return call.self;
  }
  const Argument* found = bound(call, n);
  return found != nullptr ? found->value : nullptr;
}

Span argument_span(const Call& call, size_t n)
{
  const Argument* found = bound(call, n);
  return found != nullptr ? found->span : call.span;
}

Ref option(const Call& call, std::initializer_list<std::string_view> names)
{
  for (const std::string_view name : names) {
    if (const Argument* given = call.given(name)) {
      return given->value;
    }
    if (const Argument* extra = call.keyword(name)) {
      return extra->value;
    }
  }
  return call.arg(*names.begin());
}

bool is_positional(Machine& machine, const Call& call, const Argument& argument)
{
  const std::string_view text = machine.program().text(call.span);
  if (!argument.given || !call.span.contains(argument.span)) {
    return false;
  }
  const size_t last =
      text.substr(0, argument.span.begin - call.span.begin).find_last_not_of(" \t\r\n\\");
  return last != std::string_view::npos && text[last] != '=';
}

Tensor* operand(Machine& machine, Ref value)
{
  if (Tensor* tensor = machine.to_tensor(value)) {
    return tensor;
  }
  return machine.data(Library::other, Shape::top(), {}, Interval::top());
}

std::vector<Tensor*> operands(Machine& machine, Ref list)
{
  std::vector<Tensor*> tensors;
  for (const Ref item : machine.items_of(list)) {
    tensors.push_back(operand(machine, item));
  }
  return tensors;
}

Tensor* result(Machine& machine, Call& call, Shape shape, DType dtype, Interval interval)
{
  Tensor* made = machine.tensor(call, std::move(shape), dtype, interval);
  if (made->library != Library::keras) {
    made->library = Library::tensorflow;
  }
  return made;
}

Tensor* moved(Machine& machine, Call& call, const Tensor& input, Shape shape)
{
  Tensor* made = machine.like(call, input);
  if (shape != input.shape) {
    made->literal = nullptr;
  }
  made->shape = std::move(shape);
  if (made->library != Library::keras) {
    made->library = Library::tensorflow;
  }
  return made;
}

Shape checked(Machine& machine, Call& call, Shaped shaped, Span span)
{
  if (shaped.wrong) {
    Problem& problem =
        machine.problem(shaped.wrong->kind, span, std::move(shaped.wrong->message), &call);
    problem.help = std::move(shaped.wrong->help);
  }
  return shaped.shape;
}

std::optional<std::vector<int64_t>> axes(Machine& machine, Ref value)
{
  if (value == nullptr || machine.is_none(value)) {
    return std::nullopt;
  }
  const auto dims = machine.to_dims(value);
  if (!dims) {
    return std::nullopt;
  }
  std::vector<int64_t> known;
  for (const Dim& dim : *dims) {
    const std::optional<int64_t> axis = dim.constant();
    if (!axis) {
      return std::nullopt;
    }
    known.push_back(*axis);
  }
  return known;
}

Shape shape_of(Machine& machine, Ref value, bool batch)
{
  auto dims = machine.to_dims(value);
  if (!dims) {
    // A vector of known length: the rank is known, the sizes are not.
    const auto* tensor = as<Tensor>(value);
    const auto rank = tensor != nullptr && tensor->shape.rank() == 1
                          ? tensor->shape.at(0).constant()
                          : std::nullopt;
    constexpr int64_t k_highest_rank = 16;
    return rank && *rank >= 0 && *rank <= k_highest_rank
               ? Shape::of_rank(static_cast<size_t>(*rank))
               : Shape::top();
  }
  const auto* list = as<Sequence>(value);
  if (batch && list != nullptr && !dims->empty() && machine.is_none(list->items.front())) {
    dims->front() = Dim::batch();
  }
  return Shape::of(std::move(*dims));
}

std::optional<DType> to_dtype(Machine& machine, Ref value)
{
  const auto* name = as<ApiName>(value);
  const bool is_float =
      machine.to_string(value) == "float" || (name != nullptr && name->path == "builtins.float");
  return is_float ? std::optional<DType>(DType::Kind::float32) : machine.to_dtype(value);
}

static bool is_own(const Tensor& tensor)
{
  return (tensor.library == Library::tensorflow || tensor.library == Library::keras) &&
         !tensor.dtype.is_unknown();
}

void expect_same_dtype(Machine& machine, Call& call, const Tensor& a, const Tensor& b)
{
  if (!is_own(a) || !is_own(b) || a.dtype == b.dtype) {
    return;
  }
  Problem& problem = machine.problem(
      ProblemKind::dtype_mix,
      call.span,
      format("{} and {} tensors cannot be combined", a.dtype.text(), b.dtype.text()),
      &call);
  problem.help = "TensorFlow promotes nothing: convert one of them with `tf.cast`";
}

void expect_integers(Machine& machine, Call& call, const Tensor& index, Span span)
{
  if (index.dtype.is_floating()) {
    machine.problem(ProblemKind::index_not_integer,
                    span,
                    format("indices must be integers, but these are {}", index.dtype.text()),
                    &call);
  }
}

LossUse& note_loss(Machine& machine,
                   Call& call,
                   LossInput wants,
                   const Argument* prediction,
                   const Argument* target)
{
  Tensor* predicted = prediction != nullptr ? as<Tensor>(prediction->value) : nullptr;
  LossUse& use = machine.loss_use(call);
  use.kind = loss_kind(call.op());
  use.wants = wants;
  use.prediction = predicted;
  use.prediction_span = prediction != nullptr ? prediction->span : call.span;
  use.target = target != nullptr ? target->value : nullptr;
  use.target_span = target != nullptr ? target->span : call.span;
  use.framework = call.name.starts_with("keras") ? "keras" : "tensorflow";
  return use;
}

} // namespace faultline::program::tf
