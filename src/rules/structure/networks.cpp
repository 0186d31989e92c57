#include "rules/structure/networks.hpp"

#include <algorithm>
#include <array>
#include <set>

namespace faultline::rules {

static bool is_pointwise(const Call& convolution)
{
  const auto kernel = kernel_of(convolution);
  return kernel && std::ranges::all_of(*kernel, [](int64_t size) { return size == 1; });
}

std::vector<const Call*> Network::convolutions() const
{
  std::vector<const Call*> found;
  std::ranges::copy_if(calls, std::back_inserter(found), [](const Call* call) {
    return is_convolution(*call) && !is_pointwise(*call);
  });
  return found;
}

std::vector<const Call*> Network::dense_layers() const
{
  std::vector<const Call*> found;
  std::ranges::copy_if(
      calls, std::back_inserter(found), [](const Call* call) { return is_dense(*call); });
  return found;
}

size_t Network::size() const
{
  return static_cast<size_t>(std::ranges::count_if(
      calls, [](const Call* call) { return is_convolution(*call) || is_pooling(*call); }));
}

bool shrinks_maps(const Call& call)
{
  return is_pooling(call) ||
         (is_convolution(call) && !call.has(program::k_transposed) && has_stride(call));
}

// Decoders and attention: sizes follow other conventions there.
static bool is_unusual(const Call& call)
{
  constexpr std::array<std::string_view, 5> k_ops = {
      "upsample", "unpool", "pixel_shuffle", "attention", "transformer"};
  return call.has(program::k_transposed) || std::ranges::find(k_ops, call.op()) != k_ops.end();
}

static bool is_plain(const Network& network)
{
  const auto* output = program::as<Tensor>(network.calls.back()->result);
  const bool rebuilds_input =
      output != nullptr && output->shape.has_rank() &&
      output->shape.compare(network.input->shape) == program::Dim::Comparison::equal;
  return !rebuilds_input &&
         std::ranges::none_of(network.calls, [](const Call* call) { return is_unusual(*call); });
}

bool has_two_optimizers(const Program& program)
{
  std::set<Span> optimizers;
  for (const Call& call : program.calls()) {
    if (call.api != nullptr && call.api->role == program::Role::optimizer && !call.speculative) {
      optimizers.insert(call.span);
    }
  }
  return optimizers.size() > 1;
}

// The path to `last`; nothing if some tensor on it is used in several ways or made of several.
static std::optional<Network> path_to(const Program& program, const Call& last)
{
  Network network;
  const Call* call = &last;
  while (true) {
    network.calls.push_back(call);
    const Tensor* input = data_input(*call);
    if (input == nullptr) {
      return std::nullopt;
    }
    const Call* before = call_before(*call);
    if (before == nullptr || before->inputs().empty()) {
      network.input = input;
      break;
    }
    const auto goes_on = [](const Call* user) {
      return is_learning(*user) || user->has(program::k_merging);
    };
    if (std::ranges::count_if(uses_of(program, input), goes_on) > 1) {
      return std::nullopt;
    }
    call = before;
  }
  std::ranges::reverse(network.calls);
  return network;
}

std::vector<Network> plain_networks(const Program& program)
{
  std::vector<Network> networks;
  if (!is_trained(program) || has_two_optimizers(program)) {
    return networks;
  }
  const std::unordered_set<const Call*> inner = inner_layers(program);
  std::set<Span> seen;
  for (const Call& call : program.calls()) {
    // One path for each place in the text: training and testing may build the same network.
    const bool makes_layer =
        call.api != nullptr && call.api->role == program::Role::layer && call.layer == nullptr;
    if (!is_learning(call) || makes_layer || inner.contains(&call) ||
        !seen.insert(call.span).second) {
      continue;
    }
    std::optional<Network> network = path_to(program, call);
    if (network && is_plain(*network)) {
      networks.push_back(std::move(*network));
    }
  }
  return networks;
}

} // namespace faultline::rules
