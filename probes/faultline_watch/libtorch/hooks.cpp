// Functions of LibTorch under their own names: the program, and LibTorch itself, call these
// instead, and each calls the real one. They have the binary names of what they stand for, so that
// no class of LibTorch is defined a second time here.

#include "recorder.hpp"
#include "settings.hpp"

#include <dlfcn.h>

namespace faultline_watch {

// The function of this name that this library hides.
template <typename Function> static Function* real(const char* name)
{
  return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

// Nothing of the probe may end the program.
template <typename Note> static void guarded(Note note)
{
  if (!recorder().listens()) {
    return;
  }
  try {
    const Pause pause;
    note(recorder());
  } catch (const std::exception&) {
    // What was not seen is not said.
  }
}

// The number of digits of a name is part of it.
#define FL_STEP(length, optimizer)                                                                 \
  FL_HOOKED at::Tensor step_of_##optimizer(                                                        \
      torch::optim::Optimizer* self,                                                               \
      std::function<at::Tensor()> closure) __asm__("_ZN5torch5optim" #length #optimizer            \
                                                   "4stepESt8functionIFN2at6TensorEvEE");          \
  at::Tensor step_of_##optimizer(torch::optim::Optimizer* self,                                    \
                                 std::function<at::Tensor()> closure)                              \
  {                                                                                                \
    static auto* const original = real<decltype(step_of_##optimizer)>(                             \
        "_ZN5torch5optim" #length #optimizer "4stepESt8functionIFN2at6TensorEvEE");                \
    return stepped(original, self, std::move(closure));                                            \
  }

#define FL_HOOKED extern __attribute__((visibility("default")))

using Step = at::Tensor(torch::optim::Optimizer*, std::function<at::Tensor()>);

static at::Tensor
stepped(Step* original, torch::optim::Optimizer* self, std::function<at::Tensor()> closure)
{
  guarded([&](Recorder& recorder) { recorder.before_step(*self); });
  if (closure) { // computes the loss inside, maybe several times
    at::Tensor loss = original(self, std::move(closure));
    guarded([&](Recorder& recorder) { recorder.after_step(*self); });
    return loss;
  }
  const bool listened = recorder().listens();
  at::Tensor loss;
  {
    const Pause pause;
    loss = original(self, nullptr);
  }
  if (listened) {
    guarded([&](Recorder& recorder) { recorder.after_step(*self); });
  }
  return loss;
}

FL_STEP(3, SGD)
FL_STEP(4, Adam)
FL_STEP(5, AdamW)
FL_STEP(5, LBFGS)
FL_STEP(7, Adagrad)
FL_STEP(7, RMSprop)

#define FL_HOOK(result, function, parameters, name)                                                \
  FL_HOOKED result function parameters __asm__(name);                                              \
  static auto* original_##function()                                                               \
  {                                                                                                \
    static auto* const original = real<decltype(function)>(name);                                  \
    return original;                                                                               \
  }                                                                                                \
  result function parameters

FL_HOOK(void,
        optimizer_zero_grad,
        (torch::optim::Optimizer * self),
        "_ZN5torch5optim9Optimizer9zero_gradEv")
{
  guarded([](Recorder& recorder) { recorder.gradients_cleared(); });
  const Pause pause;
  original_optimizer_zero_grad()(self);
}

FL_HOOK(void,
        module_zero_grad,
        (torch::nn::Module * self, bool to_none),
        "_ZN5torch2nn6Module9zero_gradEb")
{
  guarded([](Recorder& recorder) { recorder.gradients_cleared(); });
  const Pause pause;
  original_module_zero_grad()(self, to_none);
}

FL_HOOK(void,
        add_param_group,
        (torch::optim::Optimizer * self, const torch::optim::OptimizerParamGroup& group),
        "_ZN5torch5optim9Optimizer15add_param_groupERKNS0_19OptimizerParamGroupE")
{
  guarded([&](Recorder& recorder) { recorder.optimizer_given(self, group.params()); });
  original_add_param_group()(self, group);
}

FL_HOOK(std::vector<at::Tensor>,
        module_parameters,
        (const torch::nn::Module* self, bool recurse),
        "_ZNK5torch2nn6Module10parametersEb")
{
  guarded([&](Recorder& recorder) { recorder.layers().parameters_asked(*self); });
  return original_module_parameters()(self, recurse);
}

FL_HOOK(at::Tensor&,
        register_parameter,
        (torch::nn::Module * self, std::string name, at::Tensor tensor, bool requires_grad),
        "_ZN5torch2nn6Module18register_parameterENSt7__cxx1112basic_stringIcSt11char_"
        "traitsIcESaIcEEEN2at6TensorEb")
{
  const std::string kept = name;
  at::Tensor& registered =
      original_register_parameter()(self, std::move(name), std::move(tensor), requires_grad);
  guarded([&](Recorder& recorder) {
    recorder.layers().parameter_registered(self, readable(typeid(*self).name()), kept, registered);
  });
  return registered;
}

FL_HOOK(void,
        module_load,
        (torch::nn::Module * self, torch::serialize::InputArchive& archive),
        "_ZN5torch2nn6Module4loadERNS_9serialize12InputArchiveE")
{
  guarded([](Recorder& recorder) { recorder.loaded(); });
  original_module_load()(self, archive);
}

FL_HOOK(void,
        tensor_backward,
        (const at::Tensor* self,
         at::TensorList inputs,
         const c10::optional<at::Tensor>& gradient,
         c10::optional<bool> retain_graph,
         bool create_graph),
        "_ZNK2at6Tensor9_backwardEN3c108ArrayRefIS0_EERKNS1_8optionalIS0_EENS4_IbEEb")
{
  try {
    recorder().before_backward(*self);
  } catch (const std::exception&) {
    // What was not seen is not said.
  }
  const Pause pause;
  original_tensor_backward()(self, inputs, gradient, retain_graph, create_graph);
}

FL_HOOK(void,
        autograd_backward,
        (const std::vector<at::Tensor>& tensors,
         const std::vector<at::Tensor>& gradients,
         c10::optional<bool> retain_graph,
         bool create_graph,
         const std::vector<at::Tensor>& inputs),
        "_ZN5torch8autograd8backwardERKSt6vectorIN2at6TensorESaIS3_EES7_N3c108optionalIbEEbS7_")
{
  if (recorder().listens() && tensors.size() == 1) { // else Tensor::backward has told of it
    try {
      recorder().before_backward(tensors[0]);
    } catch (const std::exception&) {
      // What was not seen is not said.
    }
  }
  const Pause pause;
  original_autograd_backward()(tensors, gradients, retain_graph, create_graph, inputs);
}

FL_HOOK(at::Tensor, make_tensor, (void* self), "_ZN2at11TensorMaker11make_tensorEv")
{
  at::Tensor made = original_make_tensor()(self);
  guarded([&](Recorder& recorder) { recorder.memory_given(made); });
  return made;
}

} // namespace faultline_watch
