#include "program/libraries/shared/arrays.hpp"

#include "base/format.hpp"
#include "program/values/walk.hpp"

#include <algorithm>
#include <cmath>

namespace faultline::program {

Tensor* array(Machine& m, Call& call, Shape shape, DType dtype, Interval interval)
{
  Tensor* const made = m.tensor(call, std::move(shape), dtype, interval);
  made->library = Library::numpy;
  made->device = Device::cpu();
  made->requires_grad = Truth::no;
  made->contiguous = Truth::unknown;
  return made;
}

Tensor* rearranged(Machine& m, Call& call, const Tensor& input, Shape shape)
{
  Tensor* const made = array(m, call, std::move(shape), input.dtype, input.interval);
  made->library = input.library == Library::pandas ? Library::pandas : Library::numpy;
  made->encoding = input.encoding;
  made->classes = input.classes;
  made->source = input.source;
  return made;
}

Ref flattened(Machine& m, Call& call)
{
  const Tensor& input = subject(m, call);
  return rearranged(m, call, input, Shape::of({input.shape.elements()}));
}

Tensor* array_like(Machine& m, Call& call, const Tensor& input)
{
  return rearranged(m, call, input, input.shape);
}

Tensor* frame(Machine& m, Call& call, Shape shape, DType dtype)
{
  Tensor* const made = array(m, call, std::move(shape), dtype);
  made->library = Library::pandas;
  return made;
}

// Whether several rows surely differ in how many items they have.
static bool is_ragged(Ref value)
{
  return walk(value, false, [](Ref one, auto& into) {
    const auto* rows = as<Sequence>(one);
    if (rows == nullptr) {
      return false;
    }
    std::optional<Dim> first;
    for (const Ref row : rows->items) {
      Dim length = Dim::top();
      if (const auto* list = as<Sequence>(row)) {
        length = list->length();
        if (into(row)) {
          return true;
        }
      } else if (const auto* tensor = as<Tensor>(row);
                 tensor != nullptr && tensor->shape.has_rank()) {
        length = tensor->shape.dims().empty() ? Dim::constant(0) : tensor->shape.at(0);
      } else if (row->kind == Kind::constant) {
        length = Dim::constant(0); // a number among lists
      }
      if (first && first->compare(length) == Dim::Comparison::different) {
        return true;
      }
      first = first ? better_known(*first, length) : length;
    }
    return false;
  });
}

Tensor& to_array(Machine& m, Ref value)
{
  if (const auto* rows = as<Sequence>(value); rows != nullptr && is_ragged(value)) {
    Tensor* const made =
        m.data(Library::numpy, Shape::of({rows->length()}), DType::Kind::object, Interval::top());
    made->requires_grad = Truth::no;
    return *made;
  }
  if (const auto* image = as<Instance>(value)) {
    if (auto* pixels = as<Tensor>(find_attribute(*image, "pixels"))) {
      return *pixels;
    }
  }
  if (Tensor* const known = m.to_tensor(value)) {
    return *known;
  }
  Shape shape = Shape::top();
  DType dtype;
  if (value != nullptr && is_text(value)) {
    shape = Shape::scalar();
    dtype = DType::Kind::string;
  }
  return *m.data(Library::numpy, shape, dtype, Interval::top());
}

Span span_of(const Call& call, std::string_view parameter)
{
  const Argument* const argument = call.argument(parameter);
  return argument != nullptr ? argument->span : call.span;
}

static Tensor& checked(Machine& m, const Call& call, Ref value, Span span)
{
  Tensor& tensor = to_array(m, value);
  if (tensor.library == Library::torch && tensor.requires_grad == Truth::yes) {
    m.problem(ProblemKind::foreign_tensor,
              span,
              format("`{}` gets a torch tensor that requires a gradient", call.name),
              &call)
        .help = "call `.detach()` on it first";
  }
  return tensor;
}

Tensor& operand(Machine& m, Call& call, std::string_view parameter)
{
  return checked(m, call, call.arg(parameter), span_of(call, parameter));
}

Tensor& subject(Machine& m, Call& call, std::string_view parameter)
{
  return call.self != nullptr ? to_array(m, call.self) : operand(m, call, parameter);
}

Shape settle(Machine& m, const Call& call, const Shaped& shaped, Span span)
{
  if (shaped.wrong) {
    m.problem(shaped.wrong->kind, span, shaped.wrong->message, &call).help = shaped.wrong->help;
  }
  return shaped.shape;
}

Shape shape_argument(Machine& m, Ref value)
{
  const auto dims = m.to_dims(value);
  return dims ? Shape::of(*dims) : Shape::top();
}

Shape shape_of_sizes(Machine& m, const std::vector<Ref>& sizes)
{
  if (sizes.size() == 1) {
    return shape_argument(m, sizes.front());
  }
  std::vector<Dim> dims;
  for (const Ref size : sizes) {
    dims.push_back(m.to_dim(size));
  }
  return Shape::of(std::move(dims));
}

Axes axes_argument(const Machine& m, Ref value)
{
  if (value == nullptr || m.is_none(value)) {
    return {};
  }
  if (const auto one = m.to_int(value)) {
    return {true, std::vector<int64_t>{*one}};
  }
  const auto* several = as<Sequence>(value);
  if (several == nullptr || several->open) {
    return {false, std::nullopt};
  }
  std::vector<int64_t> axes;
  for (const Ref item : several->items) {
    const auto axis = m.to_int(item);
    if (!axis) {
      return {false, std::nullopt};
    }
    axes.push_back(*axis);
  }
  return {true, std::move(axes)};
}

static DType dtype_with_number(DType array, Ref number)
{
  if (array.is_unknown()) {
    return array;
  }
  if (is_integral(number)) {
    return array == DType(DType::Kind::boolean) ? DType(DType::Kind::int64) : array;
  }
  return array.is_floating() || array == DType(DType::Kind::complex64) ||
                 array == DType(DType::Kind::complex128)
             ? array
             : DType(DType::Kind::float64);
}

static DType own_dtype(Ref value)
{
  const auto* tensor = as<Tensor>(value);
  return tensor != nullptr ? tensor->dtype : DType();
}

DType numpy_promoted(DType a, DType b)
{
  const DType common = DType::promoted(a, b);
  const auto meets_float = [](DType real, DType whole) {
    return real.is_floating() && whole.is_integer();
  };
  const bool wide = a == DType(DType::Kind::int32) || a == DType(DType::Kind::int64) ||
                    b == DType(DType::Kind::int32) || b == DType(DType::Kind::int64);
  // A wide integer with a float32 is a float64 here, a float32 in torch.
  if (common.is_unknown() && wide && (meets_float(a, b) || meets_float(b, a))) {
    return DType::Kind::float64;
  }
  return common;
}

DType arithmetic_dtype(Ref a, Ref b)
{
  if (is_number(b)) {
    return is_number(a)
               ? DType(is_integral(a) && is_integral(b) ? DType::Kind::int64 : DType::Kind::float64)
               : dtype_with_number(own_dtype(a), b);
  }
  if (is_number(a)) {
    return dtype_with_number(own_dtype(b), a);
  }
  const DType x = own_dtype(a);
  const DType y = own_dtype(b);
  const auto is_scalar = [](Ref value) {
    const auto* tensor = as<Tensor>(value);
    return tensor != nullptr && tensor->shape.rank() == 0;
  };
  // Whether a NumPy scalar widens an array depends on NumPy's version.
  if (x != y && is_scalar(a) != is_scalar(b) && x.is_floating() == y.is_floating()) {
    return {};
  }
  return numpy_promoted(x, y);
}

DType dtype_argument(const Machine& m, Ref value, DType otherwise)
{
  if (value == nullptr || m.is_none(value)) {
    return otherwise;
  }
  return m.to_dtype(value).value_or(DType());
}

DType as_floating(DType dtype)
{
  if (dtype.is_integer() || dtype == DType(DType::Kind::boolean)) {
    return DType::Kind::float64;
  }
  return dtype;
}

bool is_dtype(const Tensor& tensor, DType::Kind kind)
{
  return tensor.dtype.kind() == kind;
}

Interval range_of(DType dtype)
{
  switch (dtype.kind()) {
  case DType::Kind::uint8:
    return Interval::of(0, 255);
  case DType::Kind::int8:
    return Interval::of(-128, 127);
  case DType::Kind::int16:
    return Interval::of(-32768, 32767);
  case DType::Kind::int32:
    return Interval::of(-2147483648.0, 2147483647.0);
  default:
    return Interval::top();
  }
}

Interval check_wrapping(Machine& m, const Call& call, DType dtype, const Interval& exact)
{
  const Interval range = range_of(dtype);
  const bool small = range.is_known() && range.high() < 65536;
  const bool bounded =
      exact.is_known() && std::isfinite(exact.low()) && std::isfinite(exact.high());
  if (!small || !bounded || range.contains(exact)) {
    return exact;
  }
  m.problem(ProblemKind::integer_overflow,
            call.span,
            format("values {} do not fit {} and wrap around", exact.text(), dtype.text()),
            &call)
      .help = "convert with `astype('float32')` first";
  return range;
}

void overwrite(Tensor& target, const Interval& interval)
{
  // A part of what was there is gone, so bounds that the new values widen may not be reached.
  const bool kept = target.interval.is_known() && interval.is_known() &&
                    (target.interval.contains(interval) || target.interval.value() == 0.0);
  target.interval = kept ? joined(target.interval, interval) : Interval::top();
  target.literal = nullptr;
}

void forget_columns(Tensor& target)
{
  if (target.shape.rank() == 2) {
    target.shape = target.shape.with(1, Dim::top());
  }
  target.dtype = {};
  target.interval = Interval::top();
  target.literal = nullptr;
}

void forget_rows(Tensor& target)
{
  if (target.shape.has_rank() && *target.shape.rank() > 0) {
    target.shape = target.shape.with(0, Dim::top());
  }
  target.literal = nullptr;
}

Ref shape_tuple(Machine& m, const Shape& shape)
{
  if (!shape.has_rank()) {
    Sequence* const result = m.tuple({});
    result->open = true;
    result->rest = m.number(Interval::of(0, Interval::k_inf), true);
    return result;
  }
  std::vector<Ref> sizes;
  for (const Dim& dim : shape.dims()) {
    sizes.push_back(dim.is_unknown() ? m.number(Interval::of(0, Interval::k_inf), true)
                                     : m.integer(dim));
  }
  return m.tuple(std::move(sizes));
}

const DataSource* as_split(Machine& m, const DataSource* source, DataSource::Split split)
{
  if (source == nullptr || source->split == split) {
    return source;
  }
  DataSource copy = *source;
  copy.split = split;
  return m.source(copy);
}

} // namespace faultline::program
