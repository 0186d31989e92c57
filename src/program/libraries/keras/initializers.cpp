// Keras initializers, regularizers and constraints. Lower-case rows are the strings that layers
// take.

#include "program/libraries/keras/keras.hpp"
#include "program/names/tables.hpp"

namespace faultline::program {

namespace {

// Calling an initializer makes a tensor of the wanted shape.
Ref initial_values(Machine& machine, Call& call)
{
  const Argument* shape = keras::call_argument(call, 0);
  const auto dims = machine.to_dims(shape != nullptr ? shape->value : nullptr);
  return machine.tensor(
      call, dims ? Shape::of(*dims) : Shape::top(), DType::Kind::float32, Interval::top());
}

// Calling a regularizer gives a penalty.
Ref penalty(Machine& machine, Call& call)
{
  return machine.tensor(
      call, Shape::scalar(), DType::Kind::float32, Interval::of(0, Interval::k_inf));
}

Ref same(Machine& machine, Call& call)
{
  return machine.like(call, *keras::begin(machine, call));
}

constexpr std::string_view k_initializer = "keras.initializers.Initializer";
constexpr std::string_view k_regularizer = "keras.regularizers.Regularizer";
constexpr std::string_view k_constraint = "keras.constraints.Constraint";

constexpr Api initializer(std::string_view name, std::string_view signature, std::string_view op)
{
  return {name, signature, Role::initializer, op, 0, nullptr, k_initializer};
}
constexpr Api regularizer(std::string_view name, std::string_view signature, std::string_view op)
{
  return {name, signature, Role::regularizer, op, 0, nullptr, k_regularizer};
}
constexpr Api constraint(std::string_view name, std::string_view signature)
{
  return {name, signature, Role::object, "constraint", 0, nullptr, k_constraint};
}

constexpr std::string_view k_seed = "seed=None, **kwargs";
constexpr std::string_view k_normal = "mean=0.0, stddev=0.05, seed=None, **kwargs";
constexpr std::string_view k_uniform = "minval=-0.05, maxval=0.05, seed=None, **kwargs";
constexpr std::string_view k_scaling =
    "scale=1.0, mode='fan_in', distribution='truncated_normal', seed=None, **kwargs";
constexpr std::string_view k_max_norm = "max_value=2, axis=0, **kwargs";
constexpr std::string_view k_min_max_norm = "min_value=0.0, max_value=1.0, rate=1.0, axis=0";

// One row a line.
// clang-format off
constexpr Api k_rows[] = {
    {k_initializer, "", Role::initializer},
    {"keras.initializers.Initializer.__call__", "shape, dtype=None, **kwargs", Role::method, {}, 0, initial_values},
    {"keras.initializers.Initializer.get_config", "", Role::opaque},
    initializer("keras.initializers.Zeros", "**kwargs", "zeros"),
    initializer("keras.initializers.zeros", "**kwargs", "zeros"),
    initializer("keras.initializers.zero", "**kwargs", "zeros"),
    initializer("keras.initializers.Ones", "**kwargs", "ones"),
    initializer("keras.initializers.ones", "**kwargs", "ones"),
    initializer("keras.initializers.one", "**kwargs", "ones"),
    initializer("keras.initializers.Constant", "value=0.0, **kwargs", "constant"),
    initializer("keras.initializers.constant", "value=0.0, **kwargs", "constant"),
    initializer("keras.initializers.RandomNormal", k_normal, "random_normal"),
    initializer("keras.initializers.random_normal", k_normal, "random_normal"),
    initializer("keras.initializers.normal", k_normal, "random_normal"),
    initializer("keras.initializers.RandomUniform", k_uniform, "random_uniform"),
    initializer("keras.initializers.random_uniform", k_uniform, "random_uniform"),
    initializer("keras.initializers.uniform", k_uniform, "random_uniform"),
    initializer("keras.initializers.TruncatedNormal", k_normal, "truncated_normal"),
    initializer("keras.initializers.truncated_normal", k_normal, "truncated_normal"),
    initializer("keras.initializers.VarianceScaling", k_scaling, "variance_scaling"),
    initializer("keras.initializers.variance_scaling", k_scaling, "variance_scaling"),
    initializer("keras.initializers.Orthogonal", "gain=1.0, seed=None, **kwargs", "orthogonal"),
    initializer("keras.initializers.orthogonal", "gain=1.0, seed=None, **kwargs", "orthogonal"),
    initializer("keras.initializers.OrthogonalInitializer", "gain=1.0, seed=None, **kwargs", "orthogonal"),
    initializer("keras.initializers.Identity", "gain=1.0, **kwargs", "identity"),
    initializer("keras.initializers.identity", "gain=1.0, **kwargs", "identity"),
    initializer("keras.initializers.IdentityInitializer", "gain=1.0, **kwargs", "identity"),
    initializer("keras.initializers.GlorotNormal", k_seed, "glorot_normal"),
    initializer("keras.initializers.glorot_normal", k_seed, "glorot_normal"),
    initializer("keras.initializers.GlorotUniform", k_seed, "glorot_uniform"),
    initializer("keras.initializers.glorot_uniform", k_seed, "glorot_uniform"),
    initializer("keras.initializers.HeNormal", k_seed, "he_normal"),
    initializer("keras.initializers.he_normal", k_seed, "he_normal"),
    initializer("keras.initializers.HeUniform", k_seed, "he_uniform"),
    initializer("keras.initializers.he_uniform", k_seed, "he_uniform"),
    initializer("keras.initializers.LecunNormal", k_seed, "lecun_normal"),
    initializer("keras.initializers.lecun_normal", k_seed, "lecun_normal"),
    initializer("keras.initializers.LecunUniform", k_seed, "lecun_uniform"),
    initializer("keras.initializers.lecun_uniform", k_seed, "lecun_uniform"),
    {"keras.initializers.get", "identifier", Role::opaque},
    {"keras.initializers.serialize", "initializer", Role::opaque},
    {"keras.initializers.deserialize", "config, custom_objects=None", Role::opaque},

    {k_regularizer, "", Role::regularizer},
    {"keras.regularizers.Regularizer.__call__", "x", Role::method, {}, 0, penalty},
    {"keras.regularizers.Regularizer.get_config", "", Role::opaque},
    regularizer("keras.regularizers.L1", "l1=0.01, **kwargs", "l1"),
    regularizer("keras.regularizers.l1", "l1=0.01, **kwargs", "l1"),
    regularizer("keras.regularizers.L2", "l2=0.01, **kwargs", "l2"),
    regularizer("keras.regularizers.l2", "l2=0.01, **kwargs", "l2"),
    regularizer("keras.regularizers.L1L2", "l1=0.0, l2=0.0, **kwargs", "l1_l2"),
    regularizer("keras.regularizers.l1_l2", "l1=0.01, l2=0.01, **kwargs", "l1_l2"),
    regularizer("keras.regularizers.l1l2", "l1=0.01, l2=0.01, **kwargs", "l1_l2"),
    regularizer("keras.regularizers.WeightRegularizer", "l1=0.0, l2=0.0, **kwargs", "l1_l2"),
    regularizer("keras.regularizers.activity_l1", "l=0.01", "l1"),
    regularizer("keras.regularizers.activity_l2", "l=0.01", "l2"),
    regularizer("keras.regularizers.activity_l1l2", "l1=0.01, l2=0.01", "l1_l2"),
    regularizer("keras.regularizers.OrthogonalRegularizer", "factor=0.01, mode='rows'", "orthogonal"),
    {"keras.regularizers.get", "identifier", Role::opaque},
    {"keras.regularizers.serialize", "regularizer", Role::opaque},

    {k_constraint, "", Role::object, "constraint"},
    {"keras.constraints.Constraint.__call__", "w", Role::method, {}, 0, same},
    {"keras.constraints.Constraint.get_config", "", Role::opaque},
    constraint("keras.constraints.MaxNorm", k_max_norm),
    constraint("keras.constraints.max_norm", k_max_norm),
    constraint("keras.constraints.maxnorm", k_max_norm),
    constraint("keras.constraints.MinMaxNorm", k_min_max_norm),
    constraint("keras.constraints.min_max_norm", k_min_max_norm),
    constraint("keras.constraints.NonNeg", ""),
    constraint("keras.constraints.non_neg", ""),
    constraint("keras.constraints.nonneg", ""),
    constraint("keras.constraints.UnitNorm", "axis=0"),
    constraint("keras.constraints.unit_norm", "axis=0"),
    constraint("keras.constraints.unitnorm", "axis=0"),
    constraint("keras.constraints.RadialConstraint", ""),
    constraint("keras.constraints.radial_constraint", ""),
    {"keras.constraints.get", "identifier", Role::opaque},
};
// clang-format on

} // namespace

std::span<const Api> keras_initializers()
{
  return k_rows;
}

} // namespace faultline::program
