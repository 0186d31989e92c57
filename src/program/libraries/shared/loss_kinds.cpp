#include "program/libraries/shared/loss_kinds.hpp"

#include <algorithm>

namespace faultline::program {

LossKind loss_kind(std::string_view op)
{
  struct Row {
    std::string_view op;
    LossKind kind;
  };
  constexpr Row k_rows[] = {
      {"loss.categorical", LossKind::categorical},
      {"loss.sparse_categorical", LossKind::sparse_categorical},
      {"loss.binary", LossKind::binary},
      {"loss.nll", LossKind::nll},
      {"loss.mse", LossKind::mse},
      {"loss.mae", LossKind::mae},
      {"loss.huber", LossKind::huber},
      {"loss.hinge", LossKind::hinge},
      {"loss.kl", LossKind::kl},
      {"loss.ctc", LossKind::ctc},
      {"loss.poisson", LossKind::poisson},
      {"loss.cosine", LossKind::cosine},
      {"loss.margin", LossKind::margin},
  };
  const auto* found = std::ranges::find(k_rows, op, &Row::op);
  return found != std::end(k_rows) ? found->kind : LossKind::custom;
}

} // namespace faultline::program
