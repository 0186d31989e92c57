// torch.distributions: parameters in, samples and log-probabilities out.

#include "program/libraries/torch/torch.hpp"
#include "program/names/tables.hpp"
#include "program/operations/intervals.hpp"

#include <algorithm>

namespace faultline::program {

namespace torch {

namespace {

// The parameters of the distribution that a method was called on.
std::vector<Tensor*> parameters_of_distribution(const Call& call)
{
  const auto* distribution = as<Instance>(call.self);
  return distribution != nullptr && distribution->made_by != nullptr
             ? distribution->made_by->inputs()
             : std::vector<Tensor*>();
}

bool is_categorical(const Call& call)
{
  const auto* distribution = as<Instance>(call.self);
  return distribution != nullptr && distribution->api != nullptr &&
         distribution->api->op == "categorical";
}

// The shape of one draw.
Shape draw_shape(const Call& call)
{
  Shape shape = Shape::top();
  for (const Tensor* tensor : parameters_of_distribution(call)) {
    shape = shape.has_rank() ? broadcast(shape, tensor->shape).shape : tensor->shape;
  }
  if (is_categorical(call) && shape.has_rank() && *shape.rank() > 0) {
    return shape.without(*shape.rank() - 1);
  }
  return shape;
}

Tensor* drawn(Machine& machine, Call& call, Shape shape)
{
  Tensor* made = machine.data(Library::torch, std::move(shape), {}, Interval::top());
  made->producer = &call;
  made->requires_grad = Truth::no;
  for (const Tensor* tensor : parameters_of_distribution(call)) {
    made->device = tensor->device;
    if (tensor->requires_grad == Truth::yes && !call.has(k_no_gradient)) {
      made->requires_grad = Truth::yes;
    }
  }
  return made;
}

} // namespace

static Ref sample(Machine& machine, Call& call)
{
  const Ref asked = option(call, {"sample_shape"});
  const auto extra = machine.to_dims(asked);
  Shape shape = draw_shape(call);
  if (asked != nullptr && !machine.is_none(asked)) {
    shape = extra ? Shape::of(*extra).plus(shape) : Shape::top();
  }
  Tensor* made = drawn(machine, call, shape);
  if (is_categorical(call)) {
    made->dtype = DType::Kind::int64;
    made->encoding = Encoding::class_index;
    const std::vector<Tensor*> parameters = parameters_of_distribution(call);
    if (!parameters.empty()) {
      made->interval =
          interval_reduced("argmax", Interval::top(), parameters.front()->shape.at(-1));
    }
  }
  return made;
}

static Ref log_prob(Machine& machine, Call& call)
{
  const Tensor& value = as_tensor(machine, operand_value(call, 0, "value"));
  return drawn(machine, call, broadcast(value.shape, draw_shape(call)).shape);
}

static Ref statistic(Machine& machine, Call& call)
{
  return drawn(machine, call, draw_shape(call));
}

static Ref divergence(Machine& machine, Call& call)
{
  Tensor* made = machine.data(Library::torch, Shape::top(), {}, Interval::top());
  made->producer = &call;
  return made;
}

} // namespace torch

std::span<const Api> torch_distributions()
{
  using namespace torch;
  constexpr Role o = Role::object;
  constexpr Role m = Role::method;
  constexpr std::string_view k_base = "torch.distributions.Distribution";
  static constexpr Api k_rows[] = {
      {"torch.distributions.Distribution", "*args, **kwargs", o},
      {"torch.distributions.Categorical",
       "probs=None, logits=None, validate_args=None",
       o,
       "categorical",
       k_random,
       nullptr,
       k_base},
      {"torch.distributions.OneHotCategorical",
       "probs=None, logits=None, validate_args=None",
       o,
       {},
       k_random,
       nullptr,
       k_base},
      {"torch.distributions.Bernoulli",
       "probs=None, logits=None, validate_args=None",
       o,
       {},
       k_random,
       nullptr,
       k_base},
      {"torch.distributions.Binomial",
       "total_count=1, probs=None, logits=None",
       o,
       {},
       k_random,
       nullptr,
       k_base},
      {"torch.distributions.Multinomial",
       "total_count=1, probs=None, logits=None",
       o,
       {},
       k_random,
       nullptr,
       k_base},
      {"torch.distributions.Normal",
       "loc, scale, validate_args=None",
       o,
       {},
       k_random,
       nullptr,
       k_base},
      {"torch.distributions.LogNormal",
       "loc, scale, validate_args=None",
       o,
       {},
       k_random,
       nullptr,
       k_base},
      {"torch.distributions.Laplace",
       "loc, scale, validate_args=None",
       o,
       {},
       k_random,
       nullptr,
       k_base},
      {"torch.distributions.Uniform",
       "low, high, validate_args=None",
       o,
       {},
       k_random,
       nullptr,
       k_base},
      {"torch.distributions.Beta",
       "concentration1, concentration0",
       o,
       {},
       k_random,
       nullptr,
       k_base},
      {"torch.distributions.Gamma", "concentration, rate", o, {}, k_random, nullptr, k_base},
      {"torch.distributions.Dirichlet", "concentration", o, {}, k_random, nullptr, k_base},
      {"torch.distributions.Exponential", "rate", o, {}, k_random, nullptr, k_base},
      {"torch.distributions.Poisson", "rate", o, {}, k_random, nullptr, k_base},
      {"torch.distributions.StudentT", "df, loc=0.0, scale=1.0", o, {}, k_random, nullptr, k_base},
      {"torch.distributions.MultivariateNormal",
       "loc, covariance_matrix=None, precision_matrix=None, scale_tril=None",
       o,
       "multivariate",
       k_random,
       nullptr,
       k_base},
      {"torch.distributions.Independent",
       "base_distribution, reinterpreted_batch_ndims",
       o,
       {},
       k_random,
       nullptr,
       k_base},
      {"torch.distributions.TransformedDistribution",
       "base_distribution, transforms",
       o,
       {},
       k_random,
       nullptr,
       k_base},
      {"torch.distributions.MixtureSameFamily",
       "mixture_distribution, component_distribution",
       o,
       {},
       k_random,
       nullptr,
       k_base},
      {"torch.distributions.RelaxedOneHotCategorical",
       "temperature, probs=None, logits=None",
       o,
       {},
       k_random,
       nullptr,
       k_base},
      {"torch.distributions.Distribution.sample",
       "sample_shape=None",
       m,
       "sample",
       k_random | k_no_gradient,
       sample},
      {"torch.distributions.Distribution.rsample",
       "sample_shape=None",
       m,
       "sample",
       k_random,
       sample},
      {"torch.distributions.Distribution.log_prob", "value", m, {}, 0, log_prob},
      {"torch.distributions.Distribution.cdf", "value", m, {}, 0, log_prob},
      {"torch.distributions.Distribution.entropy", "", m, {}, 0, statistic},
      {"torch.distributions.Distribution.mean", "", Role::attribute, {}, 0, statistic},
      {"torch.distributions.Distribution.mode", "", Role::attribute, {}, 0, statistic},
      {"torch.distributions.Distribution.stddev", "", Role::attribute, {}, 0, statistic},
      {"torch.distributions.Distribution.variance", "", Role::attribute, {}, 0, statistic},
      {"torch.distributions.Distribution.probs", "", Role::attribute},
      {"torch.distributions.Distribution.logits", "", Role::attribute},
      {"torch.distributions.Distribution.loc", "", Role::attribute},
      {"torch.distributions.Distribution.scale", "", Role::attribute},
      {"torch.distributions.Distribution.batch_shape", "", Role::attribute},
      {"torch.distributions.Distribution.event_shape", "", Role::attribute},
      {"torch.distributions.kl_divergence", "p, q", Role::function, {}, 0, divergence},
      {"torch.distributions.transforms.TanhTransform", "cache_size=0", o},
  };
  return k_rows;
}

} // namespace faultline::program
