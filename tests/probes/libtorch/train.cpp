// A small classifier that does one thing wrong, whichever is asked for.
#include <torch/torch.h>

#include <cstring>
#include <fstream>
#include <iostream>
#include <vector>

namespace nn = torch::nn;

static const char* s_mode = "healthy";

static bool is_mode(const char* mode)
{
  return std::strcmp(s_mode, mode) == 0;
}

struct NetImpl : nn::Module {
  NetImpl()
  {
    for (int i = 0; i < 2; ++i) {
      hidden.push_back(nn::Linear(i == 0 ? 4 : 16, 16)); // HIDDEN
      if (!is_mode("unregistered")) {
        register_module("hidden" + std::to_string(i), hidden.back());
      }
    }
    norm = register_module("norm", nn::BatchNorm1d(16));
    head = register_module("head", nn::Linear(16, 3));
  }

  torch::Tensor forward(torch::Tensor x)
  {
    for (auto& layer : hidden) {
      x = torch::relu(layer->forward(x));
    }
    return head->forward(norm->forward(x));
  }

  std::vector<nn::Linear> hidden;
  nn::BatchNorm1d norm = nullptr;
  nn::Linear head = nullptr;
};
TORCH_MODULE(Net);

struct Data {
  torch::Tensor x, y;
};

// What is read, as floats, from memory that holds doubles ("misread"), or that gets other values
// between from_blob and the first operation that reads it: those of `x`, or doubles.
static torch::Tensor through_memory(const torch::Tensor& x)
{
  std::vector<float> memory(192);
  std::vector<double> doubles(96);
  for (size_t i = 0; i < doubles.size(); ++i) {
    doubles[i] = 1.0 / (3.0 + static_cast<double>(i));
  }
  if (!is_mode("doubles-later")) {
    std::memcpy(memory.data(), doubles.data(), x.nbytes());
  }
  torch::Tensor given = torch::from_blob(memory.data(), {192}); // BLOB
  given = given.view({48, 4});
  if (is_mode("floats-later")) {
    std::memcpy(memory.data(), x.data_ptr(), x.nbytes());
  } else if (is_mode("copied-later")) {
    given.copy_(x);
  } else if (is_mode("doubles-later")) {
    std::memcpy(memory.data(), doubles.data(), x.nbytes());
  }
  return given.clone();
}

static Data make_data()
{
  torch::Tensor y = torch::arange(48) % 3;
  torch::Tensor x = torch::randn({48, 4}) * 0.3;
  x.select(1, 0) += y;
  if (is_mode("misread") || is_mode("floats-later") || is_mode("copied-later") ||
      is_mode("doubles-later")) {
    x = through_memory(x);
    x.nan_to_num_(0, 0, 0);
    x.clamp_(-9, 9);
  }
  return {x, y};
}

static double accuracy(Net& model, const Data& data)
{
  torch::NoGradGuard no_grad;
  if (!is_mode("training-mode")) {
    model->eval();
  }
  const double share =
      model->forward(data.x).argmax(1).eq(data.y).to(torch::kDouble).mean().item<double>(); // TEST
  model->train();
  return share;
}

int main(int argc, char** argv)
{
  s_mode = argc > 1 ? argv[1] : s_mode;
  torch::manual_seed(3);
  Data data = make_data();
  Net model;
  torch::optim::SGD optimizer(model->parameters(), torch::optim::SGDOptions(0.05).momentum(0.9));
  torch::Tensor total = torch::zeros({1});
  for (int step = 0; step < 40; ++step) {
    if (!is_mode("accumulate")) {
      optimizer.zero_grad();
    }
    torch::Tensor rows = torch::randperm(48).slice(0, 0, 24);
    torch::Tensor scores = model->forward(data.x.index_select(0, rows));
    if (is_mode("crash") && step == 3) {
      scores = scores.narrow(0, 0, 20);
    }
    torch::Tensor loss =
        nn::functional::cross_entropy(scores, data.y.index_select(0, rows)); // LOSS
    loss.backward();                                                         // BACKWARD
    optimizer.step();
    if (is_mode("keep")) {
      total = total + loss; // KEEP
    } else {
      total = total + loss.detach();
    }
  }
  std::cout << "accuracy " << accuracy(model, data) << " loss " << total.item<double>() / 40
            << std::endl;
  for (const auto& item : model->named_parameters()) {
    const torch::Tensor values = item.value().detach().contiguous();
    std::cout.write(static_cast<const char*>(values.data_ptr()),
                    static_cast<std::streamsize>(values.nbytes()));
  }
}
