#include "base/format.hpp"
#include "base/text.hpp"
#include "check/model_summary.hpp"

#include <gtest/gtest.h>

namespace faultline::check {

namespace {

// "name type output parameters <- inputs" for each layer, then the total.
std::string summary_of(const std::string& text)
{
  const auto program = program::analyse("model.py", text);
  std::string lines;
  for (const ModelSummary& model : summarise_models(*program)) {
    lines += format("{} on {}\n", model.name, model.input);
    for (const LayerSummary& layer : model.layers) {
      lines += format("  {} {} {} {}{}{}\n",
                      layer.name,
                      layer.type,
                      layer.output,
                      layer.parameters ? format("{}", layer.parameters->all()) : "?",
                      layer.inputs.empty() ? "" : " <- ",
                      join(layer.inputs, ", "));
    }
    lines += format("  {}{} ({} fixed)\n",
                    model.all_known ? "" : "at least ",
                    model.parameters.all(),
                    model.parameters.fixed);
  }
  return lines;
}

// The parameters of one Keras layer on an input of that shape.
void check_keras(const std::string& layer, const std::string& shape, const std::string& expected)
{
  const std::string text = "from tensorflow import keras\nfrom tensorflow.keras import layers\n"
                           "model = keras.Sequential([keras.Input(shape=" +
                           shape + "), " + layer + "])\n";
  const auto program = program::analyse("model.py", text);
  const std::vector<ModelSummary> models = summarise_models(*program);
  ASSERT_EQ(models.size(), 1U) << layer;
  const std::optional<ParameterCount> count = models[0].layers.back().parameters;
  EXPECT_EQ(count ? format("{}", count->all()) : "?", expected) << layer;
}

// The parameters of one torch layer that nothing is applied to.
void check_torch(const std::string& layer, const std::string& expected)
{
  const std::string text = "import torch.nn as nn\nmodel = nn.Sequential(" + layer + ")\n";
  const auto program = program::analyse("model.py", text);
  const std::vector<ModelSummary> models = summarise_models(*program);
  ASSERT_EQ(models.size(), 1U) << layer;
  ASSERT_EQ(models[0].layers.size(), 1U) << layer;
  const std::optional<ParameterCount> count = models[0].layers[0].parameters;
  EXPECT_EQ(count ? format("{}", count->all()) : "?", expected) << layer;
}

} // namespace

// The figures are those that the frameworks' own summaries print.
TEST(ParameterCount, OfKerasLayers)
{
  check_keras("layers.Dense(10)", "(128,)", "1290");
  check_keras("layers.Dense(10, use_bias=False)", "(128,)", "1280");
  check_keras("layers.Conv2D(32, 3)", "(28, 28, 1)", "320");
  check_keras("layers.Conv2D(64, (3, 5))", "(28, 28, 3)", "2944");
  check_keras("layers.Conv2D(8, 3, groups=2)", "(28, 28, 4)", "152");
  check_keras("layers.Conv1D(16, 5)", "(100, 8)", "656");
  check_keras("layers.Conv2DTranspose(16, 3)", "(7, 7, 32)", "4624");
  check_keras("layers.DepthwiseConv2D(3)", "(28, 28, 16)", "160");
  check_keras("layers.SeparableConv2D(32, 3)", "(28, 28, 16)", "688");
  check_keras("layers.Embedding(20000, 128)", "(80,)", "2560000");
  check_keras("layers.LSTM(128)", "(80, 128)", "131584");
  check_keras("layers.GRU(32)", "(10, 16)", "4800");
  check_keras("layers.SimpleRNN(32)", "(10, 16)", "1568");
  check_keras("layers.Bidirectional(layers.LSTM(64))", "(80, 128)", "98816");
  check_keras("layers.BatchNormalization()", "(28, 28, 64)", "256");
  check_keras("layers.LayerNormalization()", "(10, 64)", "128");
  check_keras("layers.MaxPooling2D()", "(28, 28, 64)", "0");
  check_keras("layers.Dropout(0.5)", "(64,)", "0");
}

TEST(ParameterCount, OfTorchLayers)
{
  check_torch("nn.Linear(784, 128)", "100480");
  check_torch("nn.Linear(784, 128, bias=False)", "100352");
  check_torch("nn.Conv2d(1, 32, 3)", "320");
  check_torch("nn.Conv2d(16, 32, (3, 5), groups=4)", "1952");
  check_torch("nn.ConvTranspose2d(16, 8, 2)", "520");
  check_torch("nn.BatchNorm2d(32)", "64");
  check_torch("nn.LayerNorm((10, 64))", "1280");
  check_torch("nn.GroupNorm(4, 32)", "64");
  check_torch("nn.Embedding(1000, 64)", "64000");
  check_torch("nn.LSTM(10, 20, 2)", "5920");
  check_torch("nn.GRU(10, 20, bidirectional=True)", "3840");
  check_torch("nn.RNN(10, 20)", "640");
  check_torch("nn.MultiheadAttention(64, 8)", "16640");
  check_torch("nn.TransformerEncoderLayer(64, 8, 128)", "33472");
  check_torch("nn.PReLU()", "1");
  check_torch("nn.ReLU()", "0");
  check_torch("nn.Linear(n, 10)", "?");
}

TEST(ModelSummary, OfASequentialModel)
{
  EXPECT_EQ(summary_of("from tensorflow.keras import layers, models\n"
                       "model = models.Sequential()\n"
                       "model.add(layers.Conv2D(32, (3, 3), activation='relu',"
                       " input_shape=(28, 28, 1)))\n"
                       "model.add(layers.Conv2D(64, (3, 3), activation='relu'))\n"
                       "model.add(layers.MaxPooling2D(pool_size=(2, 2)))\n"
                       "model.add(layers.Flatten())\n"
                       "model.add(layers.Dense(128, name='hidden'))\n"
                       "model.add(layers.Dense(10))\n"),
            "Sequential on (B, 28, 28, 1)\n"
            "  conv2d Conv2D (B, 26, 26, 32) 320\n"
            "  conv2d_1 Conv2D (B, 24, 24, 64) 18496\n"
            "  max_pooling2d MaxPooling2D (B, 12, 12, 64) 0\n"
            "  flatten Flatten (B, 9216) 0\n"
            "  hidden Dense (B, 128) 1179776\n"
            "  dense Dense (B, 10) 1290\n"
            "  1199882 (0 fixed)\n");
}

TEST(ModelSummary, OfAModelThatIsTrained)
{
  EXPECT_EQ(summary_of("import numpy as np\n"
                       "from tensorflow.keras import Sequential, layers\n"
                       "model = Sequential([layers.Dense(2, input_dim=3)])\n"
                       "model.compile('sgd', 'mse')\n"
                       "history = model.fit(np.zeros((8, 3)), np.zeros((8, 2)))\n"),
            "Sequential on (B, 3)\n"
            "  dense Dense (B, 2) 8\n"
            "  8 (0 fixed)\n");
}

TEST(ModelSummary, OfAFunctionalModelTheGraph)
{
  EXPECT_EQ(summary_of("from tensorflow import keras\n"
                       "from tensorflow.keras import layers\n"
                       "a = keras.Input(shape=(8,), name='left')\n"
                       "b = keras.Input(shape=(8,), name='right')\n"
                       "shared = layers.Dense(4)\n"
                       "both = layers.Concatenate()([shared(a), shared(b)])\n"
                       "out = layers.Dense(1)(both)\n"
                       "model = keras.Model([a, b], out)\n"),
            "Model on (B, 8)\n"
            "  left Input (B, 8) 0\n"
            "  right Input (B, 8) 0\n"
            "  dense Dense (B, 4) 36 <- left\n"
            "  dense Dense (B, 4) 0 <- right\n"
            "  concatenate Concatenate (B, 8) 0 <- dense, dense\n"
            "  dense_1 Dense (B, 1) 9 <- concatenate\n"
            "  45 (0 fixed)\n");
}

TEST(ModelSummary, OfATorchModuleByItsPaths)
{
  EXPECT_EQ(summary_of("import torch\n"
                       "import torch.nn as nn\n"
                       "class Net(nn.Module):\n"
                       "    def __init__(self):\n"
                       "        super().__init__()\n"
                       "        self.features = nn.Sequential(nn.Conv2d(1, 8, 3), nn.ReLU())\n"
                       "        self.fc = nn.Linear(8 * 26 * 26, 10)\n"
                       "    def forward(self, x):\n"
                       "        x = self.features(x)\n"
                       "        return self.fc(x.flatten(1))\n"
                       "net = Net()\n"
                       "net(torch.randn(4, 1, 28, 28))\n"),
            "Net on (4, 1, 28, 28)\n"
            "  features.0 Conv2d (4, 8, 26, 26) 80\n"
            "  features.1 ReLU (4, 8, 26, 26) 0\n"
            "  fc Linear (4, 10) 54090\n"
            "  54170 (0 fixed)\n");
}

TEST(ModelSummary, WithoutAModelThereIsNone)
{
  EXPECT_EQ(summary_of("x = 1\n"), "");
}

} // namespace faultline::check
