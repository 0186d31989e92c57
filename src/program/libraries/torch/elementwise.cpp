// Functions of one tensor, element by element, in all their spellings.

#include "base/format.hpp"
#include "program/libraries/shared/operators.hpp"
#include "program/libraries/torch/torch.hpp"
#include "program/names/tables.hpp"
#include "program/operations/intervals.hpp"

#include <deque>
#include <string>

namespace faultline::program {

namespace torch {

// softmax and its kin without `dim` take the axis that old versions of torch took.
static int64_t class_axis(Machine& machine, const Call& call, const Tensor& input)
{
  if (const auto dim = int_option(machine, call, {"dim", "axis"})) {
    return *dim;
  }
  const size_t rank = input.shape.rank().value_or(2);
  return rank == 0 || rank == 1 || rank == 3 ? 0 : 1;
}

static Ref softmax_like(Machine& machine, Call& call, const Tensor& input)
{
  const bool given = int_option(machine, call, {"dim", "axis"}).has_value();
  const int64_t axis = class_axis(machine, call, input);
  if (given) {
    if (const auto wrong = axis_out_of_range(input.shape, axis, short_name(call))) {
      const Argument* written = call.setting("dim");
      checked(machine, call, *wrong, written != nullptr ? written->span : call.span);
    }
  }
  const Dim classes = input.shape.at(axis);
  const bool logs = call.is("log_softmax");
  Tensor* made = result(machine,
                        call,
                        input,
                        input.shape,
                        logs ? log_softmax_interval(input.interval, classes)
                             : softmax_interval(input.interval, classes));
  made->encoding = logs ? Encoding::log_probability : Encoding::probability;
  made->classes = classes.constant().value_or(0);
  if (!input.dtype.is_floating()) {
    made->dtype = DType();
  }
  return made;
}

Ref activation(Machine& machine, Call& call)
{
  Tensor& input = input_of(machine, call);
  const std::string_view op = call.op();
  if (op == "softmax" || op == "log_softmax") {
    return softmax_like(machine, call, input);
  }
  Tensor* made = unary_operation(machine, call, op, input);
  made->library = Library::torch;
  if (op == "leaky_relu") {
    const auto slope = machine.to_double(option(call, {"negative_slope"}));
    made->interval = leaky_relu_interval(input.interval, slope.value_or(0.01));
  } else if (op == "sigmoid" || op == "hard_sigmoid") {
    made->encoding = Encoding::probability;
  } else if (op == "log_sigmoid") {
    made->encoding = Encoding::log_probability;
  }
  return made;
}

Ref keep(Machine& machine, Call& call)
{
  return machine.like(call, input_of(machine, call));
}

Ref dropout(Machine& machine, Call& call)
{
  const Tensor& input = input_of(machine, call);
  Tensor* made = machine.like(call, input);
  made->literal = nullptr;
  made->encoding = Encoding::unknown;
  const auto rate = machine.to_double(option(call, {"p"}));
  if (rate && *rate < 1) {
    const Interval scaled = input.interval.times(Interval::point(1 / (1 - *rate)));
    made->interval = joined(scaled, Interval::point(0));
  }
  return made;
}

Ref clamp(Machine& machine, Call& call)
{
  const Tensor& input = input_of(machine, call);
  std::optional<double> bounds[2];
  for (size_t i = 0; i < 2; ++i) {
    bounds[i] = machine.to_double(option(call, {i == 0 ? "min" : "max"}));
  }
  Tensor* made = machine.like(call, input);
  made->literal = nullptr;
  made->interval = input.interval.clipped(bounds[0], bounds[1]);
  if (made->encoding != Encoding::image && made->encoding != Encoding::probability) {
    made->encoding = Encoding::unknown;
  }
  return made;
}

static Ref glu(Machine& machine, Call& call)
{
  const Tensor& input = input_of(machine, call);
  const int64_t axis = int_option(machine, call, {"dim"}).value_or(-1);
  const Dim half = input.shape.at(axis).floor_div(2);
  return result(machine, call, input, input.shape.with(axis, half));
}

static Ref test_elements(Machine& machine, Call& call)
{
  const Tensor& input = input_of(machine, call);
  Tensor* made = result(machine, call, input, input.shape, Interval::of(0, 1));
  made->dtype = DType::Kind::boolean;
  made->encoding = Encoding::mask;
  return made;
}

} // namespace torch

namespace {

struct Spelling {
  std::string_view name;
  std::string_view op;
  uint32_t traits = 0;
  Transfer transfer = torch::activation;
};

// torch.x, Tensor.x and Tensor.x_.
constexpr Spelling k_functions[] = {
    {"abs", "abs"},
    {"absolute", "abs"},
    {"neg", "neg"},
    {"negative", "neg"},
    {"positive", "identity"},
    {"exp", "exp"},
    {"exp2", {}},
    {"expm1", "expm1"},
    {"log", "log"},
    {"log1p", "log1p"},
    {"log2", "log2"},
    {"log10", "log10"},
    {"sqrt", "sqrt"},
    {"rsqrt", "rsqrt"},
    {"square", "square"},
    {"reciprocal", "reciprocal"},
    {"sin", "sin"},
    {"cos", "cos"},
    {"tan", {}},
    {"asin", "asin"},
    {"arcsin", "asin"},
    {"acos", "acos"},
    {"arccos", "acos"},
    {"atan", {}},
    {"arctan", {}},
    {"sinh", "sinh"},
    {"cosh", "cosh"},
    {"asinh", {}},
    {"arcsinh", {}},
    {"acosh", "acosh"},
    {"arccosh", "acosh"},
    {"atanh", "atanh"},
    {"arctanh", "atanh"},
    {"sinc", {}},
    {"erf", "erf"},
    {"erfc", {}},
    {"erfinv", "erfinv"},
    {"lgamma", "lgamma"},
    {"digamma", "digamma"},
    {"i0", {}},
    {"logit", {}},
    {"deg2rad", {}},
    {"rad2deg", {}},
    {"frac", {}},
    {"nan_to_num", "identity"},
    {"floor", "floor", k_no_gradient},
    {"ceil", "ceil", k_no_gradient},
    {"round", "round", k_no_gradient},
    {"trunc", "round", k_no_gradient},
    {"fix", "round", k_no_gradient},
    {"sign", "sign", k_no_gradient},
    {"sgn", "sign", k_no_gradient},
    {"sigmoid", "sigmoid", k_activation},
    {"tanh", "tanh", k_activation},
    {"relu", "relu", k_activation},
    {"tril", {}, 0, torch::keep},
    {"triu", {}, 0, torch::keep},
    {"conj", "identity", 0, torch::keep},
    {"conj_physical", "identity", 0, torch::keep},
    {"logical_not", "logical_not", k_no_gradient, torch::test_elements},
    {"bitwise_not", "logical_not", k_no_gradient, torch::keep},
};

// torch.x and Tensor.x only.
constexpr Spelling k_tests[] = {
    {"isnan", "is_nan", k_no_gradient, torch::test_elements},
    {"isinf", "is_nan", k_no_gradient, torch::test_elements},
    {"isfinite", "is_nan", k_no_gradient, torch::test_elements},
    {"isneginf", "is_nan", k_no_gradient, torch::test_elements},
    {"isposinf", "is_nan", k_no_gradient, torch::test_elements},
    {"signbit", {}, k_no_gradient, torch::test_elements},
    {"angle", {}, 0},
};

struct Activation {
  std::string_view module;   // of torch.nn; empty if there is none
  std::string_view function; // of torch.nn.functional
  std::string_view op;
  std::string_view signature; // without the input
  uint32_t traits = 0;
  Transfer transfer = torch::activation;
};

constexpr Activation k_activations[] = {
    {"ReLU", "relu", "relu", "inplace=False"},
    {"ReLU6", "relu6", "relu6", "inplace=False"},
    {"ELU", "elu", "elu", "alpha=1.0, inplace=False"},
    {"SELU", "selu", "selu", "inplace=False"},
    {"CELU", "celu", "elu", "alpha=1.0, inplace=False"},
    {"LeakyReLU", "leaky_relu", "leaky_relu", "negative_slope=0.01, inplace=False"},
    {"RReLU", "rrelu", "leaky_relu", "lower=0.125, upper=0.3333, inplace=False"},
    {"GELU", "gelu", "gelu", "approximate='none'"},
    {"SiLU", "silu", "swish", "inplace=False"},
    {"Mish", "mish", "mish", "inplace=False"},
    {"Softplus", "softplus", "softplus", "beta=1, threshold=20"},
    {"Softsign", "softsign", "softsign", ""},
    {"Softshrink", "softshrink", {}, "lambd=0.5"},
    {"Hardshrink", "hardshrink", {}, "lambd=0.5"},
    {"Tanhshrink", "tanhshrink", {}, ""},
    {"Hardtanh", "hardtanh", "hard_tanh", "min_val=-1.0, max_val=1.0, inplace=False"},
    {"Hardswish", "hardswish", "hard_swish", "inplace=False"},
    {"Hardsigmoid", "hardsigmoid", "hard_sigmoid", "inplace=False"},
    {"Sigmoid", "sigmoid", "sigmoid", ""},
    {"Tanh", "tanh", "tanh", ""},
    {"LogSigmoid", "logsigmoid", "log_sigmoid", ""},
    {"Threshold", "threshold", {}, "threshold, value, inplace=False"},
    {"GLU", "glu", {}, "dim=-1", 0, torch::glu},
    {"Softmax", "softmax", "softmax", "dim=None, dtype=None"},
    {"Softmin", "softmin", "softmax", "dim=None, dtype=None"},
    {"LogSoftmax", "log_softmax", "log_softmax", "dim=None, dtype=None"},
    {"Softmax2d", {}, "softmax", "dim=1"},
    {{}, "gumbel_softmax", "softmax", "tau=1, hard=False, eps=1e-10, dim=-1", k_random},
};

std::vector<Api> make_rows()
{
  static std::deque<std::string> names;
  const auto keep_name = [](std::string name) -> std::string_view {
    return names.emplace_back(std::move(name));
  };
  std::vector<Api> rows;
  const auto add_spellings = [&](const Spelling& one, bool in_place) {
    const uint32_t traits = one.traits | k_elementwise;
    rows.push_back({keep_name(format("torch.{}", one.name)),
                    "input, *, out=None",
                    Role::function,
                    one.op,
                    traits,
                    one.transfer});
    rows.push_back({keep_name(format("torch.Tensor.{}", one.name)),
                    "**kwargs",
                    Role::method,
                    one.op,
                    traits,
                    one.transfer});
    if (in_place) {
      rows.push_back({keep_name(format("torch.Tensor.{}_", one.name)),
                      "**kwargs",
                      Role::method,
                      one.op,
                      traits | k_in_place,
                      one.transfer});
    }
  };
  for (const Spelling& one : k_functions) {
    add_spellings(one, true);
  }
  for (const Spelling& one : k_tests) {
    add_spellings(one, false);
  }
  for (const Activation& one : k_activations) {
    const uint32_t traits = one.traits | k_elementwise | k_activation;
    if (!one.module.empty()) {
      rows.push_back({keep_name(format("torch.nn.{}", one.module)),
                      one.signature,
                      Role::layer,
                      one.op,
                      traits,
                      one.transfer});
    }
    if (!one.function.empty()) {
      rows.push_back({keep_name(format("torch.nn.functional.{}", one.function)),
                      keep_name(format("input, {}", one.signature)),
                      Role::function,
                      one.op,
                      traits,
                      one.transfer});
    }
    if (one.signature.ends_with("inplace=False")) {
      rows.push_back({keep_name(format("torch.nn.functional.{}_", one.function)),
                      keep_name(format("input, {}", one.signature)),
                      Role::function,
                      one.op,
                      traits | k_in_place,
                      one.transfer});
    }
  }
  return rows;
}

} // namespace

std::span<const Api> torch_elementwise()
{
  static const std::vector<Api> k_generated = make_rows();
  return k_generated;
}

std::span<const Api> torch_bounded()
{
  using namespace torch;
  constexpr Role f = Role::function;
  constexpr Role m = Role::method;
  constexpr uint32_t k_soft = k_elementwise | k_activation;
  constexpr uint32_t k_same = k_elementwise;
  static constexpr Api k_rows[] = {
      {"torch.softmax", "input, dim, dtype=None", f, "softmax", k_soft, activation},
      {"torch.log_softmax", "input, dim, dtype=None", f, "log_softmax", k_soft, activation},
      {"torch.Tensor.softmax", "dim, dtype=None", m, "softmax", k_soft, activation},
      {"torch.Tensor.log_softmax", "dim, dtype=None", m, "log_softmax", k_soft, activation},
      {"torch.selu", "input", f, "selu", k_soft, activation},
      {"torch.celu", "input, alpha=1.0", f, "elu", k_soft, activation},
      {"torch.rrelu", "input, lower=0.125, upper=0.3333", f, "leaky_relu", k_soft, activation},
      {"torch.prelu", "input, weight", f, "prelu", k_soft, activation},
      {"torch.nn.functional.prelu", "input, weight", f, "prelu", k_soft, activation},
      {"torch.nn.PReLU",
       "num_parameters=1, init=0.25, device=None, dtype=None",
       Role::layer,
       "prelu",
       k_soft | k_learning,
       activation},
      {"torch.clamp", "input, min=None, max=None, *, out=None", f, "clip", k_same, clamp},
      {"torch.clip", "input, min=None, max=None, *, out=None", f, "clip", k_same, clamp},
      {"torch.clamp_min", "input, min", f, "clip", k_same, clamp},
      {"torch.clamp_max", "input, max", f, "clip", k_same, clamp},
      {"torch.Tensor.clamp", "min=None, max=None", m, "clip", k_same, clamp},
      {"torch.Tensor.clip", "min=None, max=None", m, "clip", k_same, clamp},
      {"torch.Tensor.clamp_min", "min", m, "clip", k_same, clamp},
      {"torch.Tensor.clamp_max", "max", m, "clip", k_same, clamp},
      {"torch.Tensor.clamp_", "min=None, max=None", m, "clip", k_same | k_in_place, clamp},
      {"torch.Tensor.clip_", "min=None, max=None", m, "clip", k_same | k_in_place, clamp},
      {"torch.Tensor.clamp_min_", "min", m, "clip", k_same | k_in_place, clamp},
      {"torch.Tensor.clamp_max_", "max", m, "clip", k_same | k_in_place, clamp},
  };
  return k_rows;
}

} // namespace faultline::program
