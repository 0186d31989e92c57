// Tells simple solids apart from points on their surface, with a small PointNet.
#include <torch/torch.h>

#include <cstdlib>
#include <iomanip>
#include <iostream>
#include <tuple>
#include <vector>

namespace nn = torch::nn;

const std::vector<const char*> kShapes = {"sphere", "cube", "cylinder", "cone"};
constexpr int64_t kPoints = 64;
constexpr int64_t kBatchSize = 20;
constexpr int kEpochs = 8;

struct PointNetImpl : nn::Module {
  explicit PointNetImpl(int64_t classes)
      : features(nn::Conv1d(nn::Conv1dOptions(3, 32, 1)),
                 nn::BatchNorm1d(32),
                 nn::ReLU(),
                 nn::Conv1d(nn::Conv1dOptions(32, 64, 1)),
                 nn::BatchNorm1d(64),
                 nn::ReLU(),
                 nn::Conv1d(nn::Conv1dOptions(64, 64, 1)),
                 nn::BatchNorm1d(64)),
        head(nn::Linear(64, 32), nn::BatchNorm1d(32), nn::ReLU(), nn::Linear(32, classes))
  {
    register_module("features", features);
    register_module("head", head);
  }

  torch::Tensor forward(torch::Tensor clouds)
  {
    auto per_point = features->forward(clouds);
    auto global = std::get<0>(per_point.max(2));
    return head->forward(global);
  }

  nn::Sequential features, head;
};
TORCH_MODULE(PointNet);

// One cloud of kPoints points, 3 x kPoints, scaled and jittered a little.
torch::Tensor sample(int64_t shape)
{
  auto angle = torch::rand({kPoints}) * 6.2831853;
  auto height = torch::rand({kPoints}) * 2 - 1;
  torch::Tensor points;
  if (shape == 0) {
    auto p = torch::randn({3, kPoints});
    points = p / p.norm(2, 0, true);
  } else if (shape == 1) {
    auto p = torch::rand({3, kPoints}) * 2 - 1;
    points = p / std::get<0>(p.abs().max(0, true)) * 0.8;
  } else {
    auto radius = shape == 2 ? torch::full({kPoints}, 0.8) : (1 - height) / 2;
    points = torch::stack({radius * torch::cos(angle), radius * torch::sin(angle), height});
  }
  return points * (torch::rand({1}) * 0.3 + 0.85) + torch::randn({3, kPoints}) * 0.02;
}

struct Clouds {
  torch::Tensor points, labels;
};

Clouds make_clouds(int64_t per_shape)
{
  std::vector<torch::Tensor> points;
  std::vector<int64_t> labels;
  for (size_t shape = 0; shape < kShapes.size(); ++shape) {
    for (int64_t i = 0; i < per_shape; ++i) {
      points.push_back(sample(shape));
      labels.push_back(shape);
    }
  }
  return {torch::stack(points), torch::tensor(labels, torch::kLong)};
}

void train(PointNet& model, const Clouds& clouds)
{
  torch::optim::Adam optimizer(model->parameters(), torch::optim::AdamOptions(5e-3));
  for (int epoch = 1; epoch <= kEpochs; ++epoch) {
    double total = 0;
    for (const auto& batch :
         torch::randperm(clouds.labels.size(0), torch::kLong).split(kBatchSize)) {
      optimizer.zero_grad();
      auto scores = model->forward(clouds.points.index_select(0, batch));
      auto loss = nn::functional::cross_entropy(scores, clouds.labels.index_select(0, batch));
      loss.backward();
      optimizer.step();
      total += loss.item<double>() * batch.size(0);
    }
    std::cout << "epoch " << epoch << " loss " << total / clouds.labels.size(0) << std::endl;
  }
}

void test(PointNet& model, const Clouds& clouds)
{
  torch::NoGradGuard no_grad;
  int64_t correct = 0, count = clouds.labels.size(0);
  for (int64_t first = 0; first < count; first += kBatchSize) {
    auto predicted = model->forward(clouds.points.slice(0, first, first + kBatchSize)).argmax(1);
    correct +=
        predicted.eq(clouds.labels.slice(0, first, first + kBatchSize)).sum().item<int64_t>();
  }
  std::cout << "test accuracy " << static_cast<double>(correct) / count << std::endl;
}

int main(int argc, char** argv)
{
  torch::manual_seed(argc > 1 ? std::atoi(argv[1]) : 1);
  std::cout << std::fixed << std::setprecision(4);
  auto train_clouds = make_clouds(100);
  auto test_clouds = make_clouds(40);
  PointNet model(static_cast<int64_t>(kShapes.size()));
  train(model, train_clouds);
  test(model, test_clouds);
}
