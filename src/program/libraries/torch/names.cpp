// Types, devices, seeds, files and whatever else is called directly on torch.

#include "program/libraries/shared/answers.hpp"
#include "program/libraries/shared/reading.hpp"
#include "program/libraries/torch/torch.hpp"
#include "program/names/tables.hpp"

#include <numbers>

namespace faultline::program {

namespace torch {

// A choice between devices at run time is one device, the same for all that use it.
static Ref device(Machine& machine, Call& call)
{
  Instance* made = machine.instance(*call.api, &call);
  const Ref name = operand_value(call, 0, "type");
  if (const auto* choice = as<Choice>(name)) {
    bool all_devices = true;
    for (const Ref option : choice->options) {
      all_devices = all_devices && machine.to_device(option).has_value();
    }
    if (all_devices) {
      made->device = Device::chosen(static_cast<int32_t>(call.span.begin));
    }
    return made;
  }
  const auto known = machine.to_device(name);
  made->device = known.value_or(Device::top());
  if (known && name->assumed) {
    made->device = Device::chosen(static_cast<int32_t>(call.span.begin));
  }
  return made;
}

static Ref device_type(Machine& machine, Call& call)
{
  const auto* object = as<Instance>(call.self);
  if (object != nullptr && object->device.is_known()) {
    return machine.string(object->device == Device::cpu() ? "cpu" : "cuda");
  }
  return machine.text();
}

static Ref size(Machine& machine, Call& call)
{
  const Ref sizes = operand_value(call, 0);
  const auto* sequence = as<Sequence>(sizes);
  if (sequence == nullptr || sequence->open) {
    return machine.unknown();
  }
  return machine.tuple(sequence->items);
}

static Ref pi(Machine& machine, Call& /*call*/)
{
  return machine.real(std::numbers::pi);
}

static Ref euler(Machine& machine, Call& /*call*/)
{
  return machine.real(std::numbers::e);
}

// checkpoint(function, *args): the function's own result.
static Ref call_through(Machine& machine, Call& call)
{
  const Ref function = call.arg("function");
  if (function == nullptr) {
    return machine.unknown();
  }
  std::vector<Argument> arguments;
  for (const Argument& argument : call.surplus) {
    arguments.push_back(argument);
  }
  return machine.call(function, std::move(arguments), call.span);
}

} // namespace torch

std::span<const Api> torch_names()
{
  using namespace torch;
  constexpr Role f = Role::function;
  constexpr Role c = Role::constant;
  constexpr Role a = Role::attribute;
  constexpr Role o = Role::opaque;
  static constexpr Api k_rows[] = {
      {"torch.float32", "", c},
      {"torch.float", "", c},
      {"torch.float64", "", c},
      {"torch.double", "", c},
      {"torch.float16", "", c},
      {"torch.half", "", c},
      {"torch.bfloat16", "", c},
      {"torch.uint8", "", c},
      {"torch.int8", "", c},
      {"torch.int16", "", c},
      {"torch.short", "", c},
      {"torch.int32", "", c},
      {"torch.int", "", c},
      {"torch.int64", "", c},
      {"torch.long", "", c},
      {"torch.bool", "", c},
      {"torch.complex64", "", c},
      {"torch.cfloat", "", c},
      {"torch.complex128", "", c},
      {"torch.cdouble", "", c},
      {"torch.dtype", "", c},
      {"torch.strided", "", c},
      {"torch.sparse_coo", "", c},
      {"torch.channels_last", "", c},
      {"torch.channels_last_3d", "", c},
      {"torch.contiguous_format", "", c},
      {"torch.preserve_format", "", c},
      {"torch.per_tensor_affine", "", c},
      {"torch.qint8", "", c},
      {"torch.quint8", "", c},
      {"torch.inf", "", a, {}, 0, answers::infinity},
      {"torch.nan", "", a, {}, 0, answers::number},
      {"torch.pi", "", a, {}, 0, pi},
      {"torch.e", "", a, {}, 0, euler},
      {"torch.device", "type, index=None", Role::object, "device", 0, device},
      {"torch.device.type", "", a, {}, 0, device_type},
      {"torch.device.index", "", a},
      {"torch.Size", "sizes=()", f, {}, 0, size},
      {"torch.Generator", "device='cpu'", Role::object},
      {"torch.Generator.manual_seed", "seed", Role::method, "seed", 0, same_object},
      {"torch.Generator.seed", "", Role::method},
      {"torch.finfo", "type=None", Role::object},
      {"torch.finfo.eps", "", a, {}, 0, answers::number},
      {"torch.finfo.tiny", "", a, {}, 0, answers::number},
      {"torch.finfo.min", "", a, {}, 0, answers::number},
      {"torch.finfo.max", "", a, {}, 0, answers::number},
      {"torch.iinfo", "type", Role::object},
      {"torch.iinfo.min", "", a, {}, 0, answers::number},
      {"torch.iinfo.max", "", a, {}, 0, answers::number},
      {"torch.manual_seed", "seed", f, "seed"},
      {"torch.random.manual_seed", "seed", f, "seed"},
      {"torch.cuda.manual_seed", "seed", f, "seed", 0, nothing},
      {"torch.cuda.manual_seed_all", "seed", f, "seed", 0, nothing},
      {"torch.mps.manual_seed", "seed", f, "seed", 0, nothing},
      {"torch.seed", "", f, {}, 0, answers::count},
      {"torch.initial_seed", "", f, {}, 0, answers::count},
      {"torch.get_rng_state", "", o},
      {"torch.set_rng_state", "new_state", o},
      {"torch.cuda.is_available", "", f, "cuda_available", 0, answers::truth},
      {"torch.backends.mps.is_available", "", f, {}, 0, answers::truth},
      {"torch.accelerator.is_available", "", f, {}, 0, answers::truth},
      {"torch.cuda.is_bf16_supported", "", f, {}, 0, answers::truth},
      {"torch.cuda.device_count", "", f, {}, 0, answers::count},
      {"torch.cuda.current_device", "", f, {}, 0, answers::count},
      {"torch.cuda.device", "device", Role::scope},
      {"torch.cuda.empty_cache", "", o},
      {"torch.cuda.synchronize", "device=None", o},
      {"torch.get_default_dtype", "", f},
      {"torch.get_default_device", "", f},
      {"torch.set_default_dtype", "d", f, {}, 0, nothing},
      {"torch.set_default_tensor_type", "t", f, {}, 0, nothing},
      {"torch.set_default_device", "device", f, {}, 0, nothing},
      {"torch.set_num_threads", "int", o},
      {"torch.get_num_threads", "", f, {}, 0, answers::count},
      {"torch.set_num_interop_threads", "int", o},
      {"torch.set_printoptions", "**kwargs", o},
      {"torch.set_flush_denormal", "mode", o},
      {"torch.set_float32_matmul_precision", "precision", o},
      {"torch.set_deterministic", "d", o},
      {"torch.use_deterministic_algorithms", "mode, *, warn_only=False", o},
      {"torch.are_deterministic_algorithms_enabled", "", f, {}, 0, answers::truth},
      {"torch.is_grad_enabled", "", f, {}, 0, answers::truth},
      {"torch.is_inference_mode_enabled", "", f, {}, 0, answers::truth},
      {"torch.save",
       "obj, f, pickle_module=None, pickle_protocol=2, **kwargs",
       f,
       "save",
       0,
       nothing},
      {"torch.load",
       "f, map_location=None, pickle_module=None, *, weights_only=None, **kwargs",
       f,
       "load"},
      {"torch.compile", "model=None, **kwargs", f, {}, 0, first_argument},
      {"torch.jit.script", "obj, **kwargs", f, {}, 0, first_argument},
      {"torch.jit.trace", "func, example_inputs=None, **kwargs", f, {}, 0, first_argument},
      {"torch.jit.script_method", "fn", f, {}, 0, first_argument},
      {"torch.jit.export", "fn", f, {}, 0, first_argument},
      {"torch.jit.ignore", "fn=None", f, {}, 0, first_argument},
      {"torch.jit.ScriptModule",
       "*args, **kwargs",
       Role::model,
       "module",
       0,
       nullptr,
       "torch.nn.Module"},
      {"torch.quantization.QuantStub",
       "qconfig=None",
       Role::layer,
       "identity",
       k_elementwise,
       keep},
      {"torch.quantization.DeQuantStub",
       "qconfig=None",
       Role::layer,
       "identity",
       k_elementwise,
       keep},
      {"torch.utils.checkpoint.checkpoint",
       "function, *args, use_reentrant=None, **kwargs",
       f,
       {},
       0,
       call_through},
      {"torch.vmap", "func, in_dims=0, out_dims=0, **kwargs", f},
      {"torch.func.vmap", "func, in_dims=0, out_dims=0, **kwargs", f},
      {"torch.func.grad", "func, argnums=0, has_aux=False", f},
      {"torch.func.functional_call", "module, parameter_and_buffer_dicts, args, kwargs=None", f},
      {"torch.typename", "obj", o},
      {"torch.is_storage", "obj", f, {}, 0, answers::truth},
      {"torch.promote_types", "type1, type2", f},
      {"torch.result_type", "tensor1, tensor2", f},
      {"torch.can_cast", "from_, to", f, {}, 0, answers::truth},
  };
  return k_rows;
}

} // namespace faultline::program
