// Other spellings of names. A row `{from, to}` renames `from` and everything below it; renaming
// goes on until no row fits, and the longest `from` wins. Classes are listed where a package
// exports them from the module that defines them.

#include "program/models/tables.hpp"

namespace faultline::program {

std::span<const Alias> torch_aliases()
{
  static constexpr Alias k_aliases[] = {
      {"torch.functional", "torch"},
      {"torch.nn.modules", "torch.nn"},
      {"torch.nn.modules.activation", "torch.nn"},
      {"torch.nn.modules.adaptive", "torch.nn"},
      {"torch.nn.modules.batchnorm", "torch.nn"},
      {"torch.nn.modules.container", "torch.nn"},
      {"torch.nn.modules.conv", "torch.nn"},
      {"torch.nn.modules.distance", "torch.nn"},
      {"torch.nn.modules.dropout", "torch.nn"},
      {"torch.nn.modules.flatten", "torch.nn"},
      {"torch.nn.modules.fold", "torch.nn"},
      {"torch.nn.modules.instancenorm", "torch.nn"},
      {"torch.nn.modules.linear", "torch.nn"},
      {"torch.nn.modules.loss", "torch.nn"},
      {"torch.nn.modules.module", "torch.nn"},
      {"torch.nn.modules.normalization", "torch.nn"},
      {"torch.nn.modules.padding", "torch.nn"},
      {"torch.nn.modules.pixelshuffle", "torch.nn"},
      {"torch.nn.modules.pooling", "torch.nn"},
      {"torch.nn.modules.rnn", "torch.nn"},
      {"torch.nn.modules.sparse", "torch.nn"},
      {"torch.nn.modules.transformer", "torch.nn"},
      {"torch.nn.modules.upsampling", "torch.nn"},
      {"torch.nn.modules.utils", "torch.nn.utils"},
      {"torch.nn.modules.linear.NonDynamicallyQuantizableLinear", "torch.nn.Linear"},
      {"torch.nn.parameter", "torch.nn"},
      {"torch.nn.Buffer", "torch.nn.Parameter"},
      {"torch.nn.backends", "torch.backends"},
      {"torch.nn.parallel.DataParallel", "torch.nn.DataParallel"},
      {"torch.nn.parallel.data_parallel.DataParallel", "torch.nn.DataParallel"},
      {"torch.nn.parallel.distributed.DistributedDataParallel",
       "torch.nn.parallel.DistributedDataParallel"},
      {"torch.nn.utils.clip_grad", "torch.nn.utils"},
      {"torch.nn.utils.clip_grad.clip_grad_norm", "torch.nn.utils.clip_grad_norm_"},
      {"torch.nn.utils.clip_grad_norm", "torch.nn.utils.clip_grad_norm_"},
      {"torch.nn.utils.weight_norm.weight_norm", "torch.nn.utils.weight_norm"},
      {"torch.nn.utils.spectral_norm.spectral_norm", "torch.nn.utils.spectral_norm"},
      {"torch.nn.utils.parametrizations.spectral_norm", "torch.nn.utils.spectral_norm"},
      {"torch.nn.utils.parametrizations.weight_norm", "torch.nn.utils.weight_norm"},
      {"torch.nn.functional.upsample", "torch.nn.functional.interpolate"},
      {"torch.nn.functional.upsample_bilinear", "torch.nn.functional.interpolate"},
      {"torch.nn.functional.upsample_nearest", "torch.nn.functional.interpolate"},
      {"torch.nn.init.xavier_uniform", "torch.nn.init.xavier_uniform_"},
      {"torch.nn.init.xavier_normal", "torch.nn.init.xavier_normal_"},
      {"torch.nn.init.kaiming_uniform", "torch.nn.init.kaiming_uniform_"},
      {"torch.nn.init.kaiming_normal", "torch.nn.init.kaiming_normal_"},
      {"torch.nn.init.constant", "torch.nn.init.constant_"},
      {"torch.nn.init.normal", "torch.nn.init.normal_"},
      {"torch.nn.init.uniform", "torch.nn.init.uniform_"},
      {"torch.nn.init.orthogonal", "torch.nn.init.orthogonal_"},
      {"torch.nn.init.eye", "torch.nn.init.eye_"},
      {"torch.nn.init.dirac", "torch.nn.init.dirac_"},
      {"torch.nn.init.sparse", "torch.nn.init.sparse_"},
      {"torch.autograd.variable", "torch.autograd"},
      {"torch.autograd.variable.Variable", "torch.autograd.Variable"},
      {"torch.autograd.function.Function", "torch.autograd.Function"},
      {"torch.autograd.grad_mode.no_grad", "torch.no_grad"},
      {"torch.autograd.no_grad", "torch.no_grad"},
      {"torch.autograd.enable_grad", "torch.enable_grad"},
      {"torch.autograd.set_grad_enabled", "torch.set_grad_enabled"},
      {"torch.autograd.inference_mode", "torch.inference_mode"},
      {"torch.inference_mode", "torch.no_grad"},
      {"torch.optim.optimizer.Optimizer", "torch.optim.Optimizer"},
      {"torch.optim.adam.Adam", "torch.optim.Adam"},
      {"torch.optim.adamw.AdamW", "torch.optim.AdamW"},
      {"torch.optim.sgd.SGD", "torch.optim.SGD"},
      {"torch.optim.rmsprop.RMSprop", "torch.optim.RMSprop"},
      {"torch.optim.adagrad.Adagrad", "torch.optim.Adagrad"},
      {"torch.optim.lbfgs.LBFGS", "torch.optim.LBFGS"},
      {"torch.optim.lr_scheduler._LRScheduler", "torch.optim.lr_scheduler.LRScheduler"},
      {"torch.cuda.amp", "torch.amp"},
      {"torch.cuda.amp.autocast_mode.autocast", "torch.amp.autocast"},
      {"torch.cpu.amp", "torch.amp"},
      {"torch.autocast", "torch.amp.autocast"},
      {"torch.amp.autocast_mode.autocast", "torch.amp.autocast"},
      {"torch.amp.grad_scaler.GradScaler", "torch.amp.GradScaler"},
      {"torch.utils.data.dataset", "torch.utils.data"},
      {"torch.utils.data.dataloader", "torch.utils.data"},
      {"torch.utils.data.sampler", "torch.utils.data"},
      {"torch.utils.data.distributed.DistributedSampler", "torch.utils.data.DistributedSampler"},
      {"torch.utils.checkpoint.checkpoint_sequential", "torch.utils.checkpoint.checkpoint"},
      {"torch.fft.fft2", "torch.fft.fft"},
      {"torch.special.expit", "torch.sigmoid"},
      {"torch.special.logsumexp", "torch.logsumexp"},
      {"torch.special.softmax", "torch.softmax"},
      {"torch.special.log_softmax", "torch.log_softmax"},
      {"torch.special.exp2", "torch.exp2"},
      {"torch.special.expm1", "torch.expm1"},
      {"torch.special.log1p", "torch.log1p"},
      {"torch.special.erf", "torch.erf"},
      {"torch.special.erfinv", "torch.erfinv"},
      {"torch.special.digamma", "torch.digamma"},
      {"torch.special.gammaln", "torch.lgamma"},
      {"torch._tensor.Tensor", "torch.Tensor"},
      {"torch.tensor.Tensor", "torch.Tensor"},
  };
  return k_aliases;
}

std::span<const Alias> keras_aliases()
{
  static constexpr Alias k_aliases[] = {
      {"keras.layers.core", "keras.layers"},
      {"keras.layers.convolutional", "keras.layers"},
      {"keras.layers.pooling", "keras.layers"},
      {"keras.layers.recurrent", "keras.layers"},
      {"keras.layers.normalization", "keras.layers"},
      {"keras.layers.embeddings", "keras.layers"},
      {"keras.layers.advanced_activations", "keras.layers"},
      {"keras.layers.noise", "keras.layers"},
      {"keras.layers.merge", "keras.layers"},
      {"keras.layers.wrappers", "keras.layers"},
      {"keras.layers.local", "keras.layers"},
  };
  return k_aliases;
}

std::span<const Alias> tensorflow_aliases()
{
  static constexpr Alias k_aliases[] = {
      {"tensorflow.keras", "keras"},
      {"tensorflow.python.keras", "keras"},
      {"tensorflow.compat.v1.keras", "keras"},
      {"tensorflow.compat.v1", "tensorflow"},
      {"tensorflow.compat.v2", "tensorflow"},
  };
  return k_aliases;
}

} // namespace faultline::program
