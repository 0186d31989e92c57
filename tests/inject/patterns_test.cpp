#include "inject/layers.hpp"
#include "inject/patterns.hpp"
#include "inject/training.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace faultline::inject {

using testing::ElementsAre;

static Subject subject_of(const std::string& text)
{
  return {"train.py", source::SyntaxTree::parse(text, source::Language::python), nullptr};
}

static std::vector<std::string> names_in(const std::string& text)
{
  const Subject subject = subject_of(text);
  const Code code(subject);
  std::vector<std::string> names;
  for (const Call& call : code.calls()) {
    names.push_back(call.name);
  }
  return names;
}

TEST(Names, AreTheSameHoweverTheyWereImported)
{
  for (const std::string text : {"import torch\ntorch.nn.Linear(1, 2)\n",
                                 "import torch.nn\ntorch.nn.Linear(1, 2)\n",
                                 "import torch.nn as nn\nnn.Linear(1, 2)\n",
                                 "from torch import nn\nnn.Linear(1, 2)\n",
                                 "from torch.nn import Linear\nLinear(1, 2)\n",
                                 "from torch.nn import Linear as Dense\nDense(1, 2)\n",
                                 "from torch.nn.modules.linear import Linear\nLinear(1, 2)\n",
                                 "import torch\nlayers = torch.nn\nlayers.Linear(1, 2)\n"}) {
    EXPECT_THAT(names_in(text), ElementsAre("torch.nn.Linear")) << text;
  }
  for (const std::string text : {"import tensorflow as tf\ntf.keras.layers.Dense(1)\n",
                                 "from tensorflow.keras import layers\nlayers.Dense(1)\n",
                                 "from keras.layers.core import Dense\nDense(1)\n",
                                 "from tensorflow import keras\nkeras.layers.Dense(1)\n"}) {
    EXPECT_THAT(names_in(text), ElementsAre("keras.layers.Dense")) << text;
  }
}

TEST(Names, TellObjectsByTheirClass)
{
  EXPECT_THAT(names_in("from torch import optim\n"
                       "o = optim.SGD(p)\n"
                       "o.step()\n"
                       "unknown.step()\n"),
              ElementsAre("torch.optim.SGD", "torch.optim.SGD().step", ".step"));
  // Moved to a device it is what it was; what it computes is something else.
  EXPECT_THAT(names_in("from torch.nn import Linear\n"
                       "fc = Linear(1, 2).to(device)\n"
                       "x = fc(x)\n"
                       "x.relu()\n"),
              ElementsAre("torch.nn.Linear().to", "torch.nn.Linear", "torch.nn.Linear()", ".relu"));
}

TEST(Names, AreUnknownIfAVariableChangesItsMeaning)
{
  EXPECT_THAT(names_in("from torch import nn\n"
                       "f = nn.ReLU()\n"
                       "f = nn.Tanh()\n"
                       "f(x)\n"),
              ElementsAre("torch.nn.ReLU", "torch.nn.Tanh", ""));
}

TEST(Names, AreSpelledAsTheFileCan)
{
  const auto spelled = [](const std::string& text, std::string_view name) {
    const Subject subject = subject_of(text);
    return Code(subject).spelled(name);
  };
  EXPECT_EQ(spelled("import torch\nfrom torch import nn\n", "torch.nn.ReLU"), "nn.ReLU");
  EXPECT_EQ(spelled("import torch\n", "torch.nn.ReLU"), "torch.nn.ReLU");
  EXPECT_EQ(spelled("from torch.nn import Linear\n", "torch.nn.ReLU"),
            "__import__(\"torch\").nn.ReLU");
  EXPECT_EQ(spelled("import tensorflow as tf\n", "keras.layers.ReLU"), "tf.keras.layers.ReLU");
}

TEST(Arguments, AreFoundByKeywordOrPlace)
{
  const Subject subject = subject_of("f(1, b=2)\ng(*rest, 3)\n");
  const Code code(subject);
  const Call& f = code.calls()[0];
  EXPECT_EQ(f.find("a", 0)->value.text(), "1");
  EXPECT_EQ(f.find("b", 1)->value.text(), "2");
  EXPECT_EQ(f.find("c", 1), nullptr); // It is a keyword argument of another name.
  EXPECT_EQ(f.find("c"), nullptr);
  EXPECT_EQ(code.calls()[1].find("a", 0), nullptr); // Who knows what `rest` holds?
}

// `text` with the first call of `f` changed by `change`.
template <typename Change> static std::string changed(const std::string& text, Change change)
{
  const Subject subject = subject_of(text);
  const Code code(subject);
  for (const Call& call : code.calls()) {
    if (call.callee.text() == "f") {
      return *source::apply_edits(text, {change(code, call)});
    }
  }
  return "no call of f";
}

TEST(Edits, RemoveAnItemWithItsComma)
{
  const auto remove = [](const Code&, const Call& call) { return remove_item(call.node); };
  EXPECT_EQ(changed("x = [f(), a]\n", remove), "x = [a]\n");
  EXPECT_EQ(changed("x = [a, f()]\n", remove), "x = [a]\n");
  EXPECT_EQ(changed("x = [a, f(), b]\n", remove), "x = [a, b]\n");
  EXPECT_EQ(changed("x = [f()]\n", remove), "x = []\n");
  EXPECT_EQ(changed("g(\n    a,\n    f(),\n)\n", remove), "g(\n    a,\n)\n");
  EXPECT_EQ(changed("g(\n    f(),  # one\n    a,\n)\n", remove), "g(\n      # one\n    a,\n)\n");
}

TEST(Edits, AddAnArgument)
{
  const auto add = [](const Code&, const Call& call) { return add_argument(call, "k=1"); };
  EXPECT_EQ(changed("f()\n", add), "f(k=1)\n");
  EXPECT_EQ(changed("f(a)\n", add), "f(a, k=1)\n");
  EXPECT_EQ(changed("f(\n    a,\n)\n", add), "f(\n    a, k=1,\n)\n");
}

TEST(Edits, RemoveAStatementAndKeepTheBlock)
{
  const auto remove = [](const Code& code, const Call& call) {
    return remove_statement(code, *statement_of(call.node));
  };
  EXPECT_EQ(changed("a()\nf()\nb()\n", remove), "a()\nb()\n");
  EXPECT_EQ(changed("if x:\n    f()\nb()\n", remove), "if x:\n    pass\nb()\n");
  EXPECT_EQ(changed("if x:\n    # why\n    f()\n", remove), "if x:\n    # why\n    pass\n");
  EXPECT_EQ(changed("if x: f()\n", remove), "if x: pass\n");
  EXPECT_EQ(changed("a(); f()\n", remove), "a(); pass\n");
  EXPECT_EQ(changed("f()", remove), "");
}

TEST(Edits, InsertLinesWithTheIndentationOfTheStatement)
{
  const auto before = [](const Code& code, const Call& call) {
    return *insert_before(code, *statement_of(call.node), {"one", "two"});
  };
  const auto after = [](const Code& code, const Call& call) {
    return *insert_after(code, *statement_of(call.node), {"one"});
  };
  EXPECT_EQ(changed("if x:\n    f()\n", before), "if x:\n    one\n    two\n    f()\n");
  EXPECT_EQ(changed("if x:\n    f(\n      1)\nb\n", after),
            "if x:\n    f(\n      1)\n    one\nb\n");
  EXPECT_EQ(changed("f()", after), "f()\none\n");
  const Subject subject = subject_of("if x: f()\n");
  const Code code(subject);
  const Node statement = *statement_of(code.calls()[0].node);
  EXPECT_FALSE(insert_before(code, statement, {"one"}));
}

TEST(Statements, AreNotReachedOutOfAComprehension)
{
  const Subject subject = subject_of("x = [f(a) for a in b]\n");
  const Code code(subject);
  EXPECT_TRUE(statement_of(code.calls()[0].node));
  EXPECT_FALSE(statement_of(code.calls()[0].node, Reach::plain));
}

TEST(Layers, AreFoundWhereverTheyStand)
{
  const Subject subject = subject_of("from torch import nn\n"
                                     "from keras import layers\n"
                                     "a = nn.Sequential(nn.Linear(1, 2), nn.ReLU())\n"
                                     "model.add(layers.Dense(3))\n"
                                     "y = layers.Dense(4)(x)\n"
                                     "class Net(nn.Module):\n"
                                     "    def __init__(self):\n"
                                     "        self.fc = nn.Linear(5, 6)\n"
                                     "    def forward(self, x):\n"
                                     "        return self.fc(x)\n"
                                     "loss = nn.MSELoss()\n");
  const Code code(subject);
  const std::vector<Layer> layers = layers_of(code);
  ASSERT_EQ(layers.size(), 5U);
  EXPECT_EQ(layers[0].place, Layer::Place::item);
  EXPECT_EQ(layers[1].place, Layer::Place::item);
  EXPECT_EQ(layers[2].place, Layer::Place::added);
  EXPECT_EQ(layers[3].place, Layer::Place::applied);
  EXPECT_EQ(layers[4].place, Layer::Place::named);
  EXPECT_EQ(layers[4].uses.size(), 1U);
  EXPECT_EQ(layers[4].width()->value.text(), "6");
  EXPECT_EQ(layers[4].input_width()->value.text(), "5");
  EXPECT_TRUE(is_output(layers[4], layers));
}

TEST(Training, TellsEpochsFromBatches)
{
  const Subject subject = subject_of("for epoch in range(3):\n"
                                     "    for i in range(10):\n"
                                     "        loss.backward()\n"
                                     "for i in range(5):\n"
                                     "    print(i)\n");
  const Code code(subject);
  ASSERT_EQ(epoch_loops_of(code).size(), 1U);
  EXPECT_EQ(epoch_loops_of(code)[0].count.text(), "3");
  EXPECT_EQ(batch_loops_of(code).size(), 1U);
}

} // namespace faultline::inject
