// Tensors made from nothing, from Python's numbers and from arrays.

#include "base/format.hpp"
#include "program/libraries/shared/reading.hpp"
#include "program/libraries/torch/torch.hpp"
#include "program/names/tables.hpp"
#include "program/operations/intervals.hpp"
#include "program/values/walk.hpp"

#include <cmath>

namespace faultline::program {

namespace torch {

namespace {

// Type, device and gradient as the keywords say; on the CPU unless told otherwise.
Tensor* created(Machine& machine, Call& call, Shape shape, DType dtype, Interval interval)
{
  Tensor* made = machine.tensor(call, std::move(shape), dtype, interval);
  made->library = Library::torch;
  made->leaf = Truth::yes;
  made->contiguous = Truth::yes;
  made->requires_grad = Truth::no;
  made->device = Device::cpu();
  if (const Ref type = option(call, {"dtype"}); type != nullptr && !machine.is_none(type)) {
    made->dtype = machine.to_dtype(type).value_or(DType());
  }
  if (const Ref device = option(call, {"device"}); device != nullptr && !machine.is_none(device)) {
    made->device = machine.to_device(device).value_or(Device::top());
  }
  if (const Ref wanted = option(call, {"requires_grad"}); wanted != nullptr) {
    const auto known = machine.truthiness(wanted);
    made->requires_grad = !known ? Truth::unknown : *known ? Truth::yes : Truth::no;
  }
  if (made->requires_grad == Truth::yes && made->dtype.is_integer()) {
    machine.problem(ProblemKind::integer_gradient,
                    call.span,
                    format("a tensor of type {} cannot require a gradient", made->dtype.text()),
                    &call);
  }
  return made;
}

Interval interval_of(Machine& machine, const Call& call)
{
  const std::string_view op = call.op();
  if (op == "zeros" || op == "ones") {
    return Interval::point(op == "ones" ? 1 : 0);
  }
  if (op == "full") {
    return machine.to_interval(option(call, {"fill_value"}));
  }
  if (op == "random_uniform") {
    return Interval::of(0, 1);
  }
  // Six standard deviations: what occurs.
  return op == "random_normal" ? Interval::of(-6, 6) : Interval::top();
}

bool holds_tensor(Ref value)
{
  return walk(value, false, [](Ref one, auto& into) {
    if (const auto* list = as<Sequence>(one)) {
      for (const Ref item : list->items) {
        if (into(item)) {
          return true;
        }
      }
    }
    return as<Tensor>(one) != nullptr;
  });
}

struct Legacy {
  std::string_view name;
  DType::Kind kind;
};
constexpr Legacy k_legacy[] = {
    {"FloatTensor", DType::Kind::float32},
    {"DoubleTensor", DType::Kind::float64},
    {"HalfTensor", DType::Kind::float16},
    {"BFloat16Tensor", DType::Kind::bfloat16},
    {"LongTensor", DType::Kind::int64},
    {"IntTensor", DType::Kind::int32},
    {"ShortTensor", DType::Kind::int16},
    {"CharTensor", DType::Kind::int8},
    {"ByteTensor", DType::Kind::uint8},
    {"BoolTensor", DType::Kind::boolean},
    {"Tensor", DType::Kind::float32},
};

} // namespace

// "torch.LongTensor", "torch.cuda.FloatTensor".
std::optional<DType> legacy_type(std::string_view name)
{
  const std::string_view last = name.substr(name.rfind('.') + 1);
  for (const Legacy& one : k_legacy) {
    if (one.name == last) {
      return DType(one.kind);
    }
  }
  return std::nullopt;
}

static Ref filled(Machine& machine, Call& call)
{
  const auto dims = sizes(machine, call, "size");
  DType dtype = DType::Kind::float32;
  if (call.is("full")) {
    const Ref value = option(call, {"fill_value"});
    dtype = value != nullptr && is_integral(value) ? DType::Kind::int64
            : value != nullptr && is_number(value) ? DType::Kind::float32
                                                   : DType::Kind::unknown;
  }
  return created(
      machine, call, dims ? Shape::of(*dims) : Shape::top(), dtype, interval_of(machine, call));
}

static Ref filled_like(Machine& machine, Call& call)
{
  const Tensor& input = input_of(machine, call);
  Tensor* made = created(machine, call, input.shape, input.dtype, interval_of(machine, call));
  if (machine.is_none(option(call, {"device"}))) {
    made->device = input.device;
  }
  return made;
}

// x.new_zeros(2, 3): like x in type and device.
static Ref new_filled(Machine& machine, Call& call)
{
  const Tensor& input = input_of(machine, call);
  const auto dims = sizes(machine, call, "size");
  Tensor* made = created(machine,
                         call,
                         dims ? Shape::of(*dims) : Shape::top(),
                         input.dtype,
                         interval_of(machine, call));
  if (const Ref device = option(call, {"device"}); device == nullptr || machine.is_none(device)) {
    made->device = input.device;
  }
  return made;
}

// From Python's numbers, which are 32 bits wide by default, or from an array, which keeps its type.
static Ref from_data(Machine& machine, Call& call)
{
  const Ref data = operand_value(call, call.self != nullptr ? 1 : 0, "data");
  Tensor& values = as_tensor(machine, data);
  DType dtype = values.dtype;
  if (!holds_tensor(data) && dtype == DType(DType::Kind::float64)) {
    dtype = DType::Kind::float32;
  }
  Tensor* made = created(machine, call, values.shape, dtype, values.interval);
  made->encoding = values.encoding;
  made->classes = values.classes;
  made->source = values.source;
  made->literal = values.literal;
  if (as<Tensor>(data) != nullptr && values.library == Library::torch &&
      machine.is_none(option(call, {"device"}))) {
    made->device = values.device;
  }
  return made;
}

// Sizes, or data: torch.FloatTensor(2, 3), torch.FloatTensor([1, 2]).
static Ref legacy(Machine& machine, Call& call)
{
  const DType dtype = legacy_type(call.name).value_or(DType(DType::Kind::float32));
  const auto dims = sizes(machine, call, "data");
  const bool by_size =
      !call.surplus.empty() && (is_number(call.surplus.front().value) || call.surplus.size() > 1);
  const auto* first = call.surplus.empty() ? nullptr : as<Sequence>(call.surplus.front().value);
  bool symbolic = false; // x.size() is a tuple of sizes, not of data
  if (first != nullptr) {
    for (const Ref item : first->items) {
      symbolic = symbolic || item->kind == Kind::number;
    }
  }
  Tensor* made = nullptr;
  if (call.surplus.empty()) {
    made = created(machine, call, Shape::constants({0}), dtype, Interval::top());
  } else if (by_size || symbolic) {
    made = created(machine, call, dims ? Shape::of(*dims) : Shape::top(), dtype, Interval::top());
  } else {
    Tensor& values = as_tensor(machine, call.surplus.front().value);
    made = created(machine, call, values.shape, dtype, values.interval);
    made->encoding = values.encoding;
    made->classes = values.classes;
    made->source = values.source;
  }
  if (call.name.find(".cuda.") != std::string::npos) {
    made->device = Device::cuda();
  }
  return made;
}

static Ref from_numpy(Machine& machine, Call& call)
{
  const Tensor& array = as_tensor(machine, operand_value(call, 0));
  Tensor* made = machine.like(call, array);
  made->library = Library::torch;
  made->device = Device::cpu();
  made->leaf = Truth::yes;
  made->requires_grad = Truth::no;
  made->contiguous = Truth::unknown;
  return made;
}

static Ref parameter_of(Machine& machine, Call& call)
{
  const Ref data = operand_value(call, 0, "data");
  if (data == nullptr || machine.is_none(data)) {
    return parameter(machine, Shape::top());
  }
  Tensor* made = machine.like(call, as_tensor(machine, data));
  made->library = Library::torch;
  made->leaf = Truth::yes;
  const auto wanted = machine.truthiness(option(call, {"requires_grad"}));
  made->requires_grad = !wanted ? Truth::unknown : *wanted ? Truth::yes : Truth::no;
  if (made->requires_grad == Truth::yes) {
    made->interval = Interval::reals(); // whatever training makes of it
    made->literal = nullptr;
    if (made->dtype.is_integer()) {
      machine.problem(ProblemKind::integer_gradient,
                      call.span,
                      format("a tensor of type {} cannot require a gradient", made->dtype.text()),
                      &call);
    }
  }
  return made;
}

static Ref variable(Machine& machine, Call& call)
{
  Tensor* made = machine.like(call, as_tensor(machine, operand_value(call, 0, "data")));
  made->library = Library::torch;
  if (machine.truthiness(option(call, {"requires_grad"})).value_or(false)) {
    made->requires_grad = Truth::yes;
    made->leaf = Truth::yes;
  }
  return made;
}

static Ref arange(Machine& machine, Call& call)
{
  const std::vector<Ref> numbers = positional(call);
  const auto named = [&](std::string_view name) {
    const Argument* found = call.keyword(name);
    return found != nullptr ? found->value : nullptr;
  };
  const Ref start = numbers.size() >= 2 ? numbers[0] : named("start");
  const Ref end = numbers.size() >= 2   ? numbers[1]
                  : numbers.size() == 1 ? numbers[0]
                                        : named("end");
  const Ref step = numbers.size() >= 3 ? numbers[2] : named("step");
  const double from = start != nullptr ? machine.to_double(start).value_or(NAN) : 0;
  const double by = step != nullptr ? machine.to_double(step).value_or(NAN) : 1;
  const auto to = end != nullptr ? machine.to_double(end) : std::nullopt;
  Dim count = Dim::top();
  Interval interval = Interval::top();
  const double steps = to ? std::ceil((*to - from) / by) : NAN;
  if (fits_integer(steps)) {
    count = Dim::constant(std::max<int64_t>(0, static_cast<int64_t>(steps)));
    const double last = from + by * (static_cast<double>(*count.constant()) - 1);
    interval = Interval::of(std::min(from, last), std::max(from, last));
  } else if (end != nullptr && from == 0 && by == 1) {
    count = machine.to_dim(end);
  }
  bool whole = true;
  for (const Ref number : {start, end, step}) {
    whole = whole && (number == nullptr || is_integral(number));
  }
  return created(machine,
                 call,
                 Shape::of({count}),
                 whole ? DType::Kind::int64 : DType::Kind::float32,
                 interval);
}

static Ref linspace(Machine& machine, Call& call)
{
  Interval interval = machine.to_interval(option(call, {"start"}));
  interval.join(machine.to_interval(option(call, {"end"})));
  return created(machine,
                 call,
                 Shape::of({machine.to_dim(option(call, {"steps"}))}),
                 DType::Kind::float32,
                 call.is("linspace") ? interval : Interval::top());
}

static Ref eye(Machine& machine, Call& call)
{
  const Dim n = machine.to_dim(option(call, {"n"}));
  const Ref columns = option(call, {"m"});
  const Dim m = columns == nullptr || machine.is_none(columns) ? n : machine.to_dim(columns);
  return created(machine, call, Shape::of({n, m}), DType::Kind::float32, Interval::of(0, 1));
}

// torch.randint(high, size) and torch.randint(low, high, size).
static Ref randint(Machine& machine, Call& call)
{
  std::vector<Ref> numbers;
  Ref size = nullptr;
  for (const Argument& argument : call.surplus) {
    if (argument.name == "low" || argument.name == "high" ||
        (argument.name.empty() && as<Sequence>(argument.value) == nullptr)) {
      numbers.push_back(argument.value);
    } else if (argument.name == "size" || argument.name.empty()) {
      size = argument.value;
    }
  }
  const double low = numbers.size() >= 2 ? machine.to_double(numbers[0]).value_or(NAN) : 0;
  const auto high =
      numbers.empty() ? std::nullopt : machine.to_double(numbers[numbers.size() >= 2 ? 1 : 0]);
  const auto dims = machine.to_dims(size);
  return created(machine,
                 call,
                 dims ? Shape::of(*dims) : Shape::top(),
                 DType::Kind::int64,
                 high && !std::isnan(low) ? Interval::of(low, *high - 1) : Interval::top());
}

static Ref randint_like(Machine& machine, Call& call)
{
  const Tensor& input = input_of(machine, call);
  Tensor* made = created(machine, call, input.shape, input.dtype, Interval::top());
  made->device = input.device;
  return made;
}

static Ref randperm(Machine& machine, Call& call)
{
  const Dim n = machine.to_dim(option(call, {"n"}));
  const auto count = n.constant();
  return created(machine,
                 call,
                 Shape::of({n}),
                 DType::Kind::int64,
                 count && *count > 0 ? Interval::of(0, static_cast<double>(*count - 1))
                                     : Interval::top());
}

static Ref normal(Machine& machine, Call& call)
{
  const Ref size = option(call, {"size"});
  Shape shape = Shape::top();
  if (size != nullptr && !machine.is_none(size)) {
    const auto dims = machine.to_dims(size);
    shape = dims ? Shape::of(*dims) : Shape::top();
  } else {
    for (const std::string_view name : {"mean", "std"}) {
      if (const auto* tensor = as<Tensor>(option(call, {name}))) {
        shape = better_known(tensor->shape, shape);
      }
    }
  }
  const Interval spread = machine.to_interval(option(call, {"std"})).times(Interval::of(-6, 6));
  return created(machine,
                 call,
                 shape,
                 DType::Kind::float32,
                 machine.to_interval(option(call, {"mean"})).plus(spread));
}

static Ref bernoulli(Machine& machine, Call& call)
{
  const Tensor& input = input_of(machine, call);
  return result(machine, call, input, input.shape, Interval::of(0, 1));
}

static Ref multinomial(Machine& machine, Call& call)
{
  const Tensor& input = input_of(machine, call);
  Tensor* made = result(machine,
                        call,
                        input,
                        input.shape.has_rank()
                            ? input.shape.with(-1, machine.to_dim(option(call, {"num_samples"})))
                            : Shape::top(),
                        interval_reduced("argmax", input.interval, input.shape.at(-1)));
  made->dtype = DType::Kind::int64;
  made->requires_grad = Truth::no;
  return made;
}

static Ref sparse(Machine& machine, Call& call)
{
  const auto dims = machine.to_dims(option(call, {"size"}));
  Tensor* made =
      created(machine, call, dims ? Shape::of(*dims) : Shape::top(), {}, Interval::top());
  made->contiguous = Truth::unknown;
  return made;
}

static Ref index_pairs(Machine& machine, Call& call)
{
  return created(machine,
                 call,
                 Shape::of({Dim::constant(2), Dim::top()}),
                 DType::Kind::int64,
                 Interval::top());
}

static Ref window(Machine& machine, Call& call)
{
  return created(machine,
                 call,
                 Shape::of({machine.to_dim(operand_value(call, 0))}),
                 DType::Kind::float32,
                 Interval::of(0, 1));
}

static Ref complex_of(Machine& machine, Call& call)
{
  const Tensor& a = input_of(machine, call);
  Tensor* made = result(machine, call, a, a.shape);
  made->dtype = a.dtype == DType(DType::Kind::float32) ? DType(DType::Kind::complex64) : DType();
  return made;
}

static Ref view_complex(Machine& machine, Call& call)
{
  const Tensor& input = input_of(machine, call);
  const auto rank = input.shape.rank();
  const bool to_complex = short_name(call) == "view_as_complex";
  Shape shape = Shape::top();
  if (rank) {
    shape = to_complex ? input.shape.without(*rank == 0 ? 0 : *rank - 1)
                       : input.shape.inserted(*rank, Dim::constant(2));
  }
  Tensor* made = moved(machine, call, input, shape);
  made->dtype = DType();
  made->interval = Interval::top();
  return made;
}

static Ref spectrum(Machine& machine, Call& call)
{
  const Tensor& input = input_of(machine, call);
  Tensor* made =
      result(machine,
             call,
             input,
             input.shape.has_rank() ? Shape::of_rank(*input.shape.rank()) : Shape::top());
  made->dtype = DType();
  return made;
}

} // namespace torch

std::span<const Api> torch_create()
{
  using namespace torch;
  constexpr Role f = Role::function;
  constexpr Role m = Role::method;
  constexpr uint32_t k_new = k_source;
  constexpr uint32_t k_drawn = k_source | k_random;
#define FL_KEYWORDS "dtype=None, layout=None, device=None, requires_grad=False, pin_memory=False"
  static constexpr Api k_rows[] = {
      {"torch.zeros", "*size, out=None, " FL_KEYWORDS, f, "zeros", k_new, filled},
      {"torch.ones", "*size, out=None, " FL_KEYWORDS, f, "ones", k_new, filled},
      {"torch.empty", "*size, out=None, memory_format=None, " FL_KEYWORDS, f, {}, k_new, filled},
      {"torch.rand", "*size, generator=None, " FL_KEYWORDS, f, "random_uniform", k_drawn, filled},
      {"torch.randn", "*size, generator=None, " FL_KEYWORDS, f, "random_normal", k_drawn, filled},
      {"torch.full", "size, fill_value, *, out=None, " FL_KEYWORDS, f, "full", k_new, filled},
      {"torch.zeros_like",
       "input, *, memory_format=None, " FL_KEYWORDS,
       f,
       "zeros",
       k_new,
       filled_like},
      {"torch.ones_like",
       "input, *, memory_format=None, " FL_KEYWORDS,
       f,
       "ones",
       k_new,
       filled_like},
      {"torch.empty_like", "input, *, memory_format=None, " FL_KEYWORDS, f, {}, k_new, filled_like},
      {"torch.full_like", "input, fill_value, *, " FL_KEYWORDS, f, "full", k_new, filled_like},
      {"torch.rand_like", "input, *, " FL_KEYWORDS, f, "random_uniform", k_drawn, filled_like},
      {"torch.randn_like", "input, *, " FL_KEYWORDS, f, "random_normal", k_drawn, filled_like},
      {"torch.randint_like",
       "input, low=0, high=None, *, " FL_KEYWORDS,
       f,
       "random_int",
       k_drawn,
       randint_like},
      {"torch.Tensor.new_zeros", "*size, " FL_KEYWORDS, m, "zeros", k_new, new_filled},
      {"torch.Tensor.new_ones", "*size, " FL_KEYWORDS, m, "ones", k_new, new_filled},
      {"torch.Tensor.new_empty", "*size, " FL_KEYWORDS, m, {}, k_new, new_filled},
      {"torch.Tensor.new_full", "size, fill_value, " FL_KEYWORDS, m, "full", k_new, new_filled},
      {"torch.Tensor.new", "*size", m, {}, k_new, new_filled},
      {"torch.Tensor.new_tensor", "data, " FL_KEYWORDS, m, "constant", k_new, from_data},
      {"torch.tensor", "data, *, " FL_KEYWORDS, f, "constant", k_new, from_data},
      {"torch.as_tensor", "data, dtype=None, device=None", f, "from_array", k_new, from_data},
      {"torch.asarray", "data, *, " FL_KEYWORDS, f, "from_array", k_new, from_data},
      {"torch.scalar_tensor", "data, *, " FL_KEYWORDS, f, "constant", k_new, from_data},
      {"torch.from_numpy", "ndarray", f, "from_array", k_new, from_numpy},
      {"torch.from_dlpack", "ext_tensor", f, "from_array", k_new},
      {"torch.frombuffer", "buffer, *, dtype", f, "from_array", k_new},
      {"torch.Tensor", "*data, device=None", Role::object, "from_array", k_new, legacy},
      {"torch.FloatTensor", "*data", Role::object, "from_array", k_new, legacy, "torch.Tensor"},
      {"torch.DoubleTensor", "*data", Role::object, "from_array", k_new, legacy, "torch.Tensor"},
      {"torch.HalfTensor", "*data", Role::object, "from_array", k_new, legacy, "torch.Tensor"},
      {"torch.LongTensor", "*data", Role::object, "from_array", k_new, legacy, "torch.Tensor"},
      {"torch.IntTensor", "*data", Role::object, "from_array", k_new, legacy, "torch.Tensor"},
      {"torch.ShortTensor", "*data", Role::object, "from_array", k_new, legacy, "torch.Tensor"},
      {"torch.CharTensor", "*data", Role::object, "from_array", k_new, legacy, "torch.Tensor"},
      {"torch.ByteTensor", "*data", Role::object, "from_array", k_new, legacy, "torch.Tensor"},
      {"torch.BoolTensor", "*data", Role::object, "from_array", k_new, legacy, "torch.Tensor"},
      {"torch.cuda.FloatTensor",
       "*data",
       Role::object,
       "from_array",
       k_new,
       legacy,
       "torch.Tensor"},
      {"torch.cuda.DoubleTensor",
       "*data",
       Role::object,
       "from_array",
       k_new,
       legacy,
       "torch.Tensor"},
      {"torch.cuda.HalfTensor", "*data", Role::object, "from_array", k_new, legacy, "torch.Tensor"},
      {"torch.cuda.LongTensor", "*data", Role::object, "from_array", k_new, legacy, "torch.Tensor"},
      {"torch.cuda.IntTensor", "*data", Role::object, "from_array", k_new, legacy, "torch.Tensor"},
      {"torch.cuda.ByteTensor", "*data", Role::object, "from_array", k_new, legacy, "torch.Tensor"},
      {"torch.cuda.BoolTensor", "*data", Role::object, "from_array", k_new, legacy, "torch.Tensor"},
      {"torch.nn.Parameter",
       "data=None, requires_grad=True",
       Role::object,
       "parameter",
       k_new,
       parameter_of,
       "torch.Tensor"},
      {"torch.nn.UninitializedParameter",
       "requires_grad=True",
       Role::object,
       "parameter",
       k_new,
       parameter_of,
       "torch.Tensor"},
      {"torch.autograd.Variable",
       "data=None, requires_grad=False, volatile=False",
       Role::object,
       "identity",
       k_reshaping,
       variable,
       "torch.Tensor"},
      {"torch.arange", "*numbers, out=None, " FL_KEYWORDS, f, "arange", k_new, arange},
      {"torch.range", "*numbers, out=None, " FL_KEYWORDS, f, {}, k_new},
      {"torch.linspace", "start, end, steps=100, *, " FL_KEYWORDS, f, "linspace", k_new, linspace},
      {"torch.logspace",
       "start, end, steps=100, base=10.0, *, " FL_KEYWORDS,
       f,
       {},
       k_new,
       linspace},
      {"torch.eye", "n, m=None, *, " FL_KEYWORDS, f, "eye", k_new, eye},
      {"torch.randint",
       "*numbers, generator=None, " FL_KEYWORDS,
       f,
       "random_int",
       k_drawn,
       randint},
      {"torch.randperm", "n, *, generator=None, " FL_KEYWORDS, f, "random_int", k_drawn, randperm},
      {"torch.normal",
       "mean=0.0, std=1.0, size=None, *, generator=None, " FL_KEYWORDS,
       f,
       "random_normal",
       k_drawn,
       normal},
      {"torch.bernoulli", "input, *, generator=None", f, {}, k_random | k_no_gradient, bernoulli},
      {"torch.Tensor.bernoulli", "p=None", m, {}, k_random | k_no_gradient, bernoulli},
      {"torch.poisson", "input", f, {}, k_random | k_no_gradient},
      {"torch.multinomial",
       "input, num_samples, replacement=False, *, generator=None",
       f,
       {},
       k_random | k_no_gradient,
       multinomial},
      {"torch.Tensor.multinomial",
       "num_samples, replacement=False",
       m,
       {},
       k_random | k_no_gradient,
       multinomial},
      {"torch.sparse_coo_tensor",
       "indices, values, size=None, *, " FL_KEYWORDS,
       f,
       {},
       k_new,
       sparse},
      {"torch.sparse.FloatTensor", "indices, values, size=None", f, {}, k_new, sparse},
      {"torch.sparse_csr_tensor",
       "crow_indices, col_indices, values, size=None, *, " FL_KEYWORDS,
       f,
       {},
       k_new,
       sparse},
      {"torch.tril_indices", "row, col, offset=0, *, " FL_KEYWORDS, f, {}, k_new, index_pairs},
      {"torch.triu_indices", "row, col, offset=0, *, " FL_KEYWORDS, f, {}, k_new, index_pairs},
      {"torch.hann_window", "window_length, periodic=True, *, " FL_KEYWORDS, f, {}, k_new, window},
      {"torch.hamming_window",
       "window_length, periodic=True, *, " FL_KEYWORDS,
       f,
       {},
       k_new,
       window},
      {"torch.bartlett_window",
       "window_length, periodic=True, *, " FL_KEYWORDS,
       f,
       {},
       k_new,
       window},
      {"torch.complex", "real, imag", f, {}, 0, complex_of},
      {"torch.polar", "abs, angle", f, {}, 0, complex_of},
      {"torch.view_as_complex", "input", f, {}, k_reshaping, view_complex},
      {"torch.view_as_real", "input", f, {}, k_reshaping, view_complex},
      {"torch.real", "input", f, {}, 0, spectrum},
      {"torch.imag", "input", f, {}, 0, spectrum},
      {"torch.stft", "input, n_fft, hop_length=None, win_length=None, window=None, **kwargs", f},
      {"torch.istft", "input, n_fft, hop_length=None, win_length=None, window=None, **kwargs", f},
      {"torch.fft.fft", "input, n=None, dim=-1, norm=None", f, {}, 0, spectrum},
      {"torch.fft.ifft", "input, n=None, dim=-1, norm=None", f, {}, 0, spectrum},
      {"torch.fft.rfft", "input, n=None, dim=-1, norm=None", f, {}, 0, spectrum},
      {"torch.fft.irfft", "input, n=None, dim=-1, norm=None", f, {}, 0, spectrum},
      {"torch.fft.fftn", "input, s=None, dim=None, norm=None", f, {}, 0, spectrum},
      {"torch.fft.ifftn", "input, s=None, dim=None, norm=None", f, {}, 0, spectrum},
      {"torch.fft.ifft2", "input, s=None, dim=(-2, -1), norm=None", f, {}, 0, spectrum},
      {"torch.fft.rfft2", "input, s=None, dim=(-2, -1), norm=None", f, {}, 0, spectrum},
      {"torch.fft.irfft2", "input, s=None, dim=(-2, -1), norm=None", f, {}, 0, spectrum},
      {"torch.fft.rfftn", "input, s=None, dim=None, norm=None", f, {}, 0, spectrum},
      {"torch.fft.irfftn", "input, s=None, dim=None, norm=None", f, {}, 0, spectrum},
      {"torch.fft.fftshift", "input, dim=None", f, {}, 0, keep},
      {"torch.fft.ifftshift", "input, dim=None", f, {}, 0, keep},
      {"torch.fft.fftfreq", "n, d=1.0, *, " FL_KEYWORDS, f, {}, k_new, window},
      {"torch.fft.rfftfreq", "n, d=1.0, *, " FL_KEYWORDS, f, {}, k_new},
  };
#undef FL_KEYWORDS
  return k_rows;
}

} // namespace faultline::program
