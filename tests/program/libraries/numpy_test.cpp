// NumPy: shapes, types and values of arrays.

#include "program/fixture.hpp"

namespace faultline::program {

// After `source`, which may use np, the name `x` is described by `expected`.
static void check_arrays(std::span<const Example> examples)
{
  for (const Example& example : examples) {
    const auto program = analyse_text("import numpy as np\n" + std::string(example.source));
    EXPECT_EQ(global(*program, "x"), example.expected) << example.source;
    EXPECT_TRUE(program->problems().empty()) << example.source;
  }
}

TEST(NumpyModels, MakeArrays)
{
  static constexpr Example k_examples[] = {
      {"x = np.array([[1, 2, 3], [4, 5, 6]])", "int64 (2, 3) [1, 6]"},
      {"x = np.array([1, 2.5], dtype='float32')", "float32 (2,) [1, 2.5]"},
      {"x = np.array([[1, 2], [3]])", "object (2,)"},
      {"x = np.array([np.zeros(3), np.ones(3)])", "float64 (2, 3) [0, 1]"},
      {"x = np.array(unknown)", "unknown unknown shape"},
      {"x = np.zeros((3, 4), dtype=np.float32)", "float32 (3, 4) [0, 0]"},
      {"x = np.ones(5)", "float64 (5,) [1, 1]"},
      {"x = np.full((2, 2), 7)", "int64 (2, 2) [7, 7]"},
      {"x = np.zeros_like(np.arange(3))", "int64 (3,) [0, 0]"},
      {"x = np.arange(2, 10, 3)", "int64 (3,) [2, 8]"},
      {"x = np.arange(0, 1, 0.25)", "float64 (4,) [0, 0.75]"},
      {"x = np.linspace(0, 1, 5)", "float64 (5,) [0, 1]"},
      {"x = np.eye(3)", "float64 (3, 3) [0, 1]"},
      {"x = np.eye(10)[np.array([1, 2])]", "float64 (2, 10) [0, 1]"},
      {"x = np.loadtxt('f.csv', delimiter=',')[:, 0:8]", "float64 (d2, 8)"},
      {"x = np.random.rand(2, 3)", "float64 (2, 3) [0, 1]"},
      {"x = np.random.randn(4)", "float64 (4,) [-6, 6]"},
      {"x = np.random.randint(0, 10, size=(3, 1))", "int64 (3, 1) [0, 9]"},
      {"x = np.random.randint(5)", "int"},
      {"x = np.random.uniform(-1, 1, (2, 2))", "float64 (2, 2) [-1, 1]"},
      {"x = np.random.normal(0, 2, size=3)", "float64 (3,) [-12, 12]"},
      {"x = np.random.RandomState(1).permutation(6)", "int64 (6,) [0, 5]"},
      {"x = np.random.default_rng(0).normal(size=(2,))", "float64 (2,) [-6, 6]"},
      {"x = np.random.choice(10, 4)", "int64 (4,) [0, 9]"},
      {"x, y = np.meshgrid(np.arange(3), np.arange(4))", "int64 (4, 3) [0, 2]"},
  };
  check_arrays(k_examples);
}

TEST(NumpyModels, RearrangeArrays)
{
  static constexpr Example k_examples[] = {
      {"x = np.zeros((2, 3, 4)).reshape(2, -1)", "float64 (2, 12) [0, 0]"},
      {"x = np.zeros((2, 3, 4)).reshape((-1, 4))", "float64 (6, 4) [0, 0]"},
      {"x = np.reshape(np.zeros(6), (2, 3))", "float64 (2, 3) [0, 0]"},
      {"x = np.zeros((2, 3)).ravel()", "float64 (6,) [0, 0]"},
      {"x = np.zeros((2, 3)).T", "float64 (3, 2) [0, 0]"},
      {"x = np.zeros((2, 3, 4)).transpose(2, 0, 1)", "float64 (4, 2, 3) [0, 0]"},
      {"x = np.transpose(np.zeros((2, 3, 4)), (0, 2, 1))", "float64 (2, 4, 3) [0, 0]"},
      {"x = np.rollaxis(np.zeros((2, 3, 4)), 2)", "float64 (4, 2, 3) [0, 0]"},
      {"x = np.moveaxis(np.zeros((2, 3, 4)), 0, -1)", "float64 (3, 4, 2) [0, 0]"},
      {"x = np.expand_dims(np.zeros((2, 3)), -1)", "float64 (2, 3, 1) [0, 0]"},
      {"x = np.zeros((2, 3))[:, np.newaxis]", "float64 (2, 1, 3) [0, 0]"},
      {"x = np.zeros((2, 3))[..., ..., 0]", "float64 unknown shape [0, 0]"},
      {"x = np.squeeze(np.zeros((1, 3, 1)))", "float64 (3,) [0, 0]"},
      {"x = np.tile(np.zeros((2, 3)), (2, 1))", "float64 (4, 3) [0, 0]"},
      {"x = np.repeat(np.zeros((2, 3)), 2, axis=1)", "float64 (2, 6) [0, 0]"},
      {"x = np.pad(np.ones((2, 3)), ((1, 1), (0, 2)))", "float64 (4, 5) [0, 1]"},
      {"x = np.concatenate([np.zeros((2, 3)), np.ones((4, 3))])", "float64 (6, 3) [0, 1]"},
      {"x = np.concatenate((np.zeros((2, 3)), np.ones((2, 1))), axis=1)", "float64 (2, 4) [0, 1]"},
      {"x = np.stack([np.zeros(3)] * 4)", "float64 (4, 3) [0, 0]"},
      {"x = np.vstack([np.zeros(3), np.zeros((2, 3))])", "float64 (3, 3) [0, 0]"},
      {"x = np.hstack([np.zeros(3), np.zeros(2)])", "float64 (5,) [0, 0]"},
      {"x = np.column_stack([np.zeros(3), np.zeros(3)])", "float64 (3, 2) [0, 0]"},
      {"x = np.append(np.zeros((2, 3)), np.zeros((1, 3)))", "float64 (9,) [0, 0]"},
      {"x = np.append(np.zeros((2, 3)), np.zeros((1, 3)), axis=0)", "float64 (3, 3) [0, 0]"},
      {"x = np.split(np.zeros((6, 2)), 3)[0]", "float64 (2, 2) [0, 0]"},
      {"x = np.split(np.zeros((6, 2)), [1, 4])[1]", "float64 (3, 2) [0, 0]"},
      {"x = np.array_split(np.zeros(7), 3)[0]", "float64 (3,) [0, 0]"},
      {"x = np.delete(np.zeros((4, 3)), 0, axis=1)", "float64 (4, 2) [0, 0]"},
      {"l = []\nfor i in range(200):\n  l.append(np.zeros((28, 28)))\nx = np.array(l)",
       "float64 (?, 28, 28) [0, 0]"},
  };
  check_arrays(k_examples);
}

TEST(NumpyModels, Compute)
{
  static constexpr Example k_examples[] = {
      {"x = np.array([1, 4]) / 2", "float64 (2,) [0.5, 2]"},
      {"x = np.sqrt(np.array([1, 4]))", "float64 (2,) [1, 2]"},
      {"x = np.sqrt(16)", "4f"},
      {"x = int(np.ceil(10 / 3))", "4"},
      {"x = np.mean(np.ones((2, 3)), axis=0)", "float64 (3,) [1, 1]"},
      {"x = np.ones((2, 3)).sum(axis=1, keepdims=True)", "float64 (2, 1) [3, 3]"},
      {"x = np.sum(np.ones((2, 3)))", "float64 () [6, 6]"},
      {"x = np.argmax(np.random.rand(5, 7), axis=1)", "int64 (5,) [0, 6]"},
      {"x = np.max(np.random.rand(5, 7))", "float64 () [0, 1]"},
      {"x = np.prod(np.zeros((4, 5, 6)).shape[1:])", "30"},
      {"x = np.dot(np.ones((2, 3)), np.ones((3, 4)))", "float64 (2, 4) [3, 3]"},
      {"x = np.ones((2, 3)) @ np.ones(3)", "float64 (2,) [3, 3]"},
      {"x = np.maximum(np.array([-1.0, 2.0]), 0)", "float64 (2,) [0, 2]"},
      {"x = np.clip(np.random.randn(3), -1, 1)", "float64 (3,) [-1, 1]"},
      {"x = np.where(np.arange(3) > 1, 1, 0)", "int64 (3,) [0, 1]"},
      {"x = np.random.rand(3).astype('float32') * 2", "float32 (3,) [0, 2]"},
      {"x = np.arange(3).astype(np.float32)", "float32 (3,) [0, 2]"},
      {"x = np.array([1.7, -1.7]).astype(int)", "int64 (2,) [-1, 1]"},
      {"x = np.arange(6).dtype", "'int64'"},
      {"x = np.zeros((2, 3)).shape", "(2, 3)"},
      {"x = np.zeros((2, 3)).size", "6"},
      {"x = np.array([[1, 2]]).tolist()", "[[1, 2]]"},
      {"x = np.zeros(3)\nx[1] = 5", "float64 (3,) [0, 5]"},
      {"a = np.arange(10, dtype='uint8')\nx = a[a >= 5] - 5", "uint8 (d2,) [0, 4]"},
      {"x = np.einsum('ij,jk->ik', np.ones((2, 3)), np.ones((3, 4)))", "float64 (2, 4)"},
      {"x = np.linalg.norm(np.ones((2, 3)), axis=1).shape", "(2)"},
      {"x = np.unique(np.array([1, 1]), return_counts=True)[1]", "int64 (d2,) [0, inf]"},
  };
  check_arrays(k_examples);
}

TEST(NumpyModels, KnowWhatNumbersMean)
{
  const auto program = analyse_text(R"(
import numpy as np
from sklearn.datasets import load_digits
data, labels = load_digits(return_X_y=True)
scaled = (data / 16).reshape(-1, 8, 8).astype('float32')[:100]
one_hot = np.zeros((1797, 10))
one_hot[np.arange(1797), labels] = 1
back = np.argmax(one_hot, axis=1)
classes = np.max(labels) + 1
different = len(np.unique(labels))
)");
  const auto tensor = [&](std::string_view name) {
    return as<Tensor>(program->main().globals->names.at(name));
  };
  EXPECT_EQ(tensor("scaled")->source->name, "digits");
  EXPECT_EQ(tensor("scaled")->source->raw, Interval::of(0, 16));
  EXPECT_EQ(tensor("scaled")->interval, Interval::of(0, 1));
  EXPECT_EQ(tensor("labels")->classes, 10);
  EXPECT_EQ(tensor("labels")->source->part, DataSource::Part::labels);
  EXPECT_EQ(tensor("one_hot")->encoding, Encoding::one_hot);
  EXPECT_EQ(tensor("one_hot")->classes, 10);
  EXPECT_EQ(tensor("back")->encoding, Encoding::class_index);
  EXPECT_EQ(global(*program, "classes"), "10");
  EXPECT_EQ(global(*program, "different"), "10");
}

struct Broken {
  std::string_view source;
  ProblemKind kind;
  std::string_view message;
};

TEST(NumpyModels, ReportWhatCannotBe)
{
  static constexpr Broken k_examples[] = {
      {"np.zeros((2, 3)).reshape(4, 2)",
       ProblemKind::reshape,
       "(2, 3) with 6 elements cannot be reshaped to (4, 2)"},
      {"np.concatenate([np.zeros((2, 3)), np.zeros((2, 4))])",
       ProblemKind::concat,
       "(2, 3) and (2, 4) cannot be concatenated along axis 0: axis 1 differs"},
      {"np.dot(np.zeros((2, 3)), np.zeros((2, 3)))",
       ProblemKind::contraction,
       "(2, 3) and (2, 3) cannot be multiplied: 3 against 2"},
      {"np.mean(np.zeros((2, 3)), axis=2)",
       ProblemKind::axis,
       "axis 2 of a reduction is out of range for (2, 3)"},
      {"np.zeros((2, 3)) + np.zeros((2, 4))",
       ProblemKind::broadcast,
       "shapes (2, 3) and (2, 4) cannot be combined: 3 against 4"},
      {"np.squeeze(np.zeros((2, 3)), axis=0)",
       ProblemKind::squeeze,
       "axis 0 of (2, 3) has size 2, not 1"},
      {"np.split(np.zeros(7), 3)",
       ProblemKind::reshape,
       "axis 0 of size 7 cannot be split into 3 equal parts"},
      {"np.arange(200, dtype=np.uint8) * 2",
       ProblemKind::integer_overflow,
       "values [0, 398] do not fit uint8 and wrap around"},
      {"np.linalg.inv(np.zeros((2, 3)))",
       ProblemKind::rank,
       "numpy.linalg.inv needs a square matrix, not (2, 3)"},
      {"np.log(np.array(['a']))", ProblemKind::object_dtype, "`numpy.log` gets an array of text"},
  };
  for (const Broken& example : k_examples) {
    const auto program = analyse_text("import numpy as np\n" + std::string(example.source));
    ASSERT_EQ(program->problems().size(), 1U) << example.source;
    EXPECT_EQ(program->problems()[0].kind, example.kind) << example.source;
    EXPECT_EQ(program->problems()[0].message, example.message) << example.source;
  }
}

} // namespace faultline::program
