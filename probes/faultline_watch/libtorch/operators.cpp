#include "operators.hpp"

#include "recorder.hpp"

#include <string_view>
#include <unordered_map>

namespace faultline_watch {

namespace {

std::unordered_map<std::string_view, Operator> make_operators()
{
  std::unordered_map<std::string_view, Operator> all = {
      {"aten::linear", {Use::layer, "linear"}},
      {"aten::addmm", {Use::layer, "linear", 1}},
      {"aten::matmul", {Use::layer, "linear"}},
      {"aten::mm", {Use::layer, "linear"}},
      {"aten::bilinear", {Use::layer, "bilinear"}},
      {"aten::embedding", {Use::layer, "embedding", 1}},
      {"aten::lstm", {Use::layer, "lstm"}},
      {"aten::gru", {Use::layer, "gru"}},
      {"aten::rnn_tanh", {Use::layer, "rnn"}},
      {"aten::rnn_relu", {Use::layer, "rnn"}},
      {"aten::prelu", {Use::layer, "prelu"}},
      {"aten::layer_norm", {Use::layer, "layer_norm"}},
      {"aten::group_norm", {Use::layer, "group_norm"}},
      {"aten::instance_norm", {Use::layer, "instance_norm"}},
      {"aten::batch_norm", {Use::normalisation, "batch_norm", 0, 5}},
      {"aten::cross_entropy_loss", {Use::loss, "cross_entropy", 0, 3}},
      {"aten::nll_loss", {Use::loss, "nll_loss", 0, 3}},
      {"aten::nll_loss_nd", {Use::loss, "nll_loss", 0, 3}},
      {"aten::nll_loss2d", {Use::loss, "nll_loss", 0, 3}},
      {"aten::binary_cross_entropy", {Use::loss, "binary_cross_entropy", 0, 3}},
      {"aten::binary_cross_entropy_with_logits",
       {Use::loss, "binary_cross_entropy_with_logits", 0, 4}},
      {"aten::mse_loss", {Use::loss, "mse_loss", 0, 2}},
      {"aten::l1_loss", {Use::loss, "l1_loss", 0, 2}},
      {"aten::smooth_l1_loss", {Use::loss, "smooth_l1_loss", 0, 2}},
      {"aten::huber_loss", {Use::loss, "huber_loss", 0, 2}},
      {"aten::kl_div", {Use::loss, "kl_div", 0, 2}},
      {"aten::soft_margin_loss", {Use::loss, "soft_margin_loss", 0, 2}},
  };
  for (const char* name : {"aten::conv1d",
                           "aten::conv2d",
                           "aten::conv3d",
                           "aten::conv_transpose1d",
                           "aten::conv_transpose2d",
                           "aten::conv_transpose3d"}) {
    all[name] = {Use::layer, name + 6};
  }
  for (const char* name : {"aten::dropout",
                           "aten::dropout_",
                           "aten::feature_dropout",
                           "aten::feature_dropout_",
                           "aten::alpha_dropout",
                           "aten::alpha_dropout_",
                           "aten::feature_alpha_dropout",
                           "aten::feature_alpha_dropout_"}) {
    all[name] = {Use::dropout, "dropout", 0, 2};
  }
  for (const char* name :
       {"aten::relu",     "aten::relu_",       "aten::sigmoid",   "aten::sigmoid_",
        "aten::tanh",     "aten::tanh_",       "aten::softmax",   "aten::log_softmax",
        "aten::gelu",     "aten::leaky_relu",  "aten::elu",       "aten::selu",
        "aten::celu",     "aten::silu",        "aten::mish",      "aten::softplus",
        "aten::hardtanh", "aten::leaky_relu_", "aten::hardswish", "aten::hardsigmoid",
        "aten::relu6",    "aten::log_sigmoid", "aten::glu",       "aten::elu_",
        "aten::hardtanh_"}) {
    std::string plain = name + 6;
    if (plain.back() == '_') {
      plain.pop_back();
    }
    all[name] = {Use::activation, plain};
  }
  return all;
}

// How many operators this thread is inside of: the program calls the outermost ones.
thread_local int t_depth = 0;

std::unique_ptr<at::ObserverContext> begins(const at::RecordFunction& function)
{
  if (t_depth++ > 0 || !recorder().listens()) {
    return nullptr;
  }
  auto operation = std::make_unique<Operation>();
  operation->kind = &operator_of(function.name());
  recorder().operation_begins(function, *operation);
  return operation;
}

void ended(const at::RecordFunction& function, at::ObserverContext* context)
{
  --t_depth;
  if (context != nullptr && recorder().listens()) {
    recorder().operation_ended(function, *static_cast<Operation*>(context));
  }
}

} // namespace

const Operator& operator_of(const char* name)
{
  // Never destroyed: the program may compute at exit.
  static const auto* const operators =
      new std::unordered_map<std::string_view, Operator>(make_operators());
  static const auto* const other = new Operator();
  const auto found = operators->find(name);
  return found == operators->end() ? *other : found->second;
}

bool changes_first(const char* name)
{
  const std::string_view text(name);
  return !text.empty() && text.back() == '_';
}

bool fills_first(const char* name)
{
  const std::string_view text(name);
  for (const char* filler : {"aten::copy_",
                             "aten::fill_",
                             "aten::zero_",
                             "aten::normal_",
                             "aten::uniform_",
                             "aten::random_",
                             "aten::bernoulli_",
                             "aten::resize_",
                             "aten::set_"}) {
    if (text == filler) {
      return true;
    }
  }
  return false;
}

void watch_operators()
{
  at::addGlobalCallback(at::RecordFunctionCallback(begins, ended)
                            .needsInputs(true)
                            .needsOutputs(true)
                            .scopes({at::RecordScope::FUNCTION}));
}

} // namespace faultline_watch
