// Clones a hand-written controller of a cart-pole into a small network, then lets the network
// drive.
#include <torch/torch.h>

#include <cmath>
#include <cstdlib>
#include <iomanip>
#include <iostream>
#include <random>
#include <vector>

constexpr int64_t kStateSize = 4;
constexpr int kDemonstrations = 20;
constexpr int kEpisodes = 5;
constexpr int kMaxSteps = 200;
constexpr int kEpochs = 60;

// Position and speed of the cart, angle and angular speed of the pole.
using State = std::vector<double>;

State step(const State& s, int action)
{
  constexpr double gravity = 9.8, cart = 1.0, pole = 0.1, half_length = 0.5, dt = 0.02;
  double force = action == 1 ? 10.0 : -10.0;
  double sine = std::sin(s[2]), cosine = std::cos(s[2]), mass = cart + pole;
  double push = (force + pole * half_length * s[3] * s[3] * sine) / mass;
  double turn = (gravity * sine - cosine * push) /
                (half_length * (4.0 / 3.0 - pole * cosine * cosine / mass));
  double slide = push - pole * half_length * turn * cosine / mass;
  return {s[0] + dt * s[1], s[1] + dt * slide, s[2] + dt * s[3], s[3] + dt * turn};
}

bool fallen(const State& s)
{
  return std::abs(s[0]) > 2.4 || std::abs(s[2]) > 0.21;
}

int controller(const State& s)
{
  return 0.05 * s[0] + 0.1 * s[1] + s[2] + 0.3 * s[3] > 0 ? 1 : 0;
}

State random_start(std::mt19937& random)
{
  std::uniform_real_distribution<double> offset(-0.05, 0.05);
  return {offset(random), offset(random), offset(random), offset(random)};
}

torch::Tensor to_tensor(std::vector<double>& values)
{
  auto rows = static_cast<int64_t>(values.size()) / kStateSize;
  return torch::from_blob(values.data(), {rows, kStateSize}).clone();
}

int drive(torch::nn::Sequential& policy, State state)
{
  torch::NoGradGuard no_grad;
  int steps = 0;
  while (steps < kMaxSteps && !fallen(state)) {
    int action = policy->forward(to_tensor(state)).argmax(1).item<int>();
    state = step(state, action);
    ++steps;
  }
  return steps;
}

int main(int argc, char** argv)
{
  int seed = argc > 1 ? std::atoi(argv[1]) : 1;
  torch::manual_seed(seed);
  std::mt19937 random(seed);

  std::vector<double> states;
  std::vector<int64_t> actions;
  for (int i = 0; i < kDemonstrations; ++i) {
    auto state = random_start(random);
    for (int t = 0; t < kMaxSteps && !fallen(state); ++t) {
      int action = controller(state);
      states.insert(states.end(), state.begin(), state.end());
      actions.push_back(action);
      state = step(state, action);
    }
  }
  auto inputs = to_tensor(states);
  auto targets = torch::tensor(actions, torch::kLong);
  std::cout << "recorded " << actions.size() << " steps" << std::endl;

  torch::nn::Sequential policy(
      torch::nn::Linear(kStateSize, 32), torch::nn::Tanh(), torch::nn::Linear(32, 2));
  torch::optim::Adam optimizer(policy->parameters(), torch::optim::AdamOptions(0.05));
  std::cout << std::fixed << std::setprecision(4);
  for (int epoch = 1; epoch <= kEpochs; ++epoch) {
    optimizer.zero_grad();
    auto loss = torch::nn::functional::cross_entropy(policy->forward(inputs), targets);
    loss.backward();
    optimizer.step();
    if (epoch % 10 == 0) {
      std::cout << "epoch " << epoch << " loss " << loss.item<double>() << std::endl;
    }
  }

  for (int i = 1; i <= kEpisodes; ++i) {
    std::cout << "episode " << i << " balanced " << drive(policy, random_start(random)) << " of "
              << kMaxSteps << " steps" << std::endl;
  }
}
