// Attention and transformers.

#include "base/format.hpp"
#include "program/libraries/torch/torch.hpp"
#include "program/names/tables.hpp"

namespace faultline::program {

namespace torch {

namespace {

void attention_problem(Machine& machine, Call& call, Span span, std::string message)
{
  machine.problem(ProblemKind::attention_shape, span, std::move(message), &call);
}

void check_width(Machine& machine, Call& call, size_t n, std::string_view setting)
{
  const Ref value = operand_value(call, n);
  const auto* tensor = as<Tensor>(value);
  if (tensor == nullptr) {
    return;
  }
  const Dim wanted = machine.to_dim(call.setting_value(setting));
  const Dim size = tensor->shape.at(-1);
  if (wanted.compare(size) == Dim::Comparison::different) {
    attention_problem(machine,
                      call,
                      operand_span(call, n),
                      format("`{}` has {} {}, but gets a tensor of shape {}",
                             short_name(call),
                             setting,
                             wanted.text(),
                             tensor->shape.text()));
  }
}

// Keys and values are as many, which axis `time` counts.
void check_lengths(
    Machine& machine, Call& call, const Tensor& key, const Tensor& value, int64_t time)
{
  if (key.shape.at(time).compare(value.shape.at(time)) == Dim::Comparison::different) {
    attention_problem(machine,
                      call,
                      operand_span(call, 2, "value"),
                      format("keys of shape {} and values of shape {} differ in length",
                             key.shape.text(),
                             value.shape.text()));
  }
}

} // namespace

static Ref multihead(Machine& machine, Call& call)
{
  const Tensor& query = as_tensor(machine, operand_value(call, 0, "query"));
  const Tensor& key = as_tensor(machine, operand_value(call, 1, "key"));
  const Tensor& value = as_tensor(machine, operand_value(call, 2, "value"));
  check_weights_meet(machine, call, query);
  check_width(machine, call, 0, "embed_dim");
  if (machine.is_none(call.setting_value("kdim"))) {
    check_width(machine, call, 1, "embed_dim");
  }
  const bool batch_first = is_true(machine, call, "batch_first");
  const bool batched = query.shape.rank() == 3;
  const int64_t time = batched && batch_first ? 1 : 0;
  check_lengths(machine, call, key, value, time);
  Tensor* output = result(machine, call, query, query.shape, Interval::reals());
  Shape weights = Shape::top();
  if (batched) {
    weights = Shape::of({query.shape.at(1 - time), query.shape.at(time), key.shape.at(time)});
  }
  return machine.tuple({output, result(machine, call, query, weights, Interval::of(0, 1))});
}

// The last tensor that determines the shape: `src` of an encoder, `tgt` of a decoder.
static Ref transformer_layer(Machine& machine, Call& call)
{
  const Tensor& input = as_tensor(machine, operand_value(call, 0));
  check_weights_meet(machine, call, input);
  check_width(machine, call, 0, "d_model");
  if (short_name(call) == "TransformerDecoderLayer") {
    check_width(machine, call, 1, "d_model");
  }
  return result(machine, call, input, input.shape, Interval::reals());
}

static Ref transformer_stack(Machine& machine, Call& call)
{
  const Tensor& input = as_tensor(machine, operand_value(call, 0));
  if (auto* layer = as<Instance>(call.setting_value("encoder_layer"));
      layer != nullptr && layer->made_by != nullptr) {
    const Dim wanted = machine.to_dim(layer->made_by->arg("d_model"));
    if (wanted.compare(input.shape.at(-1)) == Dim::Comparison::different) {
      attention_problem(machine,
                        call,
                        operand_span(call, 0),
                        format("layers with d_model {} get a tensor of shape {}",
                               wanted.text(),
                               input.shape.text()));
    }
  }
  return result(machine, call, input, input.shape, Interval::reals());
}

static Ref transformer(Machine& machine, Call& call)
{
  const Tensor& target = as_tensor(machine, operand_value(call, 1, "tgt"));
  check_width(machine, call, 0, "d_model");
  check_width(machine, call, 1, "d_model");
  return result(machine, call, target, target.shape, Interval::reals());
}

static Ref attend(Machine& machine, Call& call)
{
  const Tensor& query = as_tensor(machine, operand_value(call, 0, "query"));
  const Tensor& key = as_tensor(machine, operand_value(call, 1, "key"));
  const Tensor& value = as_tensor(machine, operand_value(call, 2, "value"));
  if (query.shape.at(-1).compare(key.shape.at(-1)) == Dim::Comparison::different) {
    attention_problem(machine,
                      call,
                      operand_span(call, 1, "key"),
                      format("queries of shape {} and keys of shape {} differ in width",
                             query.shape.text(),
                             key.shape.text()));
  }
  check_lengths(machine, call, key, value, -2);
  return result(machine,
                call,
                query,
                query.shape.has_rank() ? query.shape.with(-1, value.shape.at(-1)) : Shape::top(),
                value.interval);
}

static Ref square_mask(Machine& machine, Call& call)
{
  const Dim size = machine.to_dim(option(call, {"sz"}));
  Tensor* made =
      machine.data(Library::torch, Shape::of({size, size}), DType::Kind::float32, Interval::top());
  made->producer = &call;
  made->requires_grad = Truth::no;
  return made;
}

} // namespace torch

std::span<const Api> torch_attention()
{
  using namespace torch;
  constexpr Role l = Role::layer;
#define FL_BLOCK                                                                                   \
  "d_model, nhead, dim_feedforward=2048, dropout=0.1, activation='relu', layer_norm_eps=1e-05, "   \
  "batch_first=False, norm_first=False, bias=True, device=None, dtype=None"
  static constexpr Api k_rows[] = {
      {"torch.nn.MultiheadAttention",
       "embed_dim, num_heads, dropout=0.0, bias=True, add_bias_kv=False, add_zero_attn=False, "
       "kdim=None, vdim=None, batch_first=False, device=None, dtype=None",
       l,
       "attention",
       k_learning,
       multihead},
      {"torch.nn.TransformerEncoderLayer",
       FL_BLOCK,
       l,
       "transformer",
       k_learning,
       transformer_layer},
      {"torch.nn.TransformerDecoderLayer",
       FL_BLOCK,
       l,
       "transformer",
       k_learning,
       transformer_layer},
      {"torch.nn.TransformerEncoder",
       "encoder_layer, num_layers, norm=None, enable_nested_tensor=True, mask_check=True",
       l,
       "transformer",
       k_learning,
       transformer_stack},
      {"torch.nn.TransformerDecoder",
       "decoder_layer, num_layers, norm=None",
       l,
       "transformer",
       k_learning,
       transformer_stack},
      {"torch.nn.Transformer",
       "d_model=512, nhead=8, num_encoder_layers=6, num_decoder_layers=6, dim_feedforward=2048, "
       "dropout=0.1, activation='relu', custom_encoder=None, custom_decoder=None, "
       "layer_norm_eps=1e-05, batch_first=False, norm_first=False, bias=True, device=None, "
       "dtype=None",
       l,
       "transformer",
       k_learning,
       transformer},
      {"torch.nn.Transformer.generate_square_subsequent_mask",
       "sz, device=None, dtype=None",
       Role::method,
       {},
       0,
       square_mask},
      {"torch.nn.functional.scaled_dot_product_attention",
       "query, key, value, attn_mask=None, dropout_p=0.0, is_causal=False, scale=None, "
       "enable_gqa=False",
       Role::function,
       "attention",
       0,
       attend},
      {"torch.nn.functional.multi_head_attention_forward",
       "query, key, value, *args, **kwargs",
       Role::function,
       "attention"},
  };
#undef FL_BLOCK
  return k_rows;
}

} // namespace faultline::program
