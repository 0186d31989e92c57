// Keras optimizers and schedules of the learning rate. Lower-case rows are the strings that
// `compile` takes and the aliases of Keras 1 and 2.

#include "program/libraries/keras/keras.hpp"
#include "program/names/tables.hpp"

namespace faultline::program {

static Ref get_optimizer(Machine& machine, Call& call)
{
  const Ref wanted = call.arg("identifier");
  const std::optional<std::string_view> name = machine.to_string(wanted);
  if (!name) {
    return wanted;
  }
  return machine.call_api("keras.optimizers." + std::string(*name), {}, call.span);
}

static Ref next_rate(Machine& machine, Call& call)
{
  static_cast<void>(call);
  return machine.number(Interval::top());
}

static constexpr std::string_view k_base = "keras.optimizers.Optimizer";
static constexpr std::string_view k_schedule = "keras.optimizers.schedules.LearningRateSchedule";

static constexpr Api
optimizer(std::string_view name, std::string_view signature, std::string_view op)
{
  return {name, signature, Role::optimizer, op, 0, keras::make_object, k_base};
}

static constexpr Api schedule(std::string_view name, std::string_view signature)
{
  return {name, signature, Role::scheduler, "schedule", 0, nullptr, k_schedule};
}

static constexpr std::string_view k_sgd =
    "learning_rate=0.01, momentum=0.0, nesterov=False, weight_decay=None, clipnorm=None, "
    "clipvalue=None, global_clipnorm=None, name='SGD', **kwargs";
static constexpr std::string_view k_adam =
    "learning_rate=0.001, beta_1=0.9, beta_2=0.999, epsilon=1e-07, amsgrad=False, "
    "weight_decay=None, clipnorm=None, clipvalue=None, global_clipnorm=None, name='Adam', **kwargs";
static constexpr std::string_view k_adamw =
    "learning_rate=0.001, weight_decay=0.004, beta_1=0.9, beta_2=0.999, epsilon=1e-07, "
    "amsgrad=False, clipnorm=None, clipvalue=None, global_clipnorm=None, name='AdamW', **kwargs";
static constexpr std::string_view k_rmsprop =
    "learning_rate=0.001, rho=0.9, momentum=0.0, epsilon=1e-07, centered=False, weight_decay=None, "
    "clipnorm=None, clipvalue=None, global_clipnorm=None, name='RMSprop', **kwargs";
static constexpr std::string_view k_adagrad =
    "learning_rate=0.001, initial_accumulator_value=0.1, epsilon=1e-07, weight_decay=None, "
    "clipnorm=None, clipvalue=None, global_clipnorm=None, name='Adagrad', **kwargs";
static constexpr std::string_view k_adadelta =
    "learning_rate=0.001, rho=0.95, epsilon=1e-07, weight_decay=None, clipnorm=None, "
    "clipvalue=None, global_clipnorm=None, name='Adadelta', **kwargs";
static constexpr std::string_view k_ftrl =
    "learning_rate=0.001, learning_rate_power=-0.5, initial_accumulator_value=0.1, "
    "l1_regularization_strength=0.0, l2_regularization_strength=0.0, name='Ftrl', **kwargs";

// One row a line.
// clang-format off
static constexpr Api k_rows[] = {
    {"keras.optimizers.Optimizer", "name=None, **kwargs", Role::optimizer, "optimizer", 0, keras::make_object},
    optimizer("keras.optimizers.SGD", k_sgd, "sgd"),
    optimizer("keras.optimizers.sgd", k_sgd, "sgd"),
    optimizer("keras.optimizers.Adam", k_adam, "adam"),
    optimizer("keras.optimizers.adam", k_adam, "adam"),
    optimizer("keras.optimizers.AdamW", k_adamw, "adamw"),
    optimizer("keras.optimizers.adamw", k_adamw, "adamw"),
    optimizer("keras.optimizers.Adamax", k_adam, "adamax"),
    optimizer("keras.optimizers.adamax", k_adam, "adamax"),
    optimizer("keras.optimizers.Nadam", k_adam, "nadam"),
    optimizer("keras.optimizers.nadam", k_adam, "nadam"),
    optimizer("keras.optimizers.RMSprop", k_rmsprop, "rmsprop"),
    optimizer("keras.optimizers.RMSProp", k_rmsprop, "rmsprop"),
    optimizer("keras.optimizers.rmsprop", k_rmsprop, "rmsprop"),
    optimizer("keras.optimizers.Adagrad", k_adagrad, "adagrad"),
    optimizer("keras.optimizers.adagrad", k_adagrad, "adagrad"),
    optimizer("keras.optimizers.Adadelta", k_adadelta, "adadelta"),
    optimizer("keras.optimizers.adadelta", k_adadelta, "adadelta"),
    optimizer("keras.optimizers.Ftrl", k_ftrl, "ftrl"),
    optimizer("keras.optimizers.ftrl", k_ftrl, "ftrl"),
    optimizer("keras.optimizers.Lion", k_adam, "lion"),
    optimizer("keras.optimizers.lion", k_adam, "lion"),
    optimizer("keras.optimizers.Adafactor", "learning_rate=0.001, **kwargs", "adafactor"),
    optimizer("keras.optimizers.LossScaleOptimizer", "inner_optimizer, **kwargs", "optimizer"),
    optimizer("keras.optimizers.TFOptimizer", "optimizer, **kwargs", "optimizer"),
    {"keras.mixed_precision.LossScaleOptimizer", "inner_optimizer, dynamic=True, **kwargs", Role::optimizer, "optimizer", 0, keras::make_object, k_base},
    {"keras.optimizers.get", "identifier", Role::function, {}, 0, get_optimizer},
    {"keras.optimizers.serialize", "optimizer", Role::opaque},
    {"keras.optimizers.deserialize", "config, custom_objects=None", Role::opaque},

    {"keras.optimizers.Optimizer.apply_gradients", "grads_and_vars, name=None, **kwargs", Role::method, "apply_gradients"},
    {"keras.optimizers.Optimizer.apply", "grads, trainable_variables=None", Role::method, "apply_gradients"},
    {"keras.optimizers.Optimizer.minimize", "loss, var_list=None, grad_loss=None, name=None, tape=None", Role::method, "minimize"},
    {"keras.optimizers.Optimizer.get_updates", "loss, params=None, **kwargs", Role::method, "minimize"},
    {"keras.optimizers.Optimizer.get_gradients", "loss, params", Role::method, "grad_of"},
    {"keras.optimizers.Optimizer.get_scaled_loss", "loss", Role::method, {}, k_elementwise},
    {"keras.optimizers.Optimizer.scale_loss", "loss", Role::method, {}, k_elementwise},
    {"keras.optimizers.Optimizer.get_unscaled_gradients", "grads", Role::method},
    {"keras.optimizers.Optimizer.get_config", "", Role::opaque},
    {"keras.optimizers.Optimizer.build", "variables", Role::opaque},
    {"keras.optimizers.Optimizer.get_weights", "", Role::opaque},
    {"keras.optimizers.Optimizer.set_weights", "weights", Role::opaque},
    {"keras.optimizers.Optimizer.variables", "", Role::opaque},

    {"keras.optimizers.schedules.LearningRateSchedule", "", Role::scheduler, "schedule"},
    {"keras.optimizers.schedules.LearningRateSchedule.__call__", "step", Role::method, {}, 0, next_rate},
    {"keras.optimizers.schedules.LearningRateSchedule.get_config", "", Role::opaque},
    schedule("keras.optimizers.schedules.ExponentialDecay", "initial_learning_rate, decay_steps, decay_rate, staircase=False, name='ExponentialDecay'"),
    schedule("keras.optimizers.schedules.PiecewiseConstantDecay", "boundaries, values, name=None"),
    schedule("keras.optimizers.schedules.PolynomialDecay", "initial_learning_rate, decay_steps, end_learning_rate=0.0001, power=1.0, cycle=False, name=None"),
    schedule("keras.optimizers.schedules.InverseTimeDecay", "initial_learning_rate, decay_steps, decay_rate, staircase=False, name=None"),
    schedule("keras.optimizers.schedules.CosineDecay", "initial_learning_rate, decay_steps, alpha=0.0, name=None, warmup_target=None, warmup_steps=0"),
    schedule("keras.optimizers.schedules.CosineDecayRestarts", "initial_learning_rate, first_decay_steps, t_mul=2.0, m_mul=1.0, alpha=0.0, name=None"),
};
// clang-format on

std::span<const Api> keras_optimizers()
{
  return k_rows;
}

} // namespace faultline::program
