// Python's built-ins and standard library.

#include "program/fixture.hpp"

namespace faultline::program {

TEST(PythonModels, WalkOverCollections)
{
  static constexpr Example k_examples[] = {
      {"x = range(3)", "[0, 1, 2]"},
      {"x = list(range(2, 8, 3))", "[2, 5]"},
      {"x = range(5, 0, -2)", "[5, 3, 1]"},
      {"x = range(1000)", "[*int]"},
      {"x = xrange(2)", "[0, 1]"},
      {"x = len([1, 2, 3])", "3"},
      {"x = len('abc')", "3"},
      {"x = len({'a': 1})", "1"},
      {"class D:\n  def __len__(self):\n    return 7\nx = len(D())", "7"},
      {"x = list(enumerate(['a', 'b'], 1))", "[(1, 'a'), (2, 'b')]"},
      {"x = list(zip([1, 2, 3], 'ab'))", "[(1, 'a'), (2, 'b')]"},
      {"x = list(zip(range(999), 'ab'))", "[(int, 'a'), (int, 'b')]"},
      {"x = list(map(lambda a: a + 1, [1, 2]))", "[2, 3]"},
      {"x = list(map(int, '12'))", "[1, 2]"},
      {"x = list(filter(lambda a: a > 1, [1, 2, 3]))", "[2, 3]"},
      {"x = tuple([1, 2])", "(1, 2)"},
      {"x = dict(a=1, b=2)", "{'a': 1, 'b': 2}"},
      {"x = dict([('a', 1)])", "{'a': 1}"},
      {"x = sorted([3, 1, 2])", "[1, 2, 3]"},
      {"x = sorted(['b', 'a'], reverse=True)", "['b', 'a']"},
      {"x = list(reversed([1, 2]))", "[2, 1]"},
      {"x = next(iter([5]))", "5"},
      {"x = max(1, 3, 2)", "3"},
      {"x = min([4.5, 2])", "2"},
      {"x = sum([1, 2, 3])", "6"},
      {"x = sum([1, 2.5])", "3.5f"},
      {"x = any([False, True])", "True"},
      {"x = all([])", "True"},
      {"x = abs(-3)", "3"},
      {"x = round(2.6)", "3"},
      {"x = round(2.654, 2)", "2.65f"},
      {"x = pow(2, 3)", "8"},
      {"x = divmod(7, 2)", "(3, 1)"},
  };
  check(k_examples);
}

TEST(PythonModels, ConvertAndInspect)
{
  static constexpr Example k_examples[] = {
      {"x = int('12')", "12"},
      {"x = int(3.9)", "3"},
      {"x = int(-3.9)", "-3"},
      {"x = float('1e-3')", "0.001f"},
      {"x = float('nan')", "float"},
      {"x = float(2)", "2f"},
      {"x = str(12)", "'12'"},
      {"x = bool([])", "False"},
      {"x = isinstance(3, int)", "True"},
      {"x = isinstance(3, (str, list))", "False"},
      {"x = isinstance([], list)", "True"},
      {"class A: pass\nclass B(A): pass\nx = isinstance(B(), A)", "True"},
      {"x = isinstance(something, int)", "int"},
      {"class A:\n  k = 1\nx = hasattr(A(), 'k')", "True"},
      {"class A:\n  k = 1\nx = hasattr(A(), 'n')", "False"},
      {"class A:\n  k = 1\nx = getattr(A(), 'n', 5)", "5"},
      {"class A: pass\na = A()\nsetattr(a, 'n%s' % 1, 5)\nsetattr(a, 'm', 6)\nx = a.m", "6"},
      {"x = callable(len)", "int"},
      {"x = ord('a')", "97"},
  };
  check(k_examples);
}

TEST(PythonModels, ChangeContainers)
{
  static constexpr Example k_examples[] = {
      {"x = []\nx.append(1)\nx.append(2)", "[1, 2]"},
      {"x = [1]\nx.extend((2, 3))", "[1, 2, 3]"},
      {"x = [1, 3]\nx.insert(1, 2)", "[1, 2, 3]"},
      {"x = [1, 2]\nx.pop()", "[1]"},
      {"y = [1, 2]\nx = y.pop(0)", "1"},
      {"x = [1, 2]\nx.reverse()", "[2, 1]"},
      {"x = [1, 2]\nx.clear()", "[]"},
      {"y = [1]\nx = y.copy()\ny.append(2)", "[1]"},
      {"x = []\nfor i in range(3):\n  x.append(i)", "[0, 1, 2]"},
      {"x = []\nfor line in open('f'):\n  x.append(1)", "[1, *1]"},
      {"x = {'a': 1}\nx.update(b=2)\nx.update({'a': 3})", "{'a': 3, 'b': 2}"},
      {"x = {'a': 1}.get('b', 5)", "5"},
      {"x = {'a': 1}.get('a')", "1"},
      {"x = list({'a': 1}.items())", "[('a', 1)]"},
      {"x = list({'a': 1}.values())", "[1]"},
      {"d = {'a': 1}\nd.pop('a')\nx = d", "{}"},
      {"d = {}\nd.setdefault('a', [])\nx = d", "{'a': []}"},
      {"x = set()\nx.add(1)\nx.add(1)", "[1]"},
      {"y = set.union({1}, {2})\nx = 1", "1"}, // on the class: there is no object
      {"from collections import OrderedDict\nx = OrderedDict([('a', 1)])", "{'a': 1}"},
  };
  check(k_examples);
}

TEST(PythonModels, PutTextTogether)
{
  static constexpr Example k_examples[] = {
      {"x = 'conv{}'.format(3)", "'conv3'"},
      {"x = '{0}_{name}'.format(1, name='a')", "'1_a'"},
      {"x = '{:.2f}'.format(1.5)", "str"},
      {"x = ','.join(['a', 'b'])", "'a,b'"},
      {"x = 'a b'.split()", "['a', 'b']"},
      {"x = 'A'.lower()", "'a'"},
      {"x = ' a '.strip()", "'a'"},
      {"x = 'a-b'.replace('-', '_')", "'a_b'"},
      {"x = 'model.h5'.endswith('.h5')", "True"},
      {"import string\nx = len(string.ascii_letters + \" .,;'\")", "57"},
  };
  check(k_examples);
}

TEST(PythonModels, ReadOptions)
{
  static constexpr Example k_examples[] = {
      {R"(
import argparse
parser = argparse.ArgumentParser(description='d')
parser.add_argument('--batch-size', '-b', type=int, default=64, metavar='N')
parser.add_argument('--lr', type=float, default='0.1')
parser.add_argument('--no-cuda', action='store_true', default=False)
parser.add_argument('--seed', type=int)
parser.add_argument('data', nargs='+')
group = parser.add_argument_group('more')
group.add_argument('-x', dest='other', default=[1, 2])
parser.set_defaults(kind='a')
args = parser.parse_args()
x = [args.batch_size, args.lr, args.no_cuda, args.seed, args.data, args.other, args.kind]
)",
       "[64, 0.1f, False, None or int, [*str], [1, 2], 'a']"},
      {R"(
import argparse
p = argparse.ArgumentParser()
p.add_argument('--n', type=int, default=3)
args, rest = p.parse_known_args()
x = vars(args)
)",
       "{'n': 3}"},
      {R"(
from absl import flags, app
FLAGS = flags.FLAGS
flags.DEFINE_integer('steps', 100, 'help')
flags.DEFINE_string('dir', None, 'help')
def main(argv):
  global x
  x = [FLAGS.steps, FLAGS.dir]
app.run(main)
)",
       "[100, None or str]"},
  };
  check(k_examples);
}

TEST(PythonModels, MarksDefaultsAsAssumed)
{
  const auto program = analyse_text(R"(
import argparse
p = argparse.ArgumentParser()
p.add_argument('--n', type=int, default=3)
x = int(p.parse_args().n)
)");
  EXPECT_TRUE(program->main().globals->names.at("x")->assumed);
}

TEST(PythonModels, KnowTheStandardLibrary)
{
  static constexpr Example k_examples[] = {
      {"import math\nx = math.ceil(100 / 32)", "4"},
      {"import math\nx = math.sqrt(16)", "4f"},
      {"import math\nx = math.log(8, 2)", "3f"},
      {"import math\nx = math.pi", "3.14159f"},
      {"import random\nx = random.randint(1, 6)", "int"},
      {"from functools import partial\nx = partial(max, 3)(2)", "3"},
      {"from functools import reduce\nimport operator\nx = reduce(operator.mul, [2, 3, 4])", "24"},
      {"import itertools\nx = list(itertools.chain([1], [2]))", "[1, 2]"},
      {"import itertools\nx = list(itertools.product([1, 2], 'a'))", "[(1, 'a'), (2, 'a')]"},
      {"import copy\nx = copy.deepcopy([1])", "[1]"},
      {"from collections import namedtuple\nP = namedtuple('P', 'a b')\nx = P(1, b=2).b", "2"},
      {"from collections import namedtuple\nP = namedtuple('P', ['a', 'b'])\na, x = P(1, 2)", "2"},
      {"import os\nx = os.path.join('a', 'b')", "str"},
      {"from tqdm import tqdm\nx = tqdm([1, 2])", "[1, 2]"},
      {"from tqdm.auto import trange\nx = trange(2)", "[0, 1]"},
      {"from six.moves import range\nx = range(2)", "[0, 1]"},
      {"with open('f') as f:\n  x = f.read()", "str"},
      {"import logging\nlogging.basicConfig()\nx = logging.getLogger('a').info('b')", "?"},
  };
  check(k_examples);
}

} // namespace faultline::program
