// Data that TensorFlow brings along: the MNIST of its tutorials, and tfds.

#include "program/libraries/tensorflow/data.hpp"
#include "program/libraries/tensorflow/tf.hpp"
#include "program/names/tables.hpp"

namespace faultline::program {

namespace {

using Split = DataSource::Split;
using Part = DataSource::Part;

struct Digits {
  bool one_hot = false;
  bool flat = true;
};

Digits options_of(Machine& machine, const Call& loader)
{
  return {machine.truthiness(loader.arg("one_hot")).value_or(false),
          machine.truthiness(loader.arg("reshape")).value_or(true)};
}

Tensor* images(Machine& machine, Call* loader, Digits digits, Dim count, Split split)
{
  const Shape item = digits.flat ? Shape::constants({784}) : Shape::constants({28, 28, 1});
  Tensor* made = machine.data(
      Library::numpy, Shape::of({count}).plus(item), DType::Kind::float32, Interval::of(0, 1));
  made->encoding = Encoding::image;
  made->requires_grad = Truth::no;
  made->source = machine.source({.name = "mnist",
                                 .split = split,
                                 .part = Part::features,
                                 .raw = Interval::of(0, 1),
                                 .classes = 10,
                                 .loader = loader});
  return made;
}

Tensor* labels(Machine& machine, Call* loader, Digits digits, Dim count, Split split)
{
  Tensor* made =
      digits.one_hot
          ? machine.data(Library::numpy,
                         Shape::of({count, Dim::constant(10)}),
                         DType::Kind::float64,
                         Interval::of(0, 1))
          : machine.data(
                Library::numpy, Shape::of({count}), DType::Kind::uint8, Interval::of(0, 9));
  made->encoding = digits.one_hot ? Encoding::one_hot : Encoding::class_index;
  made->classes = 10;
  made->requires_grad = Truth::no;
  made->source = machine.source({.name = "mnist",
                                 .split = split,
                                 .part = Part::labels,
                                 .raw = made->interval,
                                 .classes = 10,
                                 .loader = loader});
  return made;
}

Ref read_data_sets(Machine& machine, Call& call)
{
  const Digits digits = options_of(machine, call);
  Instance* all =
      machine.instance(*find_api("tensorflow.examples.tutorials.mnist.Datasets"), &call);
  struct Row {
    std::string_view name;
    Split split;
    int64_t count;
  };
  const int64_t held = machine.to_int(call.arg("validation_size")).value_or(5000);
  for (const Row& row : {Row{"train", Split::train, 60000 - held},
                         Row{"validation", Split::validation, held},
                         Row{"test", Split::test, 10000}}) {
    Instance* set =
        machine.instance(*find_api("tensorflow.examples.tutorials.mnist.DataSet"), &call);
    const Dim count = Dim::constant(row.count);
    set->attributes["images"] = images(machine, &call, digits, count, row.split);
    set->attributes["labels"] = labels(machine, &call, digits, count, row.split);
    set->attributes["num_examples"] = machine.integer(row.count);
    all->attributes[row.name] = set;
  }
  return all;
}

// (images, labels) of that many samples.
Ref next_batch(Machine& machine, Call& call)
{
  const auto* set = as<Instance>(call.self);
  if (set == nullptr || set->made_by == nullptr) {
    return machine.unknown();
  }
  const Digits digits = options_of(machine, *set->made_by);
  const auto held = set->attributes.find("images");
  const auto* whole = held != set->attributes.end() ? as<Tensor>(held->second) : nullptr;
  const Split split =
      whole != nullptr && whole->source != nullptr ? whole->source->split : Split::train;
  const Dim count = machine.to_dim(call.arg("batch_size"));
  return machine.tuple({images(machine, set->made_by, digits, count, split),
                        labels(machine, set->made_by, digits, count, split)});
}

struct Known {
  std::string_view name;
  std::vector<int64_t> image; // empty: text
  int64_t classes;
  int64_t train, test;
};

const Known* find_known(std::string_view name)
{
  static const std::vector<Known> k_sets = {
      {"mnist", {28, 28, 1}, 10, 60000, 10000},
      {"fashion_mnist", {28, 28, 1}, 10, 60000, 10000},
      {"kmnist", {28, 28, 1}, 10, 60000, 10000},
      {"cifar10", {32, 32, 3}, 10, 50000, 10000},
      {"cifar100", {32, 32, 3}, 100, 50000, 10000},
      {"imdb_reviews", {}, 2, 25000, 25000},
  };
  const std::string_view base = name.substr(0, name.find_first_of("/:"));
  for (const Known& known : k_sets) {
    if (known.name == base) {
      return &known;
    }
  }
  return nullptr;
}

Ref split_of(Machine& machine, Call& call, const Known* known, std::string_view split)
{
  if (known == nullptr) {
    return tf::dataset(machine, call, machine.unknown(), Dim::top());
  }
  const bool is_text = known->image.empty();
  std::vector<Dim> dims;
  for (const int64_t size : known->image) {
    dims.push_back(Dim::constant(size));
  }
  const Interval pixels = Interval::of(0, 255);
  const Split kind = split.starts_with("test") ? Split::test : Split::train;
  Tensor* x =
      is_text
          ? machine.data(Library::tensorflow, Shape::scalar(), DType::Kind::string, Interval::top())
          : machine.data(
                Library::tensorflow, Shape::of(std::move(dims)), DType::Kind::uint8, pixels);
  x->encoding = is_text ? Encoding::text : Encoding::image;
  x->source = machine.source({.name = known->name,
                              .split = kind,
                              .part = Part::features,
                              .raw = x->interval,
                              .classes = known->classes,
                              .loader = &call});
  const Interval indices = Interval::of(0, static_cast<double>(known->classes - 1));
  Tensor* y = machine.data(Library::tensorflow, Shape::scalar(), DType::Kind::int64, indices);
  y->encoding = Encoding::class_index;
  y->classes = known->classes;
  y->source = machine.source({.name = known->name,
                              .split = kind,
                              .part = Part::labels,
                              .raw = indices,
                              .classes = known->classes,
                              .loader = &call});
  Ref element = nullptr;
  if (machine.truthiness(call.arg("as_supervised")).value_or(false)) {
    element = machine.tuple({x, y});
  } else {
    Dict* both = machine.dict();
    both->items.emplace_back(machine.string(is_text ? "text" : "image"), x);
    both->items.emplace_back(machine.string("label"), y);
    element = both;
  }
  const bool whole = split == "train" || split == "test";
  const Dim count =
      whole ? Dim::constant(kind == Split::train ? known->train : known->test) : Dim::top();
  return tf::dataset(machine, call, element, count);
}

// tfds.load('mnist', split=['train', 'test'], as_supervised=True, with_info=True)
Ref load(Machine& machine, Call& call)
{
  const auto name = machine.to_string(call.arg("name"));
  const Known* known = name ? find_known(*name) : nullptr;
  const Ref split = call.arg("split");
  Ref result = nullptr;
  if (const auto one = machine.to_string(split)) {
    result = split_of(machine, call, known, *one);
  } else if (const auto* several = as<Sequence>(split)) {
    std::vector<Ref> sets;
    for (const Ref item : several->items) {
      sets.push_back(split_of(machine, call, known, machine.to_string(item).value_or("")));
    }
    Sequence* made = machine.list(std::move(sets));
    made->type = several->type;
    result = made;
  } else {
    Dict* all = machine.dict();
    for (const std::string_view part : {"train", "test"}) {
      all->items.emplace_back(machine.string(std::string(part)),
                              split_of(machine, call, known, part));
    }
    all->open = true;
    result = all;
  }
  return machine.truthiness(call.arg("with_info")).value_or(false)
             ? machine.tuple({result, machine.unknown()})
             : result;
}

// One row a line.
// clang-format off
constexpr Api k_rows[] = {
    {"tensorflow.examples.tutorials.mnist.input_data.read_data_sets", "train_dir, fake_data=False, one_hot=False, dtype='float32', reshape=True, validation_size=5000, **kwargs", Role::function, "load_data", 0, read_data_sets},
    {"tensorflow.examples.tutorials.mnist.Datasets", "", Role::object},
    {"tensorflow.examples.tutorials.mnist.DataSet", "", Role::object},
    {"tensorflow.examples.tutorials.mnist.DataSet.next_batch", "batch_size, fake_data=False, shuffle=True", Role::method, "next_batch", 0, next_batch},
    {"tensorflow.examples.tutorials.mnist.DataSet.epochs_completed", {}, Role::attribute},
    {"tensorflow_datasets.load", "name, split=None, data_dir=None, batch_size=None, shuffle_files=False, download=True, as_supervised=False, decoders=None, read_config=None, with_info=False, **kwargs", Role::function, "load_data", 0, load},
    {"tensorflow_datasets.as_numpy", "dataset", Role::opaque},
};
// clang-format on

} // namespace

std::span<const Api> tf_datasets()
{
  return k_rows;
}

} // namespace faultline::program
