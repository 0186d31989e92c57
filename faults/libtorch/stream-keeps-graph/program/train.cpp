// Learns the sound of a distortion pedal with causal convolutions and plays a stream through it,
// block by block.
#include <sys/resource.h>
#include <torch/torch.h>

#include <cstdlib>
#include <iomanip>
#include <iostream>
#include <string>
#include <vector>

constexpr int64_t kBlockSize = 1024;
constexpr int64_t kBlocks = 300;
constexpr int kTrainingSteps = 60;

// A convolution that continues where the previous block ended.
struct CachedConvImpl : torch::nn::Module {
  CachedConvImpl(int64_t in, int64_t out, int64_t kernel, int64_t dilation)
      : context((kernel - 1) * dilation),
        conv(register_module(
            "conv",
            torch::nn::Conv1d(torch::nn::Conv1dOptions(in, out, kernel).dilation(dilation))))
  {
  }

  void restart() { cache = torch::Tensor(); }

  torch::Tensor forward(torch::Tensor x)
  {
    if (!cache.defined()) {
      cache = torch::zeros({x.size(0), x.size(1), context});
    }
    x = torch::cat({cache, x}, 2);
    cache = x.slice(2, x.size(2) - context).clone();
    return conv->forward(x);
  }

  int64_t context;
  torch::nn::Conv1d conv;
  torch::Tensor cache;
};
TORCH_MODULE(CachedConv);

struct PedalImpl : torch::nn::Module {
  PedalImpl()
  {
    int64_t channels = 1;
    for (int64_t dilation : {1, 3, 9}) {
      layers.push_back(register_module("layer" + std::to_string(dilation),
                                       CachedConv(channels, 32, 3, dilation)));
      channels = 32;
    }
    mix = register_module("mix", torch::nn::Conv1d(torch::nn::Conv1dOptions(channels, 1, 1)));
  }

  void restart()
  {
    for (auto& layer : layers)
      layer->restart();
  }

  torch::Tensor forward(torch::Tensor x)
  {
    for (auto& layer : layers) {
      x = torch::tanh(layer->forward(x));
    }
    return mix->forward(x);
  }

  std::vector<CachedConv> layers;
  torch::nn::Conv1d mix{nullptr};
};
TORCH_MODULE(Pedal);

torch::Tensor riff(int64_t batch, int64_t first, int64_t length)
{
  auto time = torch::arange(first, first + length, torch::kFloat) / 48000.0;
  auto pitch = torch::rand({batch, 1, 1}) * 300 + 100;
  return torch::sin(6.2831853 * pitch * time) * 0.6 + torch::randn({batch, 1, length}) * 0.05;
}

torch::Tensor distort(const torch::Tensor& clean)
{
  return torch::tanh(3 * clean + 0.4) - 0.38;
}

double peak_megabytes()
{
  rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss / 1024.0;
}

void train(Pedal& model)
{
  torch::optim::Adam optimizer(model->parameters(), torch::optim::AdamOptions(1e-2));
  for (int i = 1; i <= kTrainingSteps; ++i) {
    auto clean = riff(8, 0, kBlockSize);
    model->restart();
    optimizer.zero_grad();
    auto loss = torch::mse_loss(model->forward(clean), distort(clean));
    loss.backward();
    optimizer.step();
    if (i % 20 == 0) {
      std::cout << "step " << i << " loss " << loss.item<double>() << std::endl;
    }
  }
}

void stream(Pedal& model)
{
  model->eval();
  model->restart();
  double error = 0;
  for (int64_t block = 1; block <= kBlocks; ++block) {
    auto clean = riff(1, (block - 1) * kBlockSize, kBlockSize);
    auto wet = model->forward(clean);
    error += (wet - distort(clean)).abs().mean().item<double>();
    if (block % 50 == 0) {
      std::cout << "block " << block << " mean error " << error / block << " peak memory "
                << peak_megabytes() << " MB" << std::endl;
    }
  }
}

int main(int argc, char** argv)
{
  torch::manual_seed(argc > 1 ? std::atoi(argv[1]) : 1);
  std::cout << std::fixed << std::setprecision(3);
  Pedal model;
  train(model);
  stream(model);
}
