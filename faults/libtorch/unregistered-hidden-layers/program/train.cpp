// Classifies MNIST digits with a multilayer perceptron whose depth is given by a list of widths.
#include <torch/torch.h>

#include <cstdlib>
#include <iomanip>
#include <iostream>
#include <vector>

constexpr int64_t kTrainSize = 5000;
constexpr int64_t kTestSize = 2000;
constexpr int64_t kBatchSize = 50;
constexpr int kEpochs = 3;

struct DigitNetImpl : torch::nn::Module {
  DigitNetImpl(int64_t inputs, const std::vector<int64_t>& widths, int64_t classes)
  {
    for (int64_t width : widths) {
      hidden.push_back(torch::nn::Linear(inputs, width));
      inputs = width;
    }
    classifier = register_module("classifier", torch::nn::Linear(inputs, classes));
  }

  torch::Tensor forward(torch::Tensor x)
  {
    x = x.flatten(1);
    for (auto& layer : hidden) {
      x = torch::relu(layer->forward(x));
    }
    return classifier->forward(x);
  }

  std::vector<torch::nn::Linear> hidden;
  torch::nn::Linear classifier{nullptr};
};
TORCH_MODULE(DigitNet);

struct Digits {
  torch::Tensor images, labels;
};

Digits load(torch::data::datasets::MNIST::Mode mode, int64_t count)
{
  torch::data::datasets::MNIST dataset("data/mnist", mode);
  auto images = dataset.images().slice(0, 0, count).clone();
  return {(images - 0.1307) / 0.3081, dataset.targets().slice(0, 0, count).clone()};
}

double accuracy(DigitNet& model, const Digits& digits)
{
  torch::NoGradGuard no_grad;
  model->eval();
  auto predicted = model->forward(digits.images).argmax(1);
  return predicted.eq(digits.labels).to(torch::kFloat).mean().item<double>();
}

void train_epoch(DigitNet& model,
                 torch::optim::Optimizer& optimizer,
                 const Digits& digits,
                 int epoch)
{
  model->train();
  auto order = torch::randperm(digits.labels.size(0), torch::kLong);
  double total = 0;
  for (const auto& batch : order.split(kBatchSize)) {
    optimizer.zero_grad();
    auto scores = model->forward(digits.images.index_select(0, batch));
    auto loss = torch::nn::functional::cross_entropy(scores, digits.labels.index_select(0, batch));
    loss.backward();
    optimizer.step();
    total += loss.item<double>() * batch.size(0);
  }
  std::cout << "epoch " << epoch << " loss " << total / digits.labels.size(0) << std::endl;
}

int main(int argc, char** argv)
{
  torch::manual_seed(argc > 1 ? std::atoi(argv[1]) : 1);
  std::cout << std::fixed << std::setprecision(4);

  auto train = load(torch::data::datasets::MNIST::Mode::kTrain, kTrainSize);
  auto test = load(torch::data::datasets::MNIST::Mode::kTest, kTestSize);

  DigitNet model(28 * 28, std::vector<int64_t>{48, 24, 24}, 10);
  torch::optim::Adam optimizer(model->parameters(), torch::optim::AdamOptions(2e-3));
  for (int epoch = 1; epoch <= kEpochs; ++epoch) {
    train_epoch(model, optimizer, train, epoch);
  }
  std::cout << "test accuracy " << accuracy(model, test) << std::endl;
}
