// NumPy: what an array says of itself, its conversions; element types and constants.

#include "program/libraries/shared/answers.hpp"
#include "program/libraries/shared/arrays.hpp"
#include "program/names/tables.hpp"

#include <cmath>

namespace faultline::program {

static Ref shape(Machine& m, Call& call)
{
  return shape_tuple(m, subject(m, call).shape);
}

static Ref rank(Machine& m, Call& call)
{
  const auto known = subject(m, call).shape.rank();
  return known ? m.integer(static_cast<int64_t>(*known))
               : m.number(Interval::of(0, Interval::k_inf), true);
}

static Ref size(Machine& m, Call& call)
{
  const Tensor& input = subject(m, call);
  const Ref axis = call.arg("axis");
  const auto place = axis == nullptr ? std::nullopt : m.to_int(axis);
  const Dim count = place ? input.shape.at(*place) : input.shape.elements();
  return count.is_unknown() ? m.number(Interval::of(0, Interval::k_inf), true) : m.integer(count);
}

static Ref dtype(Machine& m, Call& call)
{
  const DType own = subject(m, call).dtype;
  return own.is_unknown() ? m.unknown() : m.string(std::string(own.text()));
}

static Ref itself(Machine& m, Call& call)
{
  return array_like(m, call, subject(m, call));
}

static Interval converted(const Tensor& input, DType to)
{
  if (to == DType(DType::Kind::boolean)) {
    return Interval::of(0, 1);
  }
  const bool from_text =
      is_dtype(input, DType::Kind::string) || is_dtype(input, DType::Kind::object);
  if (from_text) {
    return input.source != nullptr ? input.source->raw : Interval::top();
  }
  if (!to.is_integer() || !input.interval.is_known()) {
    return input.interval;
  }
  const Interval whole =
      Interval::of(std::trunc(input.interval.low()), std::trunc(input.interval.high()));
  // What does not fit wraps around: any value of the type may come out.
  const Interval range = range_of(to);
  return range.is_known() && !range.contains(whole) ? range : whole;
}

static Ref as_type(Machine& m, Call& call)
{
  const Tensor& input = subject(m, call);
  const DType to = dtype_argument(m, call.arg("dtype"), DType());
  Tensor* const made = array_like(m, call, input);
  made->dtype = to;
  made->interval = converted(input, to);
  made->literal = nullptr;
  if (made->encoding == Encoding::text && to.is_integer()) {
    made->encoding = Encoding::class_index;
  }
  return made;
}

// np.float32(x): a conversion of any value.
static Ref convert(Machine& m, Call& call)
{
  const Ref value = take(m, call, "x");
  const DType to = DType::named(call.name.substr(call.name.rfind('.') + 1)).value_or(DType());
  if (const auto number = is_number(value) ? m.to_double(value) : std::nullopt) {
    const bool whole = to.is_integer() && std::fabs(*number) < 9e15;
    return whole ? m.integer(static_cast<int64_t>(*number)) : m.real(*number);
  }
  const Tensor& input = operand(m, call, "x");
  Tensor* const made = array_like(m, call, input);
  made->dtype = to;
  made->interval = converted(input, to);
  return made;
}

static Ref view(Machine& m, Call& call)
{
  const Tensor& input = subject(m, call);
  Tensor* const made = array_like(m, call, input);
  if (call.given("dtype") != nullptr) {
    made->dtype = dtype_argument(m, call.arg("dtype"), DType());
    made->interval = Interval::top();
    made->shape = input.shape.has_rank() ? Shape::of_rank(*input.shape.rank()) : Shape::top();
  }
  return made;
}

static Ref number_of(Machine& m, const Tensor& input)
{
  const auto value = input.interval.value();
  const bool whole = input.dtype.is_integer();
  if (value && std::fabs(*value) < 9e15) {
    return whole ? m.integer(static_cast<int64_t>(*value)) : m.real(*value);
  }
  return m.number(input.interval, whole);
}

static Ref item(Machine& m, Call& call)
{
  return number_of(m, subject(m, call));
}

// Nested lists of numbers, as deep as the array has axes.
static Ref to_list(Machine& m, Call& call)
{
  const Tensor& input = subject(m, call);
  if (as<Sequence>(input.literal) != nullptr) {
    return input.literal;
  }
  if (!input.shape.has_rank()) {
    return m.unknown();
  }
  Ref value = is_dtype(input, DType::Kind::string) ? m.text()
              : input.dtype.is_numeric() ? m.number(input.interval, input.dtype.is_integer())
                                         : m.unknown();
  constexpr int64_t k_most_items = 128;
  for (size_t i = *input.shape.rank(); i-- > 0;) {
    const auto count = input.shape.dims()[i].constant();
    value = count && *count >= 0 && *count <= k_most_items
                ? m.list(std::vector<Ref>(static_cast<size_t>(*count), value))
                : m.open_list(value);
  }
  return value;
}

static Ref fill(Machine& m, Call& call)
{
  overwrite(subject(m, call), m.to_interval(call.arg("value")));
  return m.none();
}

static Ref overwrite_some(Machine& m, Call& call)
{
  if (auto* target = as<Tensor>(call.self != nullptr ? call.self : call.arg("a"))) {
    overwrite(*target, Interval::top());
  }
  return m.none();
}

static Ref nan(Machine& m, Call&)
{
  return m.real(std::nan(""));
}

static Ref limits(Machine& m, Call& call)
{
  const DType type = dtype_argument(m, call.arg("dtype"), DType());
  Instance* const made = object_of(m, call.name, call);
  const auto set = [&](std::string_view name, double value) {
    set_field(m, *made, name, m.real(value));
  };
  if (type == DType(DType::Kind::float32)) {
    set("eps", 1.1920929e-07);
    set("tiny", 1.1754944e-38);
    set("max", 3.4028235e38);
    set("min", -3.4028235e38);
  } else if (type == DType(DType::Kind::float64)) {
    set("eps", 2.220446049250313e-16);
    set("tiny", 2.2250738585072014e-308);
    set("max", 1.7976931348623157e308);
    set("min", -1.7976931348623157e308);
  } else if (type == DType(DType::Kind::float16)) {
    set("eps", 0.000977);
    set("tiny", 6.104e-05);
    set("max", 65504);
    set("min", -65504);
  } else if (const Interval range = range_of(type); range.is_known()) {
    const auto bound = [&m](double value) -> Ref {
      return fits_integer(value) ? m.integer(static_cast<int64_t>(value))
                                 : m.number(Interval::of(value, value), true);
    };
    set_field(m, *made, "max", bound(range.high()));
    set_field(m, *made, "min", bound(range.low()));
  }
  return made;
}

static Ref same_type_name(Machine& m, Call& call)
{
  return take(m, call, "dtype");
}

// numpy.uint32.newbyteorder('>')
static Ref own_type_name(Machine& m, Call& call)
{
  const std::string_view path = std::string_view(call.name).substr(0, call.name.rfind('.'));
  return m.string(std::string(path.substr(path.rfind('.') + 1)));
}

static Ref sparse_to_dense(Machine& m, Call& call)
{
  return itself(m, call);
}

static constexpr std::string_view k_any = "*args, **kwargs";
static constexpr std::string_view k_generic = "numpy.generic";

static constexpr Api k_rows[] = {
    {"numpy.ndarray.shape", "", Role::attribute, {}, 0, shape},
    {"numpy.ndarray.ndim", "", Role::attribute, {}, 0, rank},
    {"numpy.ndarray.size", "", Role::attribute, {}, 0, size},
    {"numpy.ndarray.dtype", "", Role::attribute, {}, 0, dtype},
    {"numpy.ndarray.itemsize", "", Role::attribute, {}, 0, answers::count},
    {"numpy.ndarray.nbytes", "", Role::attribute, {}, 0, answers::count},
    {"numpy.ndarray.strides", "", Role::attribute},
    {"numpy.ndarray.flags", "", Role::attribute},
    {"numpy.ndarray.base", "", Role::attribute},
    {"numpy.ndarray.data", "", Role::attribute, "identity", 0, itself},
    {"numpy.ndarray.real", "", Role::attribute, "identity", 0, itself},
    {"numpy.ndarray.imag", "", Role::attribute},
    {"numpy.ndarray.flat", "", Role::attribute, "flatten", k_reshaping, flattened},
    {"numpy.ndarray.astype",
     "dtype, order='K', casting='unsafe', subok=True, copy=True",
     Role::method,
     "cast",
     0,
     as_type},
    {"numpy.ndarray.copy", "order='C'", Role::method, "identity", 0, itself},
    {"numpy.ndarray.view", "dtype=None, type=None", Role::method, {}, 0, view},
    {"numpy.ndarray.item", "*args", Role::method, "to_number", 0, item},
    {"numpy.ndarray.tolist", "", Role::method, {}, 0, to_list},
    {"numpy.ndarray.fill", "value", Role::method, {}, k_in_place, fill},
    {"numpy.ndarray.tobytes", k_any, Role::method, {}, 0, answers::text},
    {"numpy.ndarray.tostring", k_any, Role::method, {}, 0, answers::text},
    {"numpy.ndarray.tofile", k_any, Role::opaque},
    {"numpy.ndarray.dump", k_any, Role::opaque},
    {"numpy.ndarray.dumps", k_any, Role::opaque},
    {"numpy.ndarray.conj", "", Role::method, "identity", 0, itself},
    {"numpy.ndarray.byteswap", k_any, Role::method, {}, 0, itself},
    {"numpy.ndarray.newbyteorder", k_any, Role::method, "identity", 0, itself},
    {"numpy.ndarray.setflags", k_any, Role::opaque},
    {"numpy.ndarray.put", k_any, Role::method, {}, k_in_place, overwrite_some},
    {"numpy.ndarray.itemset", k_any, Role::method, {}, k_in_place, overwrite_some},
    {"numpy.ndarray.diagonal", k_any, Role::method},
    {"numpy.ndarray.trace", k_any, Role::method},
    {"numpy.ndarray.choose", k_any, Role::method},
    {"numpy.ndarray.compress", k_any, Role::method},
    // A sparse matrix is taken for an array.
    {"numpy.ndarray.toarray", k_any, Role::method, "identity", 0, sparse_to_dense},
    {"numpy.ndarray.todense", k_any, Role::method, "identity", 0, sparse_to_dense},
    {"numpy.ndarray.tocsr", k_any, Role::method, "identity", 0, sparse_to_dense},
    {"numpy.ndarray.tocoo", k_any, Role::method, "identity", 0, sparse_to_dense},
    {"numpy.ndarray.numpy", "", Role::method, "identity", 0, itself},

    {"numpy.shape", "a", Role::function, {}, 0, shape},
    {"numpy.ndim", "a", Role::function, {}, 0, rank},
    {"numpy.size", "a, axis=None", Role::function, {}, 0, size},

    {"numpy.float", "x=0", Role::object, {}, 0, convert, k_generic},
    {"numpy.float16", "x=0", Role::object, {}, 0, convert, k_generic},
    {"numpy.float32", "x=0", Role::object, {}, 0, convert, k_generic},
    {"numpy.float64", "x=0", Role::object, {}, 0, convert, k_generic},
    {"numpy.float128", "x=0", Role::object, {}, 0, convert, k_generic},
    {"numpy.float_", "x=0", Role::object, {}, 0, convert, k_generic},
    {"numpy.half", "x=0", Role::object, {}, 0, convert, k_generic},
    {"numpy.single", "x=0", Role::object, {}, 0, convert, k_generic},
    {"numpy.double", "x=0", Role::object, {}, 0, convert, k_generic},
    {"numpy.longdouble", "x=0", Role::object, {}, 0, convert, k_generic},
    {"numpy.int", "x=0", Role::object, {}, 0, convert, k_generic},
    {"numpy.int_", "x=0", Role::object, {}, 0, convert, k_generic},
    {"numpy.intp", "x=0", Role::object, {}, 0, convert, k_generic},
    {"numpy.intc", "x=0", Role::object, {}, 0, convert, k_generic},
    {"numpy.int8", "x=0", Role::object, {}, 0, convert, k_generic},
    {"numpy.int16", "x=0", Role::object, {}, 0, convert, k_generic},
    {"numpy.int32", "x=0", Role::object, {}, 0, convert, k_generic},
    {"numpy.int64", "x=0", Role::object, {}, 0, convert, k_generic},
    {"numpy.long", "x=0", Role::object, {}, 0, convert, k_generic},
    {"numpy.longlong", "x=0", Role::object, {}, 0, convert, k_generic},
    {"numpy.uint", "x=0", Role::object, {}, 0, convert, k_generic},
    {"numpy.uint8", "x=0", Role::object, {}, 0, convert, k_generic},
    {"numpy.ubyte", "x=0", Role::object, {}, 0, convert, k_generic},
    {"numpy.uint16", "x=0", Role::object, {}, 0, convert, k_generic},
    {"numpy.uint32", "x=0", Role::object, {}, 0, convert, k_generic},
    {"numpy.uint64", "x=0", Role::object, {}, 0, convert, k_generic},
    {"numpy.bool", "x=False", Role::object, {}, 0, convert, k_generic},
    {"numpy.bool_", "x=False", Role::object, {}, 0, convert, k_generic},
    {"numpy.complex64", "x=0", Role::object, {}, 0, convert, k_generic},
    {"numpy.complex128", "x=0", Role::object, {}, 0, convert, k_generic},
    {"numpy.object", "x=None", Role::object},
    {"numpy.object_", "x=None", Role::object},
    {"numpy.str", "x=''", Role::object},
    {"numpy.str_", "x=''", Role::object},
    {"numpy.string_", "x=''", Role::object},
    {"numpy.unicode_", "x=''", Role::object},
    {"numpy.bytes_", "x=''", Role::object},
    {"numpy.number", "", Role::object},
    {"numpy.integer", "", Role::object},
    {"numpy.floating", "", Role::object},
    {k_generic, "", Role::object},
    {"numpy.generic.newbyteorder", "new_order='S'", Role::method, {}, 0, own_type_name},
    {"numpy.datetime64", k_any, Role::object},
    {"numpy.timedelta64", k_any, Role::object},
    {"numpy.dtype", "dtype, **kwargs", Role::function, {}, 0, same_type_name},
    {"numpy.finfo", "dtype", Role::object, {}, 0, limits},
    {"numpy.iinfo", "dtype", Role::object, {}, 0, limits},
    {"numpy.result_type", k_any, Role::function},
    {"numpy.issubdtype", "a, b", Role::function},
    {"numpy.can_cast", k_any, Role::function},

    {"numpy.newaxis", "", Role::attribute, {}, 0, answers::none},
    {"numpy.pi", "", Role::attribute, {}, 0, answers::pi},
    {"numpy.e", "", Role::attribute, {}, 0, answers::e},
    {"numpy.inf", "", Role::attribute, {}, 0, answers::infinity},
    {"numpy.Inf", "", Role::attribute, {}, 0, answers::infinity},
    {"numpy.Infinity", "", Role::attribute, {}, 0, answers::infinity},
    {"numpy.PINF", "", Role::attribute, {}, 0, answers::infinity},
    {"numpy.nan", "", Role::attribute, {}, 0, nan},
    {"numpy.NaN", "", Role::attribute, {}, 0, nan},
    {"numpy.NAN", "", Role::attribute, {}, 0, nan},
    {"numpy.mgrid", "", Role::constant},
    {"numpy.ogrid", "", Role::constant},
    {"numpy.r_", "", Role::constant},
    {"numpy.c_", "", Role::constant},
    {"numpy.s_", "", Role::constant},
    {"numpy.set_printoptions", k_any, Role::opaque},
    {"numpy.get_printoptions", k_any, Role::opaque},
    {"numpy.printoptions", k_any, Role::opaque},
    {"numpy.seterr", k_any, Role::opaque},
    {"numpy.errstate", k_any, Role::opaque},
    {"numpy.array2string", k_any, Role::opaque},
    {"numpy.array_str", k_any, Role::opaque},
    {"numpy.array_repr", k_any, Role::opaque},
    {"numpy.nditer", k_any, Role::function},
    {"numpy.ndindex", k_any, Role::function},
    {"numpy.ndenumerate", k_any, Role::function},
    {"numpy.unravel_index", k_any, Role::function},
    {"numpy.ravel_multi_index", k_any, Role::function},
    {"numpy.packbits", k_any, Role::function},
    {"numpy.unpackbits", k_any, Role::function},
    {"numpy.piecewise", k_any, Role::function},
    {"numpy.may_share_memory", k_any, Role::function},
    {"numpy.broadcast_arrays", k_any, Role::function},
    {"numpy.ix_", k_any, Role::function},
    {"numpy.triu_indices", k_any, Role::function},
    {"numpy.tril_indices", k_any, Role::function},
    {"numpy.fill_diagonal", "a, val, wrap=False", Role::function, {}, k_in_place, overwrite_some},
    {"numpy.copyto", "a, src, **kwargs", Role::function, {}, k_in_place, overwrite_some},
    {"numpy.put", "a, ind, v, mode='raise'", Role::function, {}, k_in_place, overwrite_some},
    {"numpy.hanning", "M", Role::function},
    {"numpy.hamming", "M", Role::function},
    {"numpy.blackman", "M", Role::function},
};

std::span<const Api> numpy_ndarray()
{
  return k_rows;
}

} // namespace faultline::program
