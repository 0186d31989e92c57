#include "inject/training.hpp"

#include "base/format.hpp"
#include "base/text.hpp"

#include <algorithm>
#include <array>

namespace faultline::inject {

namespace {

std::string lower(std::string_view text)
{
  std::string result(text);
  std::ranges::transform(result, result.begin(), [](char letter) {
    return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
  });
  return result;
}

struct LossName {
  std::string_view function;
  std::string_view type;
};

constexpr auto k_losses = std::to_array<LossName>({
    {"cross_entropy", "CrossEntropyLoss"},
    {"nll_loss", "NLLLoss"},
    {"mse_loss", "MSELoss"},
    {"l1_loss", "L1Loss"},
    {"smooth_l1_loss", "SmoothL1Loss"},
    {"huber_loss", "HuberLoss"},
    {"binary_cross_entropy", "BCELoss"},
    {"binary_cross_entropy_with_logits", "BCEWithLogitsLoss"},
    {"kl_div", "KLDivLoss"},
});

// What `.fit` is called on is no model if another library made it.
bool is_keras_model(const Code& code, const Call& call, std::string_view method)
{
  if (call.last() != method || !call.name.ends_with("." + std::string(method)) ||
      !(code.uses("keras") || code.uses("tensorflow"))) {
    return false;
  }
  return call.name.front() == '.' || call.name.starts_with("keras.") ||
         call.name.starts_with("local.");
}

const Node* loop_around(const Node& node, std::optional<Node>& storage)
{
  storage = enclosing(node, {"for_statement", "while_statement", "function_definition"});
  return storage ? &*storage : nullptr;
}

std::vector<Node> backward_calls(const Code& code)
{
  std::vector<Node> nodes;
  for (const Call& call : code.calls()) {
    if (call.last() == "backward" && call.name.find(".backward") != std::string::npos &&
        call.callee.kind() == "attribute") {
      nodes.push_back(call.node);
    }
  }
  return nodes;
}

// `range` of a for statement, if it counts from 0 or 1 in steps of one.
const Call* counting_range(const Code& code, const Node& loop)
{
  const std::optional<Node> iterable = loop.child("right");
  const Call* call = iterable ? code.call_at(*iterable) : nullptr;
  const bool counts = call != nullptr && call->callee.text() == "range" && !call->has_stars &&
                      (call->arguments.size() == 1 || call->arguments.size() == 2);
  return counts ? call : nullptr;
}

// Whether something in `loop` trains: a `.backward()`, or a call of a function that has one.
bool trains(const Code& code, const Node& loop)
{
  const std::vector<Node> backwards = backward_calls(code);
  if (std::ranges::any_of(backwards, [&](const Node& node) { return contains(loop, node); })) {
    return true;
  }
  return std::ranges::any_of(backwards, [&](const Node& node) {
    const std::optional<Node> function = enclosing(node, {"function_definition"});
    return function && std::ranges::any_of(code.calls(), [&](const Call& call) {
             return contains(loop, call.node) &&
                    call.callee.text() == function->child("name")->text();
           });
  });
}

} // namespace

bool makes_torch_optimizer(const Call& call)
{
  constexpr std::string_view k_torch = "torch.optim.";
  return call.name.starts_with(k_torch) && is_capitalised(call.name.substr(k_torch.size())) &&
         call.name.find("()") == std::string::npos;
}

bool makes_optimizer(const Call& call)
{
  constexpr std::string_view k_keras = "keras.optimizers.";
  return makes_torch_optimizer(call) ||
         (call.name.starts_with(k_keras) && is_capitalised(call.name.substr(k_keras.size())) &&
          call.name.find("()") == std::string::npos &&
          call.name.find("schedules") == std::string::npos);
}

bool is_optimizer_call(const Call& call, std::string_view method)
{
  if (call.last() != method || call.callee.kind() != "attribute") {
    return false;
  }
  if (call.name.front() != '.') {
    const bool is_optimizer = call.name.starts_with("torch.optim.") &&
                              !call.name.starts_with("torch.optim.lr_scheduler.");
    // A model can forget its gradients as well.
    return is_optimizer || (method == "zero_grad" && call.name.starts_with("local."));
  }
  const std::string object = lower(call.callee.child("object")->text());
  return object.find("opt") != std::string::npos ||
         (method == "zero_grad" && object.find("model") != std::string::npos);
}

bool is_fit(const Code& code, const Call& call)
{
  const bool asks = call.find("epochs") != nullptr || call.find("batch_size") != nullptr ||
                    call.find("validation_data") != nullptr ||
                    call.find("validation_split") != nullptr || call.find("callbacks") != nullptr ||
                    lower(call.callee.text()).find("model") != std::string::npos;
  return is_keras_model(code, call, "fit") && asks;
}

bool is_compile(const Code& code, const Call& call)
{
  return is_keras_model(code, call, "compile") &&
         (call.find("optimizer") != nullptr || call.find("loss") != nullptr ||
          !call.arguments.empty());
}

std::vector<Loss> losses_of(const Code& code)
{
  std::vector<Loss> losses;
  for (const Call& call : code.calls()) {
    if (call.arguments.size() < 2 || call.has_stars || !call.arguments[0].keyword.empty() ||
        !call.arguments[1].keyword.empty()) {
      continue;
    }
    std::string kind;
    bool is_loss = false;
    if (call.name.starts_with("torch.nn.functional.")) {
      const auto found = std::ranges::find(k_losses, call.last(), &LossName::function);
      is_loss = found != k_losses.end();
      kind = is_loss ? std::string(found->type) : std::string();
    } else if (call.name.starts_with("torch.nn.") && call.name.ends_with("Loss()")) {
      is_loss = true;
      kind = std::string(call.last().substr(0, call.last().size() - 2));
    } else if (call.name.empty() && code.uses("torch")) {
      const auto usual = {"criterion", "loss_fn", "loss_func", "loss_function", "self.criterion"};
      is_loss = std::ranges::find(usual, call.callee.text()) != usual.end();
    }
    if (is_loss) {
      losses.push_back({call, kind, call.arguments[0].value, call.arguments[1].value});
    }
  }
  return losses;
}

std::vector<Loss> training_losses_of(const Code& code)
{
  const std::vector<Node> backwards = backward_calls(code);
  std::vector<Loss> chosen;
  for (Loss& loss : losses_of(code)) {
    std::optional<Node> storage;
    const Node* around = loop_around(loss.call.node, storage);
    const bool is_training = std::ranges::any_of(backwards, [&](const Node& node) {
      return (around == nullptr || contains(*around, node)) &&
             (node.begin_byte() > loss.call.node.begin_byte() || contains(node, loss.call.node));
    });
    if (is_training) {
      chosen.push_back(std::move(loss));
    }
  }
  return chosen;
}

std::vector<EpochLoop> epoch_loops_of(const Code& code)
{
  std::vector<EpochLoop> found;
  for (const Node& loop : nodes_of(code.root(), "for_statement")) {
    const Call* range = counting_range(code, loop);
    if (range == nullptr || !trains(code, loop)) {
      continue;
    }
    // Batches are counted as well; what is inside a loop over epochs is not one itself.
    const bool is_inner = std::ranges::any_of(
        found, [&](const EpochLoop& outer) { return contains(outer.loop, loop); });
    if (!is_inner) {
      found.push_back({loop, range->arguments.back().value});
    }
  }
  return found;
}

std::vector<Node> batch_loops_of(const Code& code)
{
  std::vector<Node> loops;
  for (const Node& node : backward_calls(code)) {
    const std::optional<Node> loop = enclosing(node, {"for_statement"});
    if (!loop || std::ranges::find(loops, *loop) != loops.end()) {
      continue;
    }
    const bool counts_epochs = std::ranges::any_of(
        epoch_loops_of(code), [&](const EpochLoop& epoch) { return epoch.loop == *loop; });
    if (!counts_epochs) {
      loops.push_back(*loop);
    }
  }
  return loops;
}

std::vector<Call> training_loaders_of(const Code& code)
{
  std::vector<Call> loaders;
  std::vector<Call> named;
  std::vector<Call> shuffling;
  for (const Call& call : code.calls()) {
    if (!call.is_any({"torch.utils.data.DataLoader", "torch.utils.data.dataloader.DataLoader"}) ||
        call.find("dataset", 0) == nullptr) {
      continue;
    }
    const std::optional<Node> statement = statement_of(call.node);
    const std::string words =
        lower(call.find("dataset", 0)->value.text()) +
        (statement ? lower(statement->text().substr(0, statement->text().find('='))) : "");
    const bool is_other = words.find("test") != std::string::npos ||
                          words.find("val") != std::string::npos ||
                          words.find("eval") != std::string::npos;
    loaders.push_back(call);
    if (words.find("train") != std::string::npos && !is_other) {
      named.push_back(call);
    }
    const Argument* shuffle = call.find("shuffle", 2);
    if (shuffle != nullptr && shuffle->value.text() == "True") {
      shuffling.push_back(call);
    }
  }
  return !named.empty() ? named : !shuffling.empty() ? shuffling : loaders;
}

void scale_learning_rate(const Subject& subject, std::string_view setting, Mutations& found)
{
  const std::optional<double> factor = number_of(setting);
  if (!factor) {
    return;
  }
  const Code code(subject);
  for (const Call& call : code.calls()) {
    if (!makes_optimizer(call)) {
      continue;
    }
    const bool is_torch = makes_torch_optimizer(call);
    const Argument* rate = call.find("lr", is_torch ? 1 : 0);
    rate = rate == nullptr ? call.find("learning_rate") : rate;
    if (rate != nullptr) {
      const std::string other = scaled(rate->value, *factor);
      found.push_back(mutation({replace(rate->value, other)}, rate->value.text(), other));
    } else if (!call.has_stars && call.last() != "SGD") {
      const std::string other =
          format("{}={}", is_torch ? "lr" : "learning_rate", python_number(0.001 * *factor));
      found.push_back(mutation({add_argument(call, other)}, call.node.text(), other));
    }
  }
}

} // namespace faultline::inject
