#include "base/file.hpp"
#include "source/syntax.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

namespace faultline::source {

using testing::ElementsAre;
using testing::IsEmpty;

namespace {

// The tokens of the tree and the gaps between them, put together again.
std::string leaves_and_gaps(const SyntaxTree& tree)
{
  std::string text;
  const auto enter = [&](const Node& node) {
    if (node.child_count() == 0) {
      EXPECT_GE(node.begin_byte(), text.size()) << "tokens are in order and do not overlap";
      text += tree.text().substr(text.size(), node.begin_byte() - text.size());
      text += node.text();
    }
    return true;
  };
  walk(tree.root(), enter, [](const Node&) {});
  return text + tree.text().substr(text.size());
}

void check_round_trip(const std::string& text, Language language)
{
  EXPECT_EQ(leaves_and_gaps(SyntaxTree::parse(text, language)), text);
}

// The text of what is broken.
std::vector<std::string> broken(const std::string& text, Language language = Language::python)
{
  std::vector<std::string> parts;
  for (const ByteRange& range : SyntaxTree::parse(text, language).errors()) {
    parts.push_back(text.substr(range.begin, range.end - range.begin));
  }
  return parts;
}

std::vector<std::string_view> kinds_of(const std::vector<Node>& nodes)
{
  std::vector<std::string_view> kinds;
  for (const Node& node : nodes) {
    kinds.push_back(node.kind());
  }
  return kinds;
}

constexpr std::string_view k_python = R"(import torch

class Net(torch.nn.Module):
    def forward(self, x):  # the model
        return f"{x!r:>10}" if x is not None else 'it\'s'

for i, (x, y) in enumerate(data):
    loss = criterion(net(x), y) ; loss.backward()
)";

constexpr std::string_view k_javascript = R"(import * as tf from '@tensorflow/tfjs';
const model = tf.sequential({layers: [tf.layers.dense({units: 1, inputShape: [2]})]});
model.compile({optimizer: 'sgd', loss: `mean${squared}Error`}); // compile
for (const x of xs) { await model.fit(x, y, {epochs: 10 ** 2}); }
)";

constexpr std::string_view k_cpp = R"(#include <torch/torch.h>
struct Net : torch::nn::Module {
  Net() : fc(register_module("fc", torch::nn::Linear(2, 1))) {}
  torch::Tensor forward(torch::Tensor x) { return torch::relu(fc->forward(x)); }
  torch::nn::Linear fc{nullptr};
};
int main() { auto net = std::make_shared<Net>(); /* train */ }
)";

} // namespace

TEST(Syntax, ReadsEachLanguageWithoutErrors)
{
  EXPECT_THAT(broken(std::string(k_python), Language::python), IsEmpty());
  EXPECT_THAT(broken(std::string(k_javascript), Language::javascript), IsEmpty());
  EXPECT_THAT(broken(std::string(k_cpp), Language::cpp), IsEmpty());
}

TEST(Syntax, DescribesANode)
{
  const SyntaxTree tree = SyntaxTree::parse("x = 1\nfit(model, lr=0.1)\n", Language::python);
  const Node statement = tree.root().children()[1];
  EXPECT_EQ(statement.kind(), "expression_statement");
  EXPECT_TRUE(statement.is_named());
  EXPECT_EQ(statement.begin_byte(), 6U);
  EXPECT_EQ(statement.end_byte(), 24U);
  EXPECT_EQ(statement.begin_position(), (Position{1, 0}));
  EXPECT_EQ(statement.text(), "fit(model, lr=0.1)");
  EXPECT_EQ(statement.parent(), tree.root());
  EXPECT_EQ(tree.root().parent(), std::nullopt);

  const Node call = statement.children()[0];
  EXPECT_EQ(call.child("function")->text(), "fit");
  EXPECT_EQ(call.child("arguments")->end_position(), (Position{1, 18}));
  EXPECT_EQ(call.child("nonsense"), std::nullopt);
  const Node arguments = *call.child("arguments");
  EXPECT_THAT(kinds_of(arguments.children()),
              ElementsAre("(", "identifier", ",", "keyword_argument", ")"));
  EXPECT_THAT(kinds_of(arguments.named_children()), ElementsAre("identifier", "keyword_argument"));
  EXPECT_FALSE(arguments.children()[0].is_named());
}

TEST(Syntax, CountsColumnsInBytes)
{
  const SyntaxTree tree = SyntaxTree::parse("'é' + x\n", Language::python);
  const Node sum = tree.root().children()[0].children()[0];
  EXPECT_EQ(sum.child("right")->begin_position(), (Position{0, 7}));
}

TEST(Syntax, KeepsNodesValidWhenTheTreeMoves)
{
  SyntaxTree tree = SyntaxTree::parse("x = 1\n", Language::python);
  const Node statement = tree.root().children()[0];
  const SyntaxTree moved = std::move(tree);
  EXPECT_EQ(statement.text(), "x = 1");
  EXPECT_EQ(statement, moved.root().children()[0]);
}

TEST(Syntax, SurvivesPython2)
{
  EXPECT_THAT(broken("print \"loss\", loss\n"), IsEmpty());
  EXPECT_THAT(broken("print >>sys.stderr, 'x' % y\n"), IsEmpty());
  EXPECT_THAT(broken("exec 'x = 1' in scope\n"), IsEmpty());
  const std::string code = "try:\n    f()\nexcept IOError, e:\n    print e\nx = 1\n";
  const SyntaxTree tree = SyntaxTree::parse(code, Language::python);
  EXPECT_EQ(tree.root().children().back().text(), "x = 1");
  check_round_trip(code, Language::python);
}

TEST(Syntax, ListsWhatIsBroken)
{
  EXPECT_THAT(broken("x = = 1\ny = 2\n"), ElementsAre("="));
  EXPECT_THAT(broken("f(1, 2\n"), testing::SizeIs(1));
  EXPECT_THAT(broken("if (a) { b(; }\n", Language::javascript), testing::Not(IsEmpty()));
}

TEST(Syntax, GivesASuppliedTokenAnEmptyRange)
{
  // A missing semicolon is supplied.
  const SyntaxTree tree = SyntaxTree::parse("int main() { return 1 }\n", Language::cpp);
  EXPECT_THAT(tree.errors(), ElementsAre(ByteRange{21, 21}));
}

TEST(Syntax, KeepsTheRestOfBrokenCode)
{
  const SyntaxTree tree =
      SyntaxTree::parse("def f(:\n    pass\n\nmodel = Net()\n", Language::python);
  EXPECT_FALSE(tree.errors().empty());
  EXPECT_EQ(tree.root().children().back().text(), "model = Net()");
}

TEST(Syntax, ReadsAnything)
{
  const std::string zeros("a\0b = \0\n", 8);
  for (const std::string& text : {std::string(),
                                  std::string("\n\n"),
                                  std::string("\xFF\xFE(\x80"),
                                  zeros,
                                  std::string("\xEF\xBB\xBFx = 1\r\ny = 2\r\n")}) {
    for (const Language language : {Language::python, Language::javascript, Language::cpp}) {
      check_round_trip(text, language);
    }
  }
}

TEST(Syntax, WalksDeepNestingWithoutOverflow)
{
  const std::string deep = std::string(20'000, '(') + "x" + std::string(20'000, ')') + "\n";
  check_round_trip(deep, Language::python);
}

TEST(Syntax, FindsTheParentOfEveryNode)
{
  const SyntaxTree tree = SyntaxTree::parse(std::string(k_python), Language::python);
  const auto enter = [](const Node& node) {
    for (const Node& child : node.children()) {
      EXPECT_EQ(child.parent(), node) << child.kind() << " in " << node.kind();
    }
    return true;
  };
  walk(tree.root(), enter, [](const Node&) {});
}

TEST(Syntax, RoundTripsEachLanguage)
{
  check_round_trip(std::string(k_python), Language::python);
  check_round_trip(std::string(k_javascript), Language::javascript);
  check_round_trip(std::string(k_cpp), Language::cpp);
}

TEST(Syntax, RoundTripsMangledCode)
{
  std::mt19937_64 random(1);
  const std::pair<std::string_view, Language> samples[] = {
      {k_python, Language::python}, {k_javascript, Language::javascript}, {k_cpp, Language::cpp}};
  for (const auto& [sample, language] : samples) {
    for (int round = 0; round < 200; ++round) {
      std::string text(sample);
      for (uint64_t i = 0; i < 1 + random() % 5; ++i) {
        const size_t at = random() % text.size();
        text.replace(at, random() % 8, std::string(1, "(){}[]:;'\"\n #\\=\t\x80"[random() % 18]));
      }
      check_round_trip(text, language);
    }
  }
}

TEST(Syntax, RoundTripsTheProgramsOfThisProject)
{
  for (const char* folder : {"faults", "probes", "programs"}) {
    const Result<FileTree> files = read_tree(std::filesystem::path(FL_SOURCE_DIR) / folder);
    if (!files) {
      continue; // not all of them exist from the first day on
    }
    for (const auto& [path, text] : *files) {
      if (const std::optional<Language> language = language_of(path)) {
        SCOPED_TRACE(path);
        check_round_trip(text, *language);
      }
    }
  }
}

} // namespace faultline::source
