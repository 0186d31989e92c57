// Losses: what they want and what they get.

#include "base/format.hpp"
#include "program/libraries/shared/loss_kinds.hpp"
#include "program/libraries/shared/operators.hpp"
#include "program/libraries/torch/torch.hpp"
#include "program/names/tables.hpp"

#include <algorithm>

namespace faultline::program {

namespace torch {

namespace {

// One loss call: prediction and target with their places.
struct Use {
  Machine& machine;
  Call& call;
  Tensor& prediction;
  Tensor& target;
  Span target_span;

  Problem& problem(ProblemKind kind, std::string message) const
  {
    return machine.problem(kind, target_span, std::move(message), &call);
  }
};

bool is_index_loss(LossKind kind)
{
  return kind == LossKind::sparse_categorical || kind == LossKind::nll;
}

// Class probabilities instead of indices.
bool gives_probabilities(const Use& use, LossKind kind)
{
  const auto& a = use.prediction.shape;
  const auto& b = use.target.shape;
  return kind == LossKind::sparse_categorical && use.target.dtype.is_floating() && a.has_rank() &&
         a.rank() == b.rank();
}

Shape index_shape(const Shape& prediction)
{
  if (!prediction.has_rank() || *prediction.rank() == 0) {
    return Shape::top();
  }
  return prediction.without(*prediction.rank() == 1 ? 0 : 1);
}

void check_index_target(const Use& use)
{
  const Shape wanted = index_shape(use.prediction.shape);
  const Shape& got = use.target.shape;
  if (got.compare(wanted) == Dim::Comparison::different) {
    Problem& problem =
        use.problem(ProblemKind::loss_shape,
                    format("`{}` of predictions {} wants class indices of shape {}, but gets {}",
                           short_name(use.call),
                           use.prediction.shape.text(),
                           wanted.text(),
                           got.text()));
    const bool column = got.has_rank() && wanted.has_rank() && *got.rank() == *wanted.rank() + 1 &&
                        got.at(-1).is(1);
    if (column) {
      problem.help = "remove the last axis with `.squeeze(-1)`";
    } else if (use.target.encoding == Encoding::one_hot) {
      problem.help = "targets are indices, not one-hot: use `.argmax(dim=1)`";
    }
    return;
  }
  const DType type = use.target.dtype;
  const bool accepted =
      type.is_unknown() || type == DType(DType::Kind::int64) || type == DType(DType::Kind::uint8);
  if (!accepted) {
    use.problem(ProblemKind::target_not_int64,
                format("`{}` gets class indices of type {}", short_name(use.call), type.text()))
        .help = "convert them with `.long()`";
  }
}

void check_real_target(const Use& use, LossKind kind)
{
  const Shape& a = use.prediction.shape;
  const Shape& b = use.target.shape;
  const bool same_only = kind == LossKind::binary;
  const bool clash = same_only ? a.compare(b) == Dim::Comparison::different
                               : broadcast(a, b).outcome == Broadcast::Outcome::impossible;
  if (clash) {
    use.problem(ProblemKind::loss_shape,
                format("`{}` gets predictions of shape {} and targets of shape {}",
                       short_name(use.call),
                       a.text(),
                       b.text()));
  }
  const DType type = use.target.dtype;
  if ((type.is_integer() || type == DType(DType::Kind::boolean)) &&
      use.prediction.dtype.is_floating()) {
    use.problem(ProblemKind::target_not_float,
                format("`{}` gets targets of type {}", short_name(use.call), type.text()))
        .help = "convert them with `.float()`";
  }
}

Shape shape_without_reduction(const Use& use, LossKind kind)
{
  if (is_index_loss(kind)) {
    return gives_probabilities(use, kind)
               ? index_shape(use.prediction.shape)
               : better_known(use.target.shape, index_shape(use.prediction.shape));
  }
  if (kind == LossKind::margin || kind == LossKind::cosine || kind == LossKind::ctc ||
      kind == LossKind::hinge) {
    return Shape::top();
  }
  return combined(use.prediction.shape, use.target.shape).result.shape;
}

Shape loss_shape(const Use& use, LossKind kind)
{
  Machine& machine = use.machine;
  const Ref reduce = option(use.call, {"reduce"});
  if (reduce != nullptr && machine.to_bool(reduce) == false) {
    return shape_without_reduction(use, kind);
  }
  const auto reduction = machine.to_string(option(use.call, {"reduction"}));
  if (!reduction) {
    return Shape::top();
  }
  return *reduction == "none" ? shape_without_reduction(use, kind) : Shape::scalar();
}

} // namespace

Ref loss(Machine& machine, Call& call)
{
  const Argument* first = operand(call, 0, "input");
  // Losses of pairs get two predictions before the target; triplets have none.
  const bool of_pair = call.is("loss.margin") || call.is("loss.cosine");
  const Argument* second = of_pair ? operand(call, 2, "target")
                                   : operand(call, 1, call.is("loss.ctc") ? "targets" : "target");
  const Use use{machine,
                call,
                as_tensor(machine, first != nullptr ? first->value : nullptr),
                as_tensor(machine, second != nullptr ? second->value : nullptr),
                second != nullptr ? second->span : call.span};
  const LossKind declared = loss_kind(call.op());
  LossKind kind = declared;
  const bool pairs = declared == LossKind::margin || declared == LossKind::cosine ||
                     declared == LossKind::hinge || declared == LossKind::ctc ||
                     declared == LossKind::custom;
  if (is_index_loss(declared)) {
    if (gives_probabilities(use, declared)) {
      kind = LossKind::categorical;
      if (use.prediction.shape.compare(use.target.shape) == Dim::Comparison::different) {
        use.problem(ProblemKind::loss_shape,
                    format("`{}` gets predictions of shape {} and probabilities of shape {}",
                           short_name(call),
                           use.prediction.shape.text(),
                           use.target.shape.text()));
      }
    } else {
      check_index_target(use);
    }
  } else if (!pairs) {
    check_real_target(use, declared);
  }
  if (devices_clash(use.prediction, use.target) && !defaults_changed(machine)) {
    machine.problem(ProblemKind::device,
                    use.target_span,
                    format("predictions on {} meet targets on {}",
                           use.prediction.device.text(),
                           use.target.device.text()),
                    &call);
  }
  LossUse& noted = machine.loss_use(call);
  noted.kind = kind;
  noted.wants = static_cast<LossInput>(call.api->number);
  noted.prediction = &use.prediction;
  noted.prediction_span = first != nullptr ? first->span : call.span;
  noted.target = second != nullptr ? second->value : nullptr;
  noted.target_span = use.target_span;
  noted.framework = "torch";
  noted.class_axis = 1;

  Tensor* made = result(machine, call, use.prediction, loss_shape(use, declared));
  made->contiguous = Truth::yes;
  return made;
}

} // namespace torch

std::span<const Api> torch_losses()
{
  using torch::loss;
  constexpr Role c = Role::loss;
  constexpr Role f = Role::loss_function;
  constexpr int k_any = static_cast<int>(LossInput::any);
  constexpr int k_logits = static_cast<int>(LossInput::logits);
  constexpr int k_log = static_cast<int>(LossInput::log_probabilities);
  constexpr int k_prob = static_cast<int>(LossInput::probabilities);
#define FL_REDUCTION "size_average=None, reduce=None, reduction='mean'"
  static constexpr Api k_rows[] = {
      {"torch.nn.CrossEntropyLoss",
       "weight=None, size_average=None, ignore_index=-100, reduce=None, reduction='mean', "
       "label_smoothing=0.0",
       c,
       "loss.sparse_categorical",
       0,
       loss,
       {},
       k_logits},
      {"torch.nn.functional.cross_entropy",
       "input, target, weight=None, size_average=None, ignore_index=-100, reduce=None, "
       "reduction='mean', label_smoothing=0.0",
       f,
       "loss.sparse_categorical",
       0,
       loss,
       {},
       k_logits},
      {"torch.nn.NLLLoss",
       "weight=None, size_average=None, ignore_index=-100, reduce=None, reduction='mean'",
       c,
       "loss.nll",
       0,
       loss,
       {},
       k_log},
      {"torch.nn.NLLLoss2d",
       "weight=None, size_average=None, ignore_index=-100, reduce=None, reduction='mean'",
       c,
       "loss.nll",
       0,
       loss,
       {},
       k_log},
      {"torch.nn.functional.nll_loss",
       "input, target, weight=None, size_average=None, ignore_index=-100, reduce=None, "
       "reduction='mean'",
       f,
       "loss.nll",
       0,
       loss,
       {},
       k_log},
      {"torch.nn.BCELoss", "weight=None, " FL_REDUCTION, c, "loss.binary", 0, loss, {}, k_prob},
      {"torch.nn.functional.binary_cross_entropy",
       "input, target, weight=None, " FL_REDUCTION,
       f,
       "loss.binary",
       0,
       loss,
       {},
       k_prob},
      {"torch.nn.BCEWithLogitsLoss",
       "weight=None, " FL_REDUCTION ", pos_weight=None",
       c,
       "loss.binary",
       0,
       loss,
       {},
       k_logits},
      {"torch.nn.functional.binary_cross_entropy_with_logits",
       "input, target, weight=None, " FL_REDUCTION ", pos_weight=None",
       f,
       "loss.binary",
       0,
       loss,
       {},
       k_logits},
      {"torch.nn.MSELoss", FL_REDUCTION, c, "loss.mse", 0, loss, {}, k_any},
      {"torch.nn.functional.mse_loss",
       "input, target, " FL_REDUCTION,
       f,
       "loss.mse",
       0,
       loss,
       {},
       k_any},
      {"torch.nn.L1Loss", FL_REDUCTION, c, "loss.mae", 0, loss, {}, k_any},
      {"torch.nn.functional.l1_loss",
       "input, target, " FL_REDUCTION,
       f,
       "loss.mae",
       0,
       loss,
       {},
       k_any},
      {"torch.nn.SmoothL1Loss", FL_REDUCTION ", beta=1.0", c, "loss.huber", 0, loss, {}, k_any},
      {"torch.nn.functional.smooth_l1_loss",
       "input, target, " FL_REDUCTION ", beta=1.0",
       f,
       "loss.huber",
       0,
       loss,
       {},
       k_any},
      {"torch.nn.HuberLoss", "reduction='mean', delta=1.0", c, "loss.huber", 0, loss, {}, k_any},
      {"torch.nn.functional.huber_loss",
       "input, target, reduction='mean', delta=1.0",
       f,
       "loss.huber",
       0,
       loss,
       {},
       k_any},
      {"torch.nn.KLDivLoss", FL_REDUCTION ", log_target=False", c, "loss.kl", 0, loss, {}, k_log},
      {"torch.nn.functional.kl_div",
       "input, target, " FL_REDUCTION ", log_target=False",
       f,
       "loss.kl",
       0,
       loss,
       {},
       k_log},
      {"torch.nn.CTCLoss",
       "blank=0, reduction='mean', zero_infinity=False",
       c,
       "loss.ctc",
       0,
       loss,
       {},
       k_log},
      {"torch.nn.functional.ctc_loss",
       "log_probs, targets, input_lengths, target_lengths, blank=0, reduction='mean', "
       "zero_infinity=False",
       f,
       "loss.ctc",
       0,
       loss,
       {},
       k_log},
      {"torch.nn.PoissonNLLLoss",
       "log_input=True, full=False, size_average=None, eps=1e-08, reduce=None, reduction='mean'",
       c,
       "loss.poisson",
       0,
       loss,
       {},
       k_any},
      {"torch.nn.functional.poisson_nll_loss",
       "input, target, log_input=True, full=False, size_average=None, eps=1e-08, reduce=None, "
       "reduction='mean'",
       f,
       "loss.poisson",
       0,
       loss,
       {},
       k_any},
      {"torch.nn.GaussianNLLLoss",
       "full=False, eps=1e-06, reduction='mean'",
       c,
       "loss.gaussian",
       0,
       loss,
       {},
       k_any},
      {"torch.nn.functional.gaussian_nll_loss",
       "input, target, var, full=False, eps=1e-06, reduction='mean'",
       f,
       "loss.gaussian",
       0,
       loss,
       {},
       k_any},
      {"torch.nn.HingeEmbeddingLoss",
       "margin=1.0, " FL_REDUCTION,
       c,
       "loss.hinge",
       0,
       loss,
       {},
       k_any},
      {"torch.nn.functional.hinge_embedding_loss",
       "input, target, margin=1.0, " FL_REDUCTION,
       f,
       "loss.hinge",
       0,
       loss,
       {},
       k_any},
      {"torch.nn.SoftMarginLoss", FL_REDUCTION, c, "loss.hinge", 0, loss, {}, k_any},
      {"torch.nn.functional.soft_margin_loss",
       "input, target, " FL_REDUCTION,
       f,
       "loss.hinge",
       0,
       loss,
       {},
       k_any},
      {"torch.nn.MultiMarginLoss",
       "p=1, margin=1.0, weight=None, " FL_REDUCTION,
       c,
       "loss.hinge",
       0,
       loss,
       {},
       k_any},
      {"torch.nn.functional.multi_margin_loss",
       "input, target, p=1, margin=1.0, weight=None, " FL_REDUCTION,
       f,
       "loss.hinge",
       0,
       loss,
       {},
       k_any},
      {"torch.nn.MultiLabelMarginLoss", FL_REDUCTION, c, "loss.hinge", 0, loss, {}, k_any},
      {"torch.nn.functional.multilabel_margin_loss",
       "input, target, " FL_REDUCTION,
       f,
       "loss.hinge",
       0,
       loss,
       {},
       k_any},
      {"torch.nn.MultiLabelSoftMarginLoss",
       "weight=None, " FL_REDUCTION,
       c,
       "loss.binary",
       0,
       loss,
       {},
       k_logits},
      {"torch.nn.functional.multilabel_soft_margin_loss",
       "input, target, weight=None, " FL_REDUCTION,
       f,
       "loss.binary",
       0,
       loss,
       {},
       k_logits},
      {"torch.nn.MarginRankingLoss",
       "margin=0.0, " FL_REDUCTION,
       c,
       "loss.margin",
       0,
       loss,
       {},
       k_any},
      {"torch.nn.functional.margin_ranking_loss",
       "input1, input2, target, margin=0.0, " FL_REDUCTION,
       f,
       "loss.margin",
       0,
       loss,
       {},
       k_any},
      {"torch.nn.TripletMarginLoss",
       "margin=1.0, p=2.0, eps=1e-06, swap=False, " FL_REDUCTION,
       c,
       "loss.margin",
       0,
       loss,
       {},
       k_any},
      {"torch.nn.functional.triplet_margin_loss",
       "anchor, positive, negative, margin=1.0, p=2, eps=1e-06, swap=False, " FL_REDUCTION,
       f,
       "loss.margin",
       0,
       loss,
       {},
       k_any},
      {"torch.nn.TripletMarginWithDistanceLoss",
       "*, distance_function=None, margin=1.0, swap=False, reduction='mean'",
       c,
       "loss.margin",
       0,
       loss,
       {},
       k_any},
      {"torch.nn.CosineEmbeddingLoss",
       "margin=0.0, " FL_REDUCTION,
       c,
       "loss.cosine",
       0,
       loss,
       {},
       k_any},
      {"torch.nn.functional.cosine_embedding_loss",
       "input1, input2, target, margin=0, " FL_REDUCTION,
       f,
       "loss.cosine",
       0,
       loss,
       {},
       k_any},
      {"torch.nn.AdaptiveLogSoftmaxWithLoss",
       "in_features, n_classes, cutoffs, div_value=4.0, head_bias=False, device=None, dtype=None",
       Role::layer,
       {},
       k_learning},
  };
#undef FL_REDUCTION
  return k_rows;
}

} // namespace faultline::program
