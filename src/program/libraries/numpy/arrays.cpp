// NumPy: arrays from lists, files and formulas.

#include "program/libraries/shared/arrays.hpp"

#include "program/names/tables.hpp"

#include <cmath>

namespace faultline::program {

static constexpr DType k_float64 = DType::Kind::float64;
static constexpr DType k_int64 = DType::Kind::int64;

// np.array and its like: the value as an array of the asked type.
static Ref from_value(Machine& m, Call& call)
{
  const Tensor& input = operand(m, call, "object");
  Tensor* const made = array(m, call, input.shape, input.dtype, input.interval);
  made->encoding = input.encoding;
  made->classes = input.classes;
  made->source = input.source;
  made->literal = input.literal;
  const DType asked = dtype_argument(m, call.arg("dtype"), input.dtype);
  made->dtype = asked;
  if (input.dtype.is_integer() && range_of(asked).is_known() && input.literal != nullptr) {
    made->interval = check_wrapping(m, call, asked, input.interval);
  }
  return made;
}

static Ref filled(Machine& m, Call& call, double value)
{
  return array(m,
               call,
               shape_argument(m, call.arg("shape")),
               dtype_argument(m, call.arg("dtype"), k_float64),
               Interval::point(value));
}

static Ref zeros(Machine& m, Call& call)
{
  return filled(m, call, 0);
}
static Ref ones(Machine& m, Call& call)
{
  return filled(m, call, 1);
}

static Ref empty(Machine& m, Call& call)
{
  return array(m,
               call,
               shape_argument(m, call.arg("shape")),
               dtype_argument(m, call.arg("dtype"), k_float64));
}

static Ref full(Machine& m, Call& call)
{
  const Tensor& value = operand(m, call, "fill_value");
  return array(m,
               call,
               shape_argument(m, call.arg("shape")),
               dtype_argument(m, call.arg("dtype"), value.dtype),
               value.interval);
}

static Ref like(Machine& m, Call& call, const Interval& interval)
{
  const Tensor& input = operand(m, call, "a");
  const Ref shape = call.arg("shape");
  return array(m,
               call,
               m.is_none(shape) ? input.shape : shape_argument(m, shape),
               dtype_argument(m, call.arg("dtype"), input.dtype),
               interval);
}

static Ref zeros_like(Machine& m, Call& call)
{
  return like(m, call, Interval::point(0));
}
static Ref ones_like(Machine& m, Call& call)
{
  return like(m, call, Interval::point(1));
}
static Ref empty_like(Machine& m, Call& call)
{
  return like(m, call, Interval::top());
}
static Ref full_like(Machine& m, Call& call)
{
  return like(m, call, m.to_interval(call.arg("fill_value")));
}

static Ref arange(Machine& m, Call& call)
{
  const bool one = call.given("stop") == nullptr;
  const Ref first = one ? m.integer(0) : take(m, call, "start");
  const Ref last = take(m, call, one ? "start" : "stop");
  const Ref step = take(m, call, "step");
  const bool integral = is_integral(first) && is_integral(last) && is_integral(step);
  const bool known_kinds = is_number(first) && is_number(last) && is_number(step);
  const DType dtype = dtype_argument(m,
                                     call.arg("dtype"),
                                     integral      ? k_int64
                                     : known_kinds ? k_float64
                                                   : DType());
  const auto from = m.to_double(first);
  const auto to = m.to_double(last);
  const auto by = m.to_double(step);
  Dim length = Dim::top();
  Interval interval = Interval::top();
  if (from && to && by && *by != 0) {
    const double count = std::max(0.0, std::ceil((*to - *from) / *by));
    if (count < 1e12) {
      length = Dim::constant(static_cast<int64_t>(count));
      const double end = *from + std::max(0.0, count - 1) * *by;
      interval = Interval::of(std::min(*from, end), std::max(*from, end));
    }
  } else if (by == 1.0 && integral) {
    length = m.to_dim(last).minus(m.to_dim(first));
    if (from) {
      interval = Interval::of(*from, Interval::k_inf);
    }
  }
  return array(m, call, Shape::of({length}), dtype, interval);
}

static Ref linspace(Machine& m, Call& call)
{
  const Tensor& start = operand(m, call, "start");
  const Tensor& stop = operand(m, call, "stop");
  Tensor* const made = array(m,
                             call,
                             Shape::of({m.to_dim(call.arg("num"))}),
                             dtype_argument(m, call.arg("dtype"), k_float64),
                             joined(start.interval, stop.interval));
  if (!start.interval.is_known() || !stop.interval.is_known()) {
    made->interval = Interval::top();
  }
  if (m.to_bool(call.arg("retstep")) == true) {
    return m.tuple({made, m.number(Interval::top())});
  }
  return made;
}

static Ref logspace(Machine& m, Call& call)
{
  return array(m, call, Shape::of({m.to_dim(call.arg("num"))}), k_float64);
}

// A row of it picked by a class index is that class in one-hot form.
static Ref eye(Machine& m, Call& call)
{
  const Dim rows = m.to_dim(call.arg("N"));
  const Ref width = call.arg("M");
  const Dim columns = width == nullptr || m.is_none(width) ? rows : m.to_dim(width);
  Tensor* const made = array(m,
                             call,
                             Shape::of({rows, columns}),
                             dtype_argument(m, call.arg("dtype"), k_float64),
                             Interval::of(0, 1));
  made->encoding = Encoding::one_hot;
  made->classes = columns.constant().value_or(0);
  return made;
}

static Ref diag(Machine& m, Call& call)
{
  const Tensor& input = subject(m, call, "v");
  Shape shape = Shape::top();
  const bool main = m.to_int(call.arg("k")) == 0;
  if (input.shape.rank() == 1) {
    const Dim n = main ? input.shape.at(0) : Dim::top();
    shape = Shape::of({n, n});
  } else if (input.shape.rank() == 2) {
    const Dim rows = input.shape.at(0);
    shape = Shape::of({main && rows == input.shape.at(1) ? rows : Dim::top()});
  }
  Tensor* const made = array(m, call, shape, input.dtype, input.interval);
  made->interval.join(Interval::point(0));
  return made;
}

static Ref triangle(Machine& m, Call& call)
{
  const Tensor& input = subject(m, call, "m");
  Tensor* const made = array(m, call, input.shape, input.dtype, input.interval);
  if (made->interval.is_known()) {
    made->interval.join(Interval::point(0));
  }
  return made;
}

static Ref tri(Machine& m, Call& call)
{
  const Dim rows = m.to_dim(call.arg("N"));
  const Ref width = call.arg("M");
  return array(m,
               call,
               Shape::of({rows, m.is_none(width) ? rows : m.to_dim(width)}),
               dtype_argument(m, call.arg("dtype"), k_float64),
               Interval::of(0, 1));
}

static Ref mesh(Machine& m, Call& call)
{
  std::vector<Dim> sizes;
  std::vector<const Tensor*> axes;
  for (const Ref value : positional(call)) {
    axes.push_back(&to_array(m, value));
    sizes.push_back(axes.back()->shape.elements());
  }
  const Argument* const indexing = call.argument("indexing");
  const bool swapped = indexing == nullptr || m.to_string(indexing->value) != "ij";
  if (swapped && sizes.size() >= 2) {
    std::swap(sizes[0], sizes[1]);
  }
  std::vector<Ref> grids;
  for (const Tensor* axis : axes) {
    grids.push_back(array(m, call, Shape::of(sizes), axis->dtype, axis->interval));
  }
  return m.list(std::move(grids));
}

// A table in a text file: two axes if a delimiter says that there are columns.
static Ref text_table(Machine& m, Call& call)
{
  Shape shape = Shape::top();
  const Ref columns = call.arg("usecols");
  const auto wanted = m.to_dims(columns);
  if (const auto* several = as<Sequence>(columns); several != nullptr && wanted) {
    shape = Shape::of({m.fresh_symbol(), several->length()});
  } else if (m.to_int(columns)) {
    shape = Shape::of({m.fresh_symbol()});
  } else if (call.given("delimiter") != nullptr && !m.is_none(call.arg("delimiter"))) {
    shape = Shape::of({m.fresh_symbol(), m.fresh_symbol()});
  }
  const Argument* const names = call.argument("names");
  const bool structured = names != nullptr && !m.is_none(names->value);
  if (structured || m.to_bool(call.arg("unpack")) == true) {
    shape = Shape::top();
  }
  // dtype=None lets NumPy find out: the type is not known then.
  const Argument* const dtype = call.given("dtype");
  const DType type = dtype == nullptr ? k_float64 : dtype_argument(m, dtype->value, DType());
  return array(m, call, shape, type);
}

static Ref from_bytes(Machine& m, Call& call)
{
  const DType dtype = dtype_argument(m, call.arg("dtype"), k_float64);
  return array(m, call, Shape::of({m.fresh_symbol()}), dtype, range_of(dtype));
}

static Ref from_iterator(Machine& m, Call& call)
{
  const auto count = m.to_int(call.arg("count"));
  const Dim length = count && *count >= 0 ? Dim::constant(*count) : m.fresh_symbol();
  return array(m, call, Shape::of({length}), dtype_argument(m, call.arg("dtype"), DType()));
}

static Ref from_function(Machine& m, Call& call)
{
  return array(m, call, shape_argument(m, call.arg("shape")));
}

// An array, or an archive of arrays by name: not known which.
static Ref load(Machine& m, Call&)
{
  return m.unknown();
}

static Ref same_value(Machine& m, Call& call)
{
  Tensor* const made = array_like(m, call, subject(m, call));
  return made;
}

static constexpr std::string_view k_object = "object, dtype=None, **kwargs";
static constexpr std::string_view k_shape = "shape, dtype=None, order='C', **kwargs";
static constexpr std::string_view k_like = "a, dtype=None, order='K', subok=True, shape=None";
static constexpr std::string_view k_table = "fname, dtype=None, comments='#', delimiter=None, "
                                            "converters=None, skiprows=0, usecols=None, "
                                            "unpack=False, ndmin=0, **kwargs";
static constexpr std::string_view k_gen_table =
    "fname, dtype=None, comments='#', delimiter=None, skip_header=0, skip_footer=0, "
    "converters=None, missing_values=None, filling_values=None, usecols=None, names=None, "
    "unpack=False, **kwargs";

static constexpr Api k_rows[] = {
    {"numpy.array", k_object, Role::function, "from_array", 0, from_value},
    {"numpy.asarray", k_object, Role::function, "from_array", 0, from_value},
    {"numpy.asanyarray", k_object, Role::function, "from_array", 0, from_value},
    {"numpy.ascontiguousarray", k_object, Role::function, "from_array", 0, from_value},
    {"numpy.asfortranarray", k_object, Role::function, "from_array", 0, from_value},
    {"numpy.asarray_chkfinite", k_object, Role::function, "from_array", 0, from_value},
    {"numpy.matrix", k_object, Role::function, "from_array", 0, from_value},
    {"numpy.mat", k_object, Role::function, "from_array", 0, from_value},
    {"numpy.zeros", k_shape, Role::function, "zeros", k_source, zeros},
    {"numpy.ones", k_shape, Role::function, "ones", k_source, ones},
    {"numpy.empty", k_shape, Role::function, {}, k_source, empty},
    {"numpy.ndarray", k_shape, Role::object, {}, k_source, empty},
    {"numpy.full",
     "shape, fill_value, dtype=None, order='C'",
     Role::function,
     "full",
     k_source,
     full},
    {"numpy.zeros_like", k_like, Role::function, "zeros", 0, zeros_like},
    {"numpy.ones_like", k_like, Role::function, "ones", 0, ones_like},
    {"numpy.empty_like", k_like, Role::function, {}, 0, empty_like},
    {"numpy.full_like",
     "a, fill_value, dtype=None, order='K', subok=True, shape=None",
     Role::function,
     "full",
     0,
     full_like},
    {"numpy.arange",
     "start, stop=None, step=1, dtype=None",
     Role::function,
     "arange",
     k_source,
     arange},
    {"numpy.linspace",
     "start, stop, num=50, endpoint=True, retstep=False, dtype=None, axis=0",
     Role::function,
     "linspace",
     k_source,
     linspace},
    {"numpy.logspace",
     "start, stop, num=50, endpoint=True, base=10.0, dtype=None, axis=0",
     Role::function,
     {},
     k_source,
     logspace},
    {"numpy.geomspace",
     "start, stop, num=50, endpoint=True, dtype=None, axis=0",
     Role::function,
     {},
     k_source,
     logspace},
    {"numpy.eye", "N, M=None, k=0, dtype=None", Role::function, "eye", k_source, eye},
    {"numpy.identity", "N, dtype=None", Role::function, "eye", k_source, eye},
    {"numpy.diag", "v, k=0", Role::function, {}, 0, diag},
    {"numpy.diagonal", "v, k=0, axis1=0, axis2=1", Role::function, {}, 0, diag},
    {"numpy.tril", "m, k=0", Role::function, {}, 0, triangle},
    {"numpy.triu", "m, k=0", Role::function, {}, 0, triangle},
    {"numpy.tri", "N, M=None, k=0, dtype=None", Role::function, {}, k_source, tri},
    {"numpy.meshgrid", "*xi, copy=True, sparse=False, indexing='xy'", Role::function, {}, 0, mesh},
    {"numpy.loadtxt", k_table, Role::function, {}, k_source, text_table},
    {"numpy.genfromtxt", k_gen_table, Role::function, {}, k_source, text_table},
    {"numpy.recfromcsv", "fname, **kwargs", Role::function},
    {"numpy.frombuffer",
     "buffer, dtype=None, count=-1, offset=0",
     Role::function,
     {},
     k_source,
     from_bytes},
    {"numpy.fromfile",
     "file, dtype=None, count=-1, sep='', offset=0",
     Role::function,
     {},
     k_source,
     from_bytes},
    {"numpy.fromstring",
     "string, dtype=None, count=-1, sep=''",
     Role::function,
     {},
     k_source,
     from_bytes},
    {"numpy.fromiter", "iter, dtype, count=-1", Role::function, {}, 0, from_iterator},
    {"numpy.fromfunction", "function, shape, **kwargs", Role::function, {}, 0, from_function},
    {"numpy.load",
     "file, mmap_mode=None, allow_pickle=False, **kwargs",
     Role::function,
     {},
     k_source,
     load},
    {"numpy.memmap",
     "filename, dtype='uint8', mode='r+', offset=0, shape=None, order='C'",
     Role::function,
     {},
     k_source,
     empty},
    {"numpy.copy", "a, order='K'", Role::function, "identity", 0, same_value},
    {"numpy.save", "file, arr, **kwargs", Role::opaque},
    {"numpy.savez", "file, *args, **kwargs", Role::opaque},
    {"numpy.savez_compressed", "file, *args, **kwargs", Role::opaque},
    {"numpy.savetxt", "fname, X, **kwargs", Role::opaque},
    {"numpy.indices", "dimensions, dtype=int", Role::function},
};

std::span<const Api> numpy_arrays()
{
  return k_rows;
}

} // namespace faultline::program
