// Optimizers, schedulers, initialisation, gradients on and off, mixed precision.

#include "program/libraries/shared/answers.hpp"
#include "program/libraries/torch/torch.hpp"
#include "program/names/tables.hpp"

namespace faultline::program {

namespace torch {

static Ref step(Machine& machine, Call& call)
{
  const Ref closure = operand_value(call, 0, "closure");
  if (closure != nullptr && !machine.is_none(closure)) {
    return machine.call(closure, std::vector<Ref>{}, call.span);
  }
  return machine.none();
}

static Ref param_groups(Machine& machine, Call& call)
{
  const auto* optimizer = as<Instance>(call.self);
  Dict* group = machine.dict();
  group->open = true;
  if (optimizer != nullptr && optimizer->made_by != nullptr) {
    const Ref rate = optimizer->made_by->arg("lr");
    const Ref parameters = optimizer->made_by->arg("params");
    group->items.emplace_back(machine.string("lr"),
                              rate != nullptr ? machine.number(Interval::top())
                                              : machine.unknown());
    group->items.emplace_back(machine.string("params"),
                              parameters != nullptr ? parameters : machine.unknown());
  }
  return machine.open_list(group);
}

static Ref rates(Machine& machine, Call& /*call*/)
{
  return machine.open_list(machine.number(Interval::top()));
}

// nn.init: other values in the same tensor, which is returned.
static Ref initialise(Machine& machine, Call& call)
{
  const Ref value = operand_value(call, 0, "tensor");
  return value != nullptr ? value : machine.unknown();
}

static Ref gain(Machine& machine, Call& /*call*/)
{
  return machine.number(Interval::of(0.5, 2));
}

static Ref gradients(Machine& machine, Call& call)
{
  const Ref inputs = operand_value(call, 1, "inputs");
  std::vector<Ref> wanted = machine.items_of(inputs);
  if (wanted.empty() && inputs != nullptr) {
    wanted.push_back(inputs);
  }
  std::vector<Ref> results;
  for (const Ref input : wanted) {
    const Tensor& tensor = as_tensor(machine, input);
    results.push_back(result(machine, call, tensor, tensor.shape));
  }
  return machine.tuple(std::move(results));
}

static Ref scale(Machine& machine, Call& call)
{
  const Ref loss = operand_value(call, 0, "outputs");
  const auto* tensor = as<Tensor>(loss);
  if (tensor == nullptr) {
    return loss != nullptr ? loss : machine.unknown();
  }
  Tensor* made = machine.like(call, *tensor);
  made->interval = Interval::top();
  return made;
}

static Ref norm_of_gradients(Machine& machine, Call& call)
{
  Tensor* made = machine.data(
      Library::torch, Shape::scalar(), DType::Kind::float32, Interval::of(0, Interval::k_inf));
  made->producer = &call;
  made->requires_grad = Truth::no;
  return made;
}

static Ref vector_of_parameters(Machine& machine, Call& /*call*/)
{
  return parameter(machine, Shape::of_rank(1));
}

} // namespace torch

std::span<const Api> torch_optim()
{
  using namespace torch;
  constexpr Role o = Role::optimizer;
  constexpr Role s = Role::scheduler;
  constexpr Role m = Role::method;
#define FL_LAST "last_epoch=-1, verbose=False"
  static constexpr Api k_rows[] = {
      {"torch.optim.Optimizer", "params, defaults=None", o},
      {"torch.optim.SGD",
       "params, lr=0.001, momentum=0, dampening=0, weight_decay=0, nesterov=False, *, "
       "maximize=False, foreach=None, differentiable=False, fused=None",
       o,
       "sgd"},
      {"torch.optim.ASGD",
       "params, lr=0.01, lambd=0.0001, alpha=0.75, t0=1000000.0, weight_decay=0, **kwargs",
       o,
       "sgd"},
      {"torch.optim.Adam",
       "params, lr=0.001, betas=(0.9, 0.999), eps=1e-08, weight_decay=0, amsgrad=False, **kwargs",
       o,
       "adam"},
      {"torch.optim.AdamW",
       "params, lr=0.001, betas=(0.9, 0.999), eps=1e-08, weight_decay=0.01, amsgrad=False, "
       "**kwargs",
       o,
       "adamw"},
      {"torch.optim.SparseAdam",
       "params, lr=0.001, betas=(0.9, 0.999), eps=1e-08, **kwargs",
       o,
       "adam"},
      {"torch.optim.Adamax",
       "params, lr=0.002, betas=(0.9, 0.999), eps=1e-08, weight_decay=0, **kwargs",
       o,
       "adamax"},
      {"torch.optim.NAdam",
       "params, lr=0.002, betas=(0.9, 0.999), eps=1e-08, weight_decay=0, momentum_decay=0.004, "
       "**kwargs",
       o,
       "nadam"},
      {"torch.optim.RAdam",
       "params, lr=0.001, betas=(0.9, 0.999), eps=1e-08, weight_decay=0, **kwargs",
       o,
       "adam"},
      {"torch.optim.Adagrad",
       "params, lr=0.01, lr_decay=0, weight_decay=0, initial_accumulator_value=0, eps=1e-10, "
       "**kwargs",
       o,
       "adagrad"},
      {"torch.optim.Adadelta",
       "params, lr=1.0, rho=0.9, eps=1e-06, weight_decay=0, **kwargs",
       o,
       "adadelta"},
      {"torch.optim.Adafactor", "params, lr=0.01, **kwargs", o, "adam"},
      {"torch.optim.RMSprop",
       "params, lr=0.01, alpha=0.99, eps=1e-08, weight_decay=0, momentum=0, centered=False, "
       "**kwargs",
       o,
       "rmsprop"},
      {"torch.optim.Rprop",
       "params, lr=0.01, etas=(0.5, 1.2), step_sizes=(1e-06, 50), **kwargs",
       o,
       "rprop"},
      {"torch.optim.LBFGS",
       "params, lr=1, max_iter=20, max_eval=None, tolerance_grad=1e-07, tolerance_change=1e-09, "
       "history_size=100, line_search_fn=None",
       o,
       "lbfgs"},
      {"torch.optim.Optimizer.__init__", "params, defaults=None", m, {}, 0, nothing},
      {"torch.optim.Optimizer.step", "closure=None", m, "optimizer_step", 0, step},
      {"torch.optim.Optimizer.zero_grad", "set_to_none=True", m, "zero_grad", 0, nothing},
      {"torch.optim.Optimizer.state_dict", "", m, "state_dict", 0, answers::dict},
      {"torch.optim.Optimizer.load_state_dict", "state_dict", m, {}, 0, nothing},
      {"torch.optim.Optimizer.add_param_group", "param_group", m, {}, 0, nothing},
      {"torch.optim.Optimizer.param_groups", "", Role::attribute, {}, 0, param_groups},
      {"torch.optim.Optimizer.state", "", Role::attribute, {}, 0, answers::dict},
      {"torch.optim.Optimizer.defaults", "", Role::attribute, {}, 0, answers::dict},
      {"torch.optim.lr_scheduler.LRScheduler", "optimizer, " FL_LAST, s},
      {"torch.optim.lr_scheduler.StepLR", "optimizer, step_size, gamma=0.1, " FL_LAST, s, "step"},
      {"torch.optim.lr_scheduler.MultiStepLR",
       "optimizer, milestones, gamma=0.1, " FL_LAST,
       s,
       "multi_step"},
      {"torch.optim.lr_scheduler.ExponentialLR", "optimizer, gamma, " FL_LAST, s, "exponential"},
      {"torch.optim.lr_scheduler.CosineAnnealingLR",
       "optimizer, T_max, eta_min=0.0, " FL_LAST,
       s,
       "cosine"},
      {"torch.optim.lr_scheduler.CosineAnnealingWarmRestarts",
       "optimizer, T_0, T_mult=1, eta_min=0.0, " FL_LAST,
       s,
       "cosine_restarts"},
      {"torch.optim.lr_scheduler.ReduceLROnPlateau",
       "optimizer, mode='min', factor=0.1, patience=10, threshold=0.0001, threshold_mode='rel', "
       "cooldown=0, min_lr=0, eps=1e-08, verbose=False",
       s,
       "plateau"},
      {"torch.optim.lr_scheduler.CyclicLR",
       "optimizer, base_lr, max_lr, step_size_up=2000, step_size_down=None, mode='triangular', "
       "**kwargs",
       s,
       "cyclic"},
      {"torch.optim.lr_scheduler.OneCycleLR",
       "optimizer, max_lr, total_steps=None, epochs=None, steps_per_epoch=None, pct_start=0.3, "
       "anneal_strategy='cos', **kwargs",
       s,
       "one_cycle"},
      {"torch.optim.lr_scheduler.LambdaLR", "optimizer, lr_lambda, " FL_LAST, s, "lambda"},
      {"torch.optim.lr_scheduler.MultiplicativeLR", "optimizer, lr_lambda, " FL_LAST, s, "lambda"},
      {"torch.optim.lr_scheduler.LinearLR",
       "optimizer, start_factor=0.3333, end_factor=1.0, total_iters=5, " FL_LAST,
       s,
       "linear"},
      {"torch.optim.lr_scheduler.ConstantLR",
       "optimizer, factor=0.3333, total_iters=5, " FL_LAST,
       s,
       "constant"},
      {"torch.optim.lr_scheduler.PolynomialLR",
       "optimizer, total_iters=5, power=1.0, " FL_LAST,
       s,
       "polynomial"},
      {"torch.optim.lr_scheduler.SequentialLR",
       "optimizer, schedulers, milestones, " FL_LAST,
       s,
       "sequential"},
      {"torch.optim.lr_scheduler.ChainedScheduler", "schedulers, optimizer=None", s, "chained"},
      {"torch.optim.lr_scheduler.LRScheduler.__init__", "optimizer, " FL_LAST, m, {}, 0, nothing},
      {"torch.optim.lr_scheduler.LRScheduler.step", "epoch=None", m, "scheduler_step", 0, nothing},
      {"torch.optim.lr_scheduler.ReduceLROnPlateau.step",
       "metrics, epoch=None",
       m,
       "scheduler_step",
       0,
       nothing},
      {"torch.optim.lr_scheduler.LRScheduler.get_last_lr", "", m, {}, 0, rates},
      {"torch.optim.lr_scheduler.LRScheduler.get_lr", "", m, {}, 0, rates},
      {"torch.optim.lr_scheduler.LRScheduler.state_dict", "", m, "state_dict", 0, answers::dict},
      {"torch.optim.lr_scheduler.LRScheduler.load_state_dict", "state_dict", m, {}, 0, nothing},
      {"torch.optim.lr_scheduler.LRScheduler.print_lr", "*args", m, {}, 0, nothing},
      {"torch.optim.lr_scheduler.LRScheduler.last_epoch", "", Role::attribute},
      {"torch.optim.lr_scheduler.LRScheduler.base_lrs", "", Role::attribute, {}, 0, rates},
      {"torch.optim.lr_scheduler.LRScheduler.optimizer", "", Role::attribute},
      {"torch.optim.swa_utils.AveragedModel",
       "model, device=None, avg_fn=None, **kwargs",
       Role::model},
      {"torch.optim.swa_utils.AveragedModel.update_parameters", "model", m, {}, 0, nothing},
      {"torch.optim.swa_utils.SWALR", "optimizer, swa_lr, **kwargs", s},
      {"torch.optim.swa_utils.update_bn",
       "loader, model, device=None",
       Role::function,
       {},
       0,
       nothing},
  };
#undef FL_LAST
  return k_rows;
}

std::span<const Api> torch_training()
{
  using namespace torch;
  constexpr Role f = Role::function;
  constexpr Role m = Role::method;
  constexpr Role scope = Role::scope;
  constexpr uint32_t k_set = k_in_place;
  static constexpr Api k_rows[] = {
      {"torch.nn.init.xavier_uniform_",
       "tensor, gain=1.0, generator=None",
       f,
       {},
       k_set,
       initialise},
      {"torch.nn.init.xavier_normal_",
       "tensor, gain=1.0, generator=None",
       f,
       {},
       k_set,
       initialise},
      {"torch.nn.init.kaiming_uniform_",
       "tensor, a=0, mode='fan_in', nonlinearity='leaky_relu', generator=None",
       f,
       {},
       k_set,
       initialise},
      {"torch.nn.init.kaiming_normal_",
       "tensor, a=0, mode='fan_in', nonlinearity='leaky_relu', generator=None",
       f,
       {},
       k_set,
       initialise},
      {"torch.nn.init.constant_", "tensor, val", f, {}, k_set, initialise},
      {"torch.nn.init.zeros_", "tensor", f, {}, k_set, initialise},
      {"torch.nn.init.ones_", "tensor", f, {}, k_set, initialise},
      {"torch.nn.init.eye_", "tensor", f, {}, k_set, initialise},
      {"torch.nn.init.dirac_", "tensor, groups=1", f, {}, k_set, initialise},
      {"torch.nn.init.normal_",
       "tensor, mean=0.0, std=1.0, generator=None",
       f,
       {},
       k_set,
       initialise},
      {"torch.nn.init.uniform_", "tensor, a=0.0, b=1.0, generator=None", f, {}, k_set, initialise},
      {"torch.nn.init.trunc_normal_",
       "tensor, mean=0.0, std=1.0, a=-2.0, b=2.0, generator=None",
       f,
       {},
       k_set,
       initialise},
      {"torch.nn.init.orthogonal_", "tensor, gain=1, generator=None", f, {}, k_set, initialise},
      {"torch.nn.init.sparse_", "tensor, sparsity, std=0.01", f, {}, k_set, initialise},
      {"torch.nn.init.calculate_gain", "nonlinearity, param=None", f, {}, 0, gain},
      {"torch.nn.init._calculate_fan_in_and_fan_out", "tensor", f},
      {"torch.nn.init._calculate_correct_fan", "tensor, mode", f},
      {"torch.no_grad", "orig_func=None, mode=True", scope, "grad_off"},
      {"torch.enable_grad", "orig_func=None", scope, "grad_on"},
      {"torch.set_grad_enabled", "mode", scope, "grad_switch"},
      {"torch.autograd.grad",
       "outputs, inputs, grad_outputs=None, retain_graph=None, create_graph=False, "
       "only_inputs=True, allow_unused=None",
       f,
       "grad_of",
       0,
       gradients},
      {"torch.autograd.backward",
       "tensors, grad_tensors=None, retain_graph=None, create_graph=False, inputs=None",
       f,
       "backward",
       0,
       nothing},
      {"torch.autograd.Function", "*args, **kwargs", Role::object},
      {"torch.autograd.Function.apply", "*args", m},
      {"torch.autograd.gradcheck", "func, inputs, **kwargs", f},
      {"torch.autograd.detect_anomaly", "check_nan=True", scope},
      {"torch.autograd.set_detect_anomaly", "mode, check_nan=True", scope},
      {"torch.autograd.functional.jacobian", "func, inputs, **kwargs", f, "grad_of"},
      {"torch.autograd.functional.hessian", "func, inputs, **kwargs", f, "grad_of"},
      {"torch.autograd.functional.vjp", "func, inputs, v=None, **kwargs", f, "grad_of"},
      {"torch.autograd.functional.jvp", "func, inputs, v=None, **kwargs", f, "grad_of"},
      {"torch.autograd.graph.save_on_cpu", "pin_memory=False", scope},
      {"torch.amp.autocast",
       "device_type='cuda', dtype=None, enabled=True, cache_enabled=None",
       scope,
       "autocast"},
      {"torch.amp.GradScaler",
       "device='cuda', init_scale=65536.0, growth_factor=2.0, backoff_factor=0.5, "
       "growth_interval=2000, enabled=True",
       Role::object,
       "grad_scaler"},
      {"torch.amp.GradScaler.scale", "outputs", m, "scale_loss", k_elementwise, scale},
      {"torch.amp.GradScaler.step", "optimizer, *args", m, "optimizer_step", 0, nothing},
      {"torch.amp.GradScaler.update", "new_scale=None", m, {}, 0, nothing},
      {"torch.amp.GradScaler.unscale_", "optimizer", m, {}, 0, nothing},
      {"torch.amp.GradScaler.get_scale", "", m, {}, 0, gain},
      {"torch.amp.GradScaler.is_enabled", "", m},
      {"torch.amp.GradScaler.state_dict", "", m, "state_dict", 0, answers::dict},
      {"torch.amp.GradScaler.load_state_dict", "state_dict", m, {}, 0, nothing},
      {"torch.amp.custom_fwd", "fwd=None, **kwargs", f, {}, 0, first_argument},
      {"torch.amp.custom_bwd", "bwd=None, **kwargs", f, {}, 0, first_argument},
      {"torch.nn.utils.clip_grad_norm_",
       "parameters, max_norm, norm_type=2.0, error_if_nonfinite=False, foreach=None",
       f,
       "clip_gradients",
       0,
       norm_of_gradients},
      {"torch.nn.utils.clip_grad_value_",
       "parameters, clip_value, foreach=None",
       f,
       "clip_gradients",
       0,
       nothing},
      {"torch.nn.utils.weight_norm", "module, name='weight', dim=0", f, {}, 0, first_argument},
      {"torch.nn.utils.spectral_norm",
       "module, name='weight', n_power_iterations=1, eps=1e-12, dim=None",
       f,
       {},
       0,
       first_argument},
      {"torch.nn.utils.remove_weight_norm", "module, name='weight'", f, {}, 0, first_argument},
      {"torch.nn.utils.remove_spectral_norm", "module, name='weight'", f, {}, 0, first_argument},
      {"torch.nn.utils.parametrizations.orthogonal",
       "module, name='weight', **kwargs",
       f,
       {},
       0,
       first_argument},
      {"torch.nn.utils.skip_init", "module_cls, *args, **kwargs", f},
      {"torch.nn.utils.fusion.fuse_conv_bn_eval",
       "conv, bn, transpose=False",
       f,
       {},
       0,
       first_argument},
      {"torch.nn.utils.parameters_to_vector", "parameters", f, {}, 0, vector_of_parameters},
      {"torch.nn.utils.vector_to_parameters", "vec, parameters", f, {}, 0, nothing},
      {"torch.nn.utils.parametrize.register_parametrization",
       "module, tensor_name, parametrization, *, unsafe=False",
       f,
       {},
       0,
       first_argument},
  };
  return k_rows;
}

} // namespace faultline::program
