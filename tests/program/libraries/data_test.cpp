// pandas, scikit-learn, images and torchvision: where data come from and what they look like.

#include "program/fixture.hpp"

#include <algorithm>

namespace faultline::program {

static constexpr std::string_view k_imports = R"(
import numpy as np
import pandas as pd
import cv2
import torchvision
from PIL import Image
from torchvision import datasets, models, transforms
from sklearn.datasets import *
from sklearn.decomposition import PCA
from sklearn.model_selection import train_test_split, KFold
from sklearn.preprocessing import *
)";

static void check_data(std::span<const Example> examples)
{
  for (const Example& example : examples) {
    const auto program = analyse_text(std::string(k_imports) + std::string(example.source));
    EXPECT_EQ(global(*program, "x"), example.expected) << example.source;
    EXPECT_TRUE(program->problems().empty()) << example.source;
  }
}

TEST(PandasModels, FollowRowsAndColumns)
{
  static constexpr Example k_examples[] = {
      {"x = pd.read_csv('f').values", "unknown (d3, d2)"},
      {"x = pd.read_csv('f', names=['a', 'b', 'c'])", "unknown (d3, 3)"},
      {"x = pd.read_csv('f')['a']", "unknown (d3,)"},
      {"x = pd.read_csv('f').price.values", "unknown (d3,)"},
      {"x = pd.read_csv('f')[['a', 'b']]", "unknown (d3, 2)"},
      {"x = pd.read_csv('f').drop('a', axis=1)", "unknown (d3, d2-1)"},
      {"x = pd.read_csv('f').drop(columns=['a', 'b'])", "unknown (d3, d2-2)"},
      {"x = pd.read_csv('f').iloc[:, 1:].values", "unknown (d3, d2-1)"},
      {"x = pd.read_csv('f').iloc[:, 0:8].values", "unknown (d3, 8)"},
      {"x = pd.read_csv('f').iloc[:, -1].values", "unknown (d3,)"},
      {"x = pd.read_csv('f').loc[:, ['a', 'b']]", "unknown (d3, 2)"},
      {"df = pd.read_csv('f')\nx = df[df['a'] > 1]", "unknown (d4, d2)"},
      {"x = pd.read_csv('f').dropna().shape[1]", "int d2"},
      {"x = pd.DataFrame({'a': [1, 2, 3], 'b': [4, 5, 6]})", "unknown (3, 2)"},
      {"x = pd.DataFrame(np.zeros((4, 2)))", "float64 (4, 2) [0, 0]"},
      {"x = pd.DataFrame({'a': [1, 2, 3]})\nx['b'] = 1", "unknown (3, ?)"},
      {"x = pd.DataFrame({'a': [1, 2, 3]})\nx.drop('a', axis=1, inplace=True)", "unknown (?, ?)"},
      {"x = pd.get_dummies(pd.Series(load_iris().target)).values", "unknown (150, 3) [0, 1]"},
      {"x = pd.concat([pd.DataFrame(np.zeros((4, 2)))] * 2, axis=1)", "unknown (4, 4)"},
  };
  check_data(k_examples);
}

TEST(SklearnModels, KnowTheirData)
{
  static constexpr Example k_examples[] = {
      {"x = load_iris().data", "float64 (150, 4) [0.1, 7.9]"},
      {"x = load_iris()['target']", "int64 (150,) [0, 2]"},
      {"x = load_digits().images", "float64 (1797, 8, 8) [0, 16]"},
      {"x = len(load_wine().feature_names)", "13"},
      {"x, y = make_blobs(n_samples=500, centers=4)", "float64 (500, 2)"},
      {"y, x = make_moons(300)", "int64 (300,) [0, 1]"},
      {"y, x = make_multilabel_classification(n_samples=10, n_classes=3)", "int64 (10, 3) [0, 1]"},
      {"x = fetch_openml('mnist_784').target.astype(int)", "int64 (70000,) [0, 9]"},
      {"a, x, b, c = train_test_split(load_iris().data, load_iris().target, test_size=0.33)",
       "float64 (50, 4) [0.1, 7.9]"},
      {"x, a = train_test_split(np.zeros((10, 3)))", "float64 (7, 3) [0, 0]"},
      {"x, a = train_test_split(np.zeros((10, 3)), train_size=4)", "float64 (4, 3) [0, 0]"},
      {"x = StandardScaler().fit_transform(load_iris().data)", "float64 (150, 4)"},
      {"x = MinMaxScaler((-1, 1)).fit_transform(load_iris().data)", "float64 (150, 4) [-1, 1]"},
      {"x = LabelEncoder().fit_transform(['a', 'b', 'a'])", "int64 (3,) [0, inf]"},
      {"x = OneHotEncoder().fit_transform(load_iris().target.reshape(-1, 1)).toarray()",
       "float64 (150, 3) [0, 1]"},
      {"x = LabelBinarizer().fit_transform(load_iris().target)", "int64 (150, 3) [0, 1]"},
      {"x = PCA(n_components=2).fit_transform(load_iris().data)", "float64 (150, 2)"},
      {"for a, b in KFold(5).split(load_iris().data):\n  x = load_iris().data[a]",
       "float64 (d2, 4) [0.1, 7.9]"},
  };
  check_data(k_examples);
}

TEST(ImageModels, KnowSizesAndBytes)
{
  static constexpr Example k_examples[] = {
      {"x = cv2.imread('f.png')", "uint8 (d2, d3, 3) [0, 255]"},
      {"x = cv2.imread('f.png', 0)", "uint8 (d2, d3) [0, 255]"},
      {"x = cv2.resize(cv2.imread('f.png'), (100, 50))", "uint8 (50, 100, 3) [0, 255]"},
      {"x = cv2.cvtColor(cv2.imread('f.png'), cv2.COLOR_BGR2GRAY)", "uint8 (d2, d3) [0, 255]"},
      {"x = np.array(Image.open('f').convert('RGB').resize((64, 32)))",
       "uint8 (32, 64, 3) [0, 255]"},
      {"x = Image.open('f').convert('L').resize((64, 32)).size", "(64, 32)"},
      {"x = np.asarray(Image.open('f').resize((8, 8)).convert('L')) / 255.",
       "float64 (8, 8) [0, 1]"},
      {"import matplotlib.pyplot as plt\nx = plt.imread('f.png').dtype", "'float32'"},
  };
  check_data(k_examples);
}

TEST(TorchvisionModels, FollowTransforms)
{
  static constexpr Example k_examples[] = {
      {"x = datasets.MNIST('d', transform=transforms.ToTensor())[0]",
       "(float32 (1, 28, 28) [0, 1], int64 () [0, 9])"},
      {"x = len(datasets.MNIST('d', train=False))", "10000"},
      {"x = datasets.MNIST('d').data", "uint8 (60000, 28, 28) [0, 255]"},
      {"x = datasets.CIFAR10('d').data", "uint8 (50000, 32, 32, 3) [0, 255]"},
      {"t = transforms.Compose([transforms.ToTensor(), transforms.Normalize((0.5,), (0.5,))])\n"
       "x = datasets.FashionMNIST('d', transform=t).sample[0]",
       "float32 (1, 28, 28) [-1, 1]"},
      {"t = transforms.Compose([transforms.Resize(256), transforms.CenterCrop(224),"
       " transforms.ToTensor()])\nx = datasets.ImageFolder('d', t)[0][0]",
       "float32 (3, 224, 224) [0, 1]"},
      {"t = transforms.Compose([transforms.Resize(64), transforms.ToTensor()])\n"
       "x = datasets.CIFAR10('d', transform=t)[0][0]",
       "float32 (3, 64, 64) [0, 1]"},
      {"t = transforms.Compose([transforms.RandomCrop(32, padding=4),"
       " transforms.RandomHorizontalFlip(), transforms.Grayscale(), transforms.ToTensor()])\n"
       "x = datasets.CIFAR10('d', transform=t)[0][0]",
       "float32 (1, 32, 32) [0, 1]"},
      {"t = transforms.Compose([transforms.RandomResizedCrop(224), transforms.ToTensor()])\n"
       "x = t(Image.open('f'))",
       "float32 (?, 224, 224) [0, 1]"},
      {"x = transforms.ToTensor()(np.zeros((4, 5, 3)))", "float64 (3, 4, 5) [0, 0]"},
      {"x = transforms.functional.resize(Image.new('L', (9, 9)), (4, 6)).size", "(6, 4)"},
      {"x = datasets.EMNIST('d', split='letters', transform=transforms.ToTensor())[0][1]",
       "int64 () [1, 26]"},
      {"x = datasets.FakeData(10, (1, 8, 8), 4, transforms.ToTensor())[0]",
       "(float32 (1, 8, 8) [0, 1], int64 () [0, 3])"},
      {"x = [len(datasets.MNIST('d').classes), type(models.resnet18()).__name__]", "[10, ?]"},
  };
  check_data(k_examples);
}

TEST(DataModels, RememberTheSource)
{
  const auto program = analyse_text(std::string(k_imports) + R"(
iris = load_iris()
a, b, c, d = train_test_split(iris.data, iris.target)
e, f = train_test_split(a)
m = datasets.MNIST('d', train=False, transform=transforms.ToTensor()).sample[0]
)");
  const auto source = [&](std::string_view name) -> const DataSource& {
    return *as<Tensor>(program->main().globals->names.at(name))->source;
  };
  EXPECT_EQ(source("a").split, DataSource::Split::train);
  EXPECT_EQ(source("b").split, DataSource::Split::test);
  EXPECT_EQ(source("d").part, DataSource::Part::labels);
  EXPECT_EQ(source("d").classes, 3);
  EXPECT_EQ(source("e").split, DataSource::Split::train);
  EXPECT_EQ(source("f").split, DataSource::Split::validation);
  EXPECT_EQ(source("m").name, "mnist");
  EXPECT_EQ(source("m").split, DataSource::Split::test);
  EXPECT_EQ(source("m").raw, Interval::of(0, 255));
  EXPECT_EQ(source("m").loader->name, "torchvision.datasets.MNIST");
}

TEST(DataModels, ReportWhatCannotBe)
{
  struct Broken {
    std::string_view source;
    ProblemKind kind;
    std::string_view message;
  };
  static constexpr Broken k_examples[] = {
      {"StandardScaler().fit_transform(load_iris().target)",
       ProblemKind::rank,
       "`sklearn.preprocessing.StandardScaler.fit_transform` expects rows and columns, not (150,)"},
      {"train_test_split(np.zeros((10, 2)), np.zeros(9))",
       ProblemKind::sample_count,
       "9 samples here, but 10 in the first array"},
      {"t = transforms.Compose([transforms.ToTensor(),"
       " transforms.Normalize((0.5, 0.5, 0.5), (0.5, 0.5, 0.5))])\n"
       "datasets.MNIST('d', transform=t)",
       ProblemKind::features,
       "`Normalize` has 3 means, but the image has 1 channels"},
      {"t = transforms.Compose([transforms.Normalize((0.5,), (0.5,)), transforms.ToTensor()])\n"
       "datasets.MNIST('d', transform=t)",
       ProblemKind::bad_argument,
       "`Normalize` gets a PIL image; it wants a tensor"},
      {"t = transforms.Compose([transforms.RandomCrop(64), transforms.ToTensor()])\n"
       "datasets.CIFAR10('d', transform=t)",
       ProblemKind::empty_result,
       "a crop of 64x64 does not fit an image of 32x32"},
      {"cv2.imread('f') - 128",
       ProblemKind::integer_overflow,
       "values [-128, 127] do not fit uint8 and wrap around"},
  };
  for (const Broken& example : k_examples) {
    const auto program = analyse_text(std::string(k_imports) + std::string(example.source));
    ASSERT_EQ(program->problems().size(), 1U) << example.source;
    EXPECT_EQ(program->problems()[0].kind, example.kind) << example.source;
    EXPECT_EQ(program->problems()[0].message, example.message) << example.source;
  }
}

} // namespace faultline::program
