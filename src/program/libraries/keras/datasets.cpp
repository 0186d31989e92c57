// The data sets that Keras downloads: shapes, types and value ranges of what `load_data` returns.

#include "program/libraries/keras/keras.hpp"
#include "program/libraries/shared/answers.hpp"
#include "program/names/tables.hpp"

#include <cmath>

namespace faultline::program {

namespace {

// One array of a set, for the first `count` samples.
struct Part {
  std::vector<int64_t> item; // shape of one sample
  DType dtype;
  Interval interval;
  Encoding encoding = Encoding::unknown;
};

struct Set {
  std::string_view name;
  Part features;
  Part labels;
  int64_t classes = 0;
  int64_t train = 0;
  int64_t test = 0;
};

Ref array(Machine& machine,
          Call& call,
          const Set& set,
          const Part& part,
          DataSource::Split split,
          DataSource::Part kind)
{
  std::vector<Dim> dims{Dim::constant(split == DataSource::Split::train ? set.train : set.test)};
  for (const int64_t size : part.item) {
    dims.push_back(Dim::constant(size));
  }
  Tensor* made =
      machine.data(Library::numpy, Shape::of(std::move(dims)), part.dtype, part.interval);
  made->origin = call.span;
  made->encoding = part.encoding;
  made->requires_grad = Truth::no;
  made->classes = kind == DataSource::Part::labels ? set.classes : 0;
  made->source = machine.source({.name = set.name,
                                 .split = split,
                                 .part = kind,
                                 .raw = part.interval,
                                 .classes = set.classes,
                                 .loader = &call});
  return made;
}

// ((x_train, y_train), (x_test, y_test))
Ref load(Machine& machine, Call& call, const Set& set)
{
  std::vector<Ref> splits;
  for (const DataSource::Split split : {DataSource::Split::train, DataSource::Split::test}) {
    const Ref x = array(machine, call, set, set.features, split, DataSource::Part::features);
    const Ref y = array(machine, call, set, set.labels, split, DataSource::Part::labels);
    splits.push_back(machine.tuple({x, y}));
  }
  return machine.tuple(std::move(splits));
}

Part labels(int64_t classes, DType dtype, std::vector<int64_t> item = {})
{
  return {std::move(item),
          dtype,
          Interval::of(0, static_cast<double>(classes - 1)),
          classes == 2 ? Encoding::binary : Encoding::class_index};
}

Part pixels(std::vector<int64_t> item)
{
  return {std::move(item), DType::Kind::uint8, Interval::of(0, 255), Encoding::image};
}

Ref mnist(Machine& machine, Call& call)
{
  const std::string_view name =
      call.name.find("fashion") != std::string::npos ? "fashion_mnist" : "mnist";
  return load(
      machine, call, {name, pixels({28, 28}), labels(10, DType::Kind::uint8), 10, 60000, 10000});
}

std::vector<int64_t> image(Machine& machine, const Call& call)
{
  return keras::channels_first(machine, call) ? std::vector<int64_t>{3, 32, 32}
                                              : std::vector<int64_t>{32, 32, 3};
}

Ref cifar10(Machine& machine, Call& call)
{
  return load(machine,
              call,
              {"cifar10",
               pixels(image(machine, call)),
               labels(10, DType::Kind::uint8, {1}),
               10,
               50000,
               10000});
}

Ref cifar100(Machine& machine, Call& call)
{
  const int64_t classes = machine.to_string(call.arg("label_mode")) == "coarse" ? 20 : 100;
  return load(machine,
              call,
              {"cifar100",
               pixels(image(machine, call)),
               labels(classes, DType::Kind::int64, {1}),
               classes,
               50000,
               10000});
}

// Lists of word indices of different lengths, as an array of objects.
Part reviews(Machine& machine, Call& call)
{
  keras::modernise(machine, call);
  const std::optional<int64_t> words = machine.to_int(call.arg("num_words"));
  const Interval tokens =
      words ? Interval::of(0, static_cast<double>(*words - 1)) : Interval::top();
  return {{}, DType::Kind::object, tokens, Encoding::token};
}

Ref imdb(Machine& machine, Call& call)
{
  return load(machine,
              call,
              {"imdb", reviews(machine, call), labels(2, DType::Kind::int64), 2, 25000, 25000});
}

// Keras cuts the rows at a place, so that a share outside of 0 to 1 gives all or none.
int64_t rows_for_training(Machine& machine, const Call& call, int64_t rows)
{
  const double share = machine.to_double(call.arg("test_split")).value_or(0.2);
  return static_cast<int64_t>(static_cast<double>(rows) * (1 - std::fmax(0, std::fmin(share, 1))));
}

Ref reuters(Machine& machine, Call& call)
{
  constexpr int64_t k_articles = 11228;
  const int64_t train = rows_for_training(machine, call, k_articles);
  return load(machine,
              call,
              {"reuters",
               reviews(machine, call),
               labels(46, DType::Kind::int64),
               46,
               train,
               k_articles - train});
}

Ref boston(Machine& machine, Call& call)
{
  constexpr int64_t k_rows_in_all = 506;
  const int64_t train = rows_for_training(machine, call, k_rows_in_all);
  return load(machine,
              call,
              {"boston_housing",
               {{13}, DType::Kind::float64, Interval::of(0, 711), Encoding::real},
               {{}, DType::Kind::float64, Interval::of(5, 50), Encoding::real},
               0,
               train,
               k_rows_in_all - train});
}

Ref california(Machine& machine, Call& call)
{
  const bool small = machine.to_string(call.arg("version")) == "small";
  return load(machine,
              call,
              {"california_housing",
               {{8}, DType::Kind::float32, Interval::of(-125, 40000), Encoding::real},
               {{}, DType::Kind::float32, Interval::of(14999, 500001), Encoding::real},
               0,
               small ? 480 : 16512,
               small ? 120 : 4128});
}

constexpr std::string_view k_text =
    "path=None, num_words=None, skip_top=0, maxlen=None, seed=113, start_char=1, oov_char=2, "
    "index_from=3, **kwargs";
constexpr std::string_view k_news =
    "path=None, num_words=None, skip_top=0, maxlen=None, test_split=0.2, seed=113, start_char=1, "
    "oov_char=2, index_from=3, **kwargs";

// One row a line.
// clang-format off
constexpr Api k_rows[] = {
    {"keras.datasets.mnist.load_data", "path='mnist.npz'", Role::function, "load_data", 0, mnist},
    {"keras.datasets.fashion_mnist.load_data", "", Role::function, "load_data", 0, mnist},
    {"keras.datasets.cifar10.load_data", "", Role::function, "load_data", 0, cifar10},
    {"keras.datasets.cifar100.load_data", "label_mode='fine'", Role::function, "load_data", 0, cifar100},
    {"keras.datasets.imdb.load_data", k_text, Role::function, "load_data", 0, imdb},
    {"keras.datasets.imdb.get_word_index", "path=None", Role::function, {}, 0, answers::dict},
    {"keras.datasets.reuters.load_data", k_news, Role::function, "load_data", 0, reuters},
    {"keras.datasets.reuters.get_word_index", "path=None", Role::function, {}, 0, answers::dict},
    {"keras.datasets.reuters.get_label_names", "", Role::opaque},
    {"keras.datasets.boston_housing.load_data", "path=None, test_split=0.2, seed=113", Role::function, "load_data", 0, boston},
    {"keras.datasets.california_housing.load_data", "version='large', path=None, test_split=0.2, seed=113", Role::function, "load_data", 0, california},
};
// clang-format on

} // namespace

std::span<const Api> keras_datasets()
{
  return k_rows;
}

} // namespace faultline::program
