// Layers with weights that work on one tensor: linear, embedding, normalisation, dropout.

#include "base/format.hpp"
#include "program/libraries/torch/torch.hpp"
#include "program/names/tables.hpp"

#include <algorithm>

namespace faultline::program {

namespace torch {

namespace {

// Back through what keeps the shape, to what gave it.
const Call* shape_giver(const Tensor& tensor)
{
  constexpr int k_farthest = 8;
  const Tensor* at = &tensor;
  for (int step = 0; step < k_farthest && at->producer != nullptr; ++step) {
    if (!at->producer->has(k_elementwise | k_dropping | k_normalising)) {
      return at->producer;
    }
    const Tensor* input = at->producer->input(0);
    if (input == nullptr) {
      break;
    }
    at = input;
  }
  return at->producer;
}

// What a linear layer gets has another size than it wants. If it comes from maps that were
// flattened, or should have been, the right number is told.
void report_flat_size(Machine& machine, Call& call, const Tensor& input, const Dim& wanted)
{
  const Dim size = input.shape.at(-1);
  const Span span = operand_span(call, 0, "input");
  Problem* problem = nullptr;
  const Call* giver = shape_giver(input);
  const bool flat = giver != nullptr && (giver->is("flatten") || giver->is("reshape"));
  const bool is_map = input.shape.rank() == 4;
  if (is_map) {
    const Dim flattened_size = input.shape.behind(1).elements();
    problem = &machine.problem(ProblemKind::flat_size,
                               span,
                               format("`{}` gets maps of shape {} that are not flattened",
                                      short_name(call),
                                      input.shape.text()),
                               &call);
    problem->help = format("flatten them first: that gives {} features", flattened_size.text());
  } else if (flat) {
    problem = &machine.problem(ProblemKind::flat_size,
                               span,
                               format("`{}` has in_features {}, but the flattened input has {}",
                                      short_name(call),
                                      wanted.text(),
                                      size.text()),
                               &call);
    problem->help = format("set in_features to {}", size.text());
  } else {
    problem =
        &machine.problem(ProblemKind::features,
                         span,
                         format("`{}` has in_features {}, but gets {} in a tensor of shape {}",
                                short_name(call),
                                wanted.text(),
                                size.text(),
                                input.shape.text()),
                         &call);
  }
  if (const Argument* written = call.setting("in_features"); written != nullptr && written->given) {
    problem->notes.push_back({written->span, "in_features is set here"});
  }
}

} // namespace

static Ref linear(Machine& machine, Call& call)
{
  const Tensor& input = input_of(machine, call);
  check_weights_meet(machine, call, input);
  const Dim wanted = machine.to_dim(call.setting_value("in_features"));
  const Dim out = machine.to_dim(call.setting_value("out_features"));
  Shape shape = Shape::top();
  if (input.shape.rank() == 0) {
    check_rank(machine, call, input, {1});
  } else if (wanted.compare(input.shape.at(-1)) == Dim::Comparison::different) {
    report_flat_size(machine, call, input, wanted);
    shape = input.shape.with(-1, out);
  } else {
    shape = input.shape.with(-1, out);
  }
  return result(machine, call, input, shape, Interval::reals());
}

static Ref linear_function(Machine& machine, Call& call)
{
  const Tensor& input = input_of(machine, call);
  const Tensor& weight = as_tensor(machine, operand_value(call, 1, "weight"));
  const Dim wanted = weight.shape.at(1);
  if (wanted.compare(input.shape.at(-1)) == Dim::Comparison::different) {
    machine.problem(ProblemKind::contraction,
                    operand_span(call, 0, "input"),
                    format("`linear` of {} with a weight of shape {}: {} against {}",
                           input.shape.text(),
                           weight.shape.text(),
                           input.shape.at(-1).text(),
                           wanted.text()),
                    &call);
  }
  return result(machine,
                call,
                input,
                input.shape.has_rank() ? input.shape.with(-1, weight.shape.at(0)) : Shape::top(),
                Interval::reals());
}

static Ref bilinear(Machine& machine, Call& call)
{
  const Tensor& input = input_of(machine, call);
  const Dim out = machine.to_dim(call.setting_value("out_features"));
  check_features(machine, call, input, -1, "in1_features");
  return result(machine,
                call,
                input,
                input.shape.has_rank() ? input.shape.with(-1, out) : Shape::top(),
                Interval::reals());
}

static Shape embedded(Machine& machine, Call& call, const Tensor& index, Dim entries, Dim width)
{
  check_index_type(machine, call, index, operand_span(call, 0, "input"));
  const auto count = entries.constant();
  if (count && index.interval.is_known() && index.interval.high() < Interval::k_inf &&
      index.interval.high() >= static_cast<double>(*count)) {
    machine.problem(
        ProblemKind::embedding_range,
        operand_span(call, 0, "input"),
        format("indices up to {:g} for an embedding of {} entries", index.interval.high(), *count),
        &call);
  }
  return index.shape.plus(Shape::of({width}));
}

static Ref embedding(Machine& machine, Call& call)
{
  const Tensor& index = input_of(machine, call);
  const Shape shape = embedded(machine,
                               call,
                               index,
                               machine.to_dim(call.setting_value("num_embeddings")),
                               machine.to_dim(call.setting_value("embedding_dim")));
  Tensor* made = result(machine, call, index, shape, Interval::reals());
  made->dtype = DType::Kind::float32;
  if (call.layer != nullptr && call.layer->device != Device::top()) {
    made->device = call.layer->device;
  }
  check_weights_meet(machine, call, index);
  return made;
}

static Ref embedding_function(Machine& machine, Call& call)
{
  const Tensor& index = input_of(machine, call);
  const Tensor& weight = as_tensor(machine, operand_value(call, 1, "weight"));
  const Shape shape = embedded(machine, call, index, weight.shape.at(0), weight.shape.at(1));
  Tensor* made = result(machine, call, index, shape, Interval::reals());
  made->dtype = weight.dtype;
  return made;
}

static Ref embedding_bag(Machine& machine, Call& call)
{
  const Tensor& index = input_of(machine, call);
  check_index_type(machine, call, index, operand_span(call, 0, "input"));
  const Ref offsets = operand_value(call, 1, "offsets");
  const Dim width = machine.to_dim(call.setting_value("embedding_dim"));
  Dim bags = index.shape.at(0);
  if (offsets != nullptr && !machine.is_none(offsets)) {
    bags = as_tensor(machine, offsets).shape.at(0);
  }
  Tensor* made = result(machine, call, index, Shape::of({bags, width}), Interval::reals());
  made->dtype = DType::Kind::float32;
  return made;
}

// Batch and instance normalisation; the row's number is the spatial rank, -1 for any.
static Ref channel_norm(Machine& machine, Call& call)
{
  const Tensor& input = input_of(machine, call);
  check_weights_meet(machine, call, input);
  const bool batch = call.is("batch_norm");
  bool fits = true;
  switch (call.api->number) {
  case 1:
    fits = check_rank(machine, call, input, {2, 3});
    break;
  case 2:
    fits = batch ? check_rank(machine, call, input, {4}) : check_rank(machine, call, input, {3, 4});
    break;
  case 3:
    fits = batch ? check_rank(machine, call, input, {5}) : check_rank(machine, call, input, {4, 5});
    break;
  default:
    break;
  }
  const bool has_weights = batch || is_true(machine, call, "affine");
  const bool batched =
      batch || input.shape.rank() == static_cast<size_t>(std::max(call.api->number, 0)) + 2;
  if (fits && has_weights && batched && call.layer != nullptr) {
    check_features(machine, call, input, 1, "num_features");
  }
  return result(machine, call, input, input.shape, Interval::reals());
}

static Ref group_norm(Machine& machine, Call& call)
{
  const Tensor& input = input_of(machine, call);
  check_weights_meet(machine, call, input);
  if (call.layer != nullptr) {
    check_features(machine, call, input, 1, "num_channels");
  }
  return result(machine, call, input, input.shape, Interval::reals());
}

static Ref layer_norm(Machine& machine, Call& call)
{
  const Tensor& input = input_of(machine, call);
  check_weights_meet(machine, call, input);
  const auto wanted = machine.to_dims(call.setting_value("normalized_shape"));
  if (wanted && input.shape.has_rank()) {
    const size_t rank = *input.shape.rank();
    const Shape normalised = Shape::of(*wanted);
    const bool longer = wanted->size() > rank;
    if (longer || input.shape.behind(rank - wanted->size()).compare(normalised) ==
                      Dim::Comparison::different) {
      Problem& problem = machine.problem(ProblemKind::features,
                                         operand_span(call, 0, "input"),
                                         format("`{}` over {} gets a tensor of shape {}",
                                                short_name(call),
                                                normalised.text(),
                                                input.shape.text()),
                                         &call);
      if (const Argument* written = call.setting("normalized_shape");
          written != nullptr && written->given) {
        problem.notes.push_back({written->span, "normalized_shape is set here"});
      }
    }
  }
  return result(machine, call, input, input.shape, Interval::reals());
}

} // namespace torch

std::span<const Api> torch_modules()
{
  using namespace torch;
  constexpr Role l = Role::layer;
  constexpr Role f = Role::function;
  constexpr uint32_t k_norm = k_normalising;
  constexpr uint32_t k_batch = k_normalising | k_mode_dependent;
  constexpr uint32_t k_drop = k_dropping | k_mode_dependent | k_random | k_elementwise;
#define FL_PLACE "device=None, dtype=None"
#define FL_BATCH                                                                                   \
  "num_features, eps=1e-05, momentum=0.1, affine=True, track_running_stats=True, " FL_PLACE
#define FL_INSTANCE                                                                                \
  "num_features, eps=1e-05, momentum=0.1, affine=False, track_running_stats=False, " FL_PLACE
  static constexpr Api k_rows[] = {
      {"torch.nn.Linear",
       "in_features, out_features, bias=True, " FL_PLACE,
       l,
       "dense",
       k_learning,
       linear},
      {"torch.nn.LazyLinear", "out_features, bias=True, " FL_PLACE, l, "dense", k_learning, linear},
      {"torch.nn.functional.linear",
       "input, weight, bias=None",
       f,
       "dense",
       k_learning,
       linear_function},
      {"torch.nn.Bilinear",
       "in1_features, in2_features, out_features, bias=True, " FL_PLACE,
       l,
       "bilinear",
       k_learning,
       bilinear},
      {"torch.nn.functional.bilinear",
       "input1, input2, weight, bias=None",
       f,
       "bilinear",
       k_learning},
      {"torch.nn.Embedding",
       "num_embeddings, embedding_dim, padding_idx=None, max_norm=None, norm_type=2.0, "
       "scale_grad_by_freq=False, sparse=False, _weight=None, " FL_PLACE,
       l,
       "embedding",
       k_learning,
       embedding},
      {"torch.nn.functional.embedding",
       "input, weight, padding_idx=None, **kwargs",
       f,
       "embedding",
       k_learning,
       embedding_function},
      {"torch.nn.EmbeddingBag",
       "num_embeddings, embedding_dim, max_norm=None, norm_type=2.0, scale_grad_by_freq=False, "
       "mode='mean', sparse=False, _weight=None, include_last_offset=False, "
       "padding_idx=None, " FL_PLACE,
       l,
       "embedding",
       k_learning,
       embedding_bag},
      {"torch.nn.BatchNorm1d", FL_BATCH, l, "batch_norm", k_batch, channel_norm, {}, 1},
      {"torch.nn.BatchNorm2d", FL_BATCH, l, "batch_norm", k_batch, channel_norm, {}, 2},
      {"torch.nn.BatchNorm3d", FL_BATCH, l, "batch_norm", k_batch, channel_norm, {}, 3},
      {"torch.nn.SyncBatchNorm", FL_BATCH, l, "batch_norm", k_batch, channel_norm, {}, -1},
      {"torch.nn.LazyBatchNorm1d",
       "eps=1e-05, momentum=0.1, affine=True",
       l,
       "batch_norm",
       k_batch,
       channel_norm,
       {},
       1},
      {"torch.nn.LazyBatchNorm2d",
       "eps=1e-05, momentum=0.1, affine=True",
       l,
       "batch_norm",
       k_batch,
       channel_norm,
       {},
       2},
      {"torch.nn.functional.batch_norm",
       "input, running_mean, running_var, weight=None, bias=None, training=False, momentum=0.1, "
       "eps=1e-05",
       f,
       "batch_norm",
       k_batch,
       channel_norm,
       {},
       -1},
      {"torch.nn.InstanceNorm1d", FL_INSTANCE, l, "instance_norm", k_norm, channel_norm, {}, 1},
      {"torch.nn.InstanceNorm2d", FL_INSTANCE, l, "instance_norm", k_norm, channel_norm, {}, 2},
      {"torch.nn.InstanceNorm3d", FL_INSTANCE, l, "instance_norm", k_norm, channel_norm, {}, 3},
      {"torch.nn.functional.instance_norm",
       "input, **kwargs",
       f,
       "instance_norm",
       k_norm,
       channel_norm,
       {},
       -1},
      {"torch.nn.GroupNorm",
       "num_groups, num_channels, eps=1e-05, affine=True, " FL_PLACE,
       l,
       "group_norm",
       k_norm,
       group_norm},
      {"torch.nn.functional.group_norm",
       "input, num_groups, weight=None, bias=None, eps=1e-05",
       f,
       "group_norm",
       k_norm,
       group_norm},
      {"torch.nn.LayerNorm",
       "normalized_shape, eps=1e-05, elementwise_affine=True, bias=True, " FL_PLACE,
       l,
       "layer_norm",
       k_norm,
       layer_norm},
      {"torch.nn.RMSNorm",
       "normalized_shape, eps=None, elementwise_affine=True, " FL_PLACE,
       l,
       "layer_norm",
       k_norm,
       layer_norm},
      {"torch.nn.functional.layer_norm",
       "input, normalized_shape, weight=None, bias=None, eps=1e-05",
       f,
       "layer_norm",
       k_norm,
       layer_norm},
      {"torch.nn.functional.rms_norm",
       "input, normalized_shape, weight=None, eps=None",
       f,
       "layer_norm",
       k_norm,
       layer_norm},
      {"torch.layer_norm",
       "input, normalized_shape, weight=None, bias=None, eps=1e-05",
       f,
       "layer_norm",
       k_norm,
       layer_norm},
      {"torch.nn.LocalResponseNorm",
       "size, alpha=0.0001, beta=0.75, k=1.0",
       l,
       "local_response_norm",
       k_norm | k_elementwise,
       keep},
      {"torch.nn.functional.local_response_norm",
       "input, size, alpha=0.0001, beta=0.75, k=1.0",
       f,
       "local_response_norm",
       k_norm | k_elementwise,
       keep},
      {"torch.nn.CrossMapLRN2d",
       "size, alpha=0.0001, beta=0.75, k=1",
       l,
       "local_response_norm",
       k_norm | k_elementwise,
       keep},
      {"torch.nn.Dropout", "p=0.5, inplace=False", l, "dropout", k_drop, dropout},
      {"torch.nn.Dropout1d", "p=0.5, inplace=False", l, "spatial_dropout", k_drop, dropout},
      {"torch.nn.Dropout2d", "p=0.5, inplace=False", l, "spatial_dropout", k_drop, dropout},
      {"torch.nn.Dropout3d", "p=0.5, inplace=False", l, "spatial_dropout", k_drop, dropout},
      {"torch.nn.AlphaDropout", "p=0.5, inplace=False", l, "alpha_dropout", k_drop, dropout},
      {"torch.nn.FeatureAlphaDropout", "p=0.5, inplace=False", l, "alpha_dropout", k_drop, dropout},
      {"torch.dropout", "input, p, train", f, "dropout", k_drop, dropout},
      {"torch.nn.functional.dropout",
       "input, p=0.5, training=True, inplace=False",
       f,
       "dropout",
       k_drop,
       dropout},
      {"torch.nn.functional.dropout1d",
       "input, p=0.5, training=True, inplace=False",
       f,
       "spatial_dropout",
       k_drop,
       dropout},
      {"torch.nn.functional.dropout2d",
       "input, p=0.5, training=True, inplace=False",
       f,
       "spatial_dropout",
       k_drop,
       dropout},
      {"torch.nn.functional.dropout3d",
       "input, p=0.5, training=True, inplace=False",
       f,
       "spatial_dropout",
       k_drop,
       dropout},
      {"torch.nn.functional.alpha_dropout",
       "input, p=0.5, training=False, inplace=False",
       f,
       "alpha_dropout",
       k_drop,
       dropout},
      {"torch.nn.Identity", "*args, **kwargs", l, "identity", k_elementwise | k_reshaping, keep},
      {"torch.nn.ChannelShuffle", "groups", l, "identity", k_reshaping, keep},
  };
#undef FL_INSTANCE
#undef FL_BATCH
#undef FL_PLACE
  return k_rows;
}

} // namespace faultline::program
