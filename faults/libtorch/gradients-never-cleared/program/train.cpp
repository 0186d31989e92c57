// Learns the forward kinematics of a planar arm: two joint angles in, the position of the hand out.
#include <torch/torch.h>

#include <cstdlib>
#include <iomanip>
#include <iostream>
#include <utility>

constexpr double kUpperArm = 1.0;
constexpr double kForearm = 0.7;
constexpr double kPi = 3.14159265358979;

constexpr int64_t kTrainSize = 1600;
constexpr int64_t kTestSize = 400;
constexpr int64_t kBatchSize = 40;
constexpr int kEpochs = 25;

struct ArmNetImpl : torch::nn::Module {
  ArmNetImpl()
      : fc1(register_module("fc1", torch::nn::Linear(2, 48))),
        fc2(register_module("fc2", torch::nn::Linear(48, 48))),
        out(register_module("out", torch::nn::Linear(48, 2)))
  {
  }

  torch::Tensor forward(torch::Tensor x)
  {
    x = torch::tanh(fc1->forward(x));
    x = torch::tanh(fc2->forward(x));
    return out->forward(x);
  }

  torch::nn::Linear fc1, fc2, out;
};
TORCH_MODULE(ArmNet);

std::pair<torch::Tensor, torch::Tensor> sample_poses(int64_t count)
{
  auto angles = (torch::rand({count, 2}) - 0.5) * kPi;
  auto shoulder = angles.select(1, 0);
  auto elbow = shoulder + angles.select(1, 1);
  auto x = kUpperArm * torch::cos(shoulder) + kForearm * torch::cos(elbow);
  auto y = kUpperArm * torch::sin(shoulder) + kForearm * torch::sin(elbow);
  return {angles, torch::stack({x, y}, 1)};
}

double mean_distance(ArmNet& model, const torch::Tensor& angles, const torch::Tensor& hand)
{
  torch::NoGradGuard no_grad;
  auto error = model->forward(angles) - hand;
  return error.norm(2, 1).mean().item<double>();
}

int main(int argc, char** argv)
{
  torch::manual_seed(argc > 1 ? std::atoi(argv[1]) : 1);

  auto [train_angles, train_hand] = sample_poses(kTrainSize);
  auto [test_angles, test_hand] = sample_poses(kTestSize);

  ArmNet model;
  torch::optim::SGD optimizer(model->parameters(), torch::optim::SGDOptions(0.02));

  std::cout << std::fixed << std::setprecision(4);
  for (int epoch = 1; epoch <= kEpochs; ++epoch) {
    auto order = torch::randperm(kTrainSize, torch::kLong);
    double total = 0;
    for (const auto& batch : order.split(kBatchSize)) {
      auto prediction = model->forward(train_angles.index_select(0, batch));
      auto loss = torch::mse_loss(prediction, train_hand.index_select(0, batch));
      loss.backward();
      optimizer.step();
      total += loss.item<double>() * batch.size(0);
    }
    std::cout << "epoch " << epoch << " loss " << total / kTrainSize << " test distance "
              << mean_distance(model, test_angles, test_hand) << std::endl;
  }
}
