// torchvision.datasets: what an item of each set looks like after its transform.

#include "program/libraries/shared/datasets.hpp"

#include "program/libraries/images/images.hpp"
#include "program/libraries/shared/answers.hpp"
#include "program/names/tables.hpp"

namespace faultline::program {

using Split = DataSource::Split;

// One data set. Sizes are 0 where images differ in size.
struct Known {
  std::string_view klass; // behind "torchvision.datasets."
  std::string_view name;
  int64_t height, width, channels; // one channel: a grey image without channel axis
  int64_t classes;
  int64_t train, test; // samples, 0 if not known
  int64_t first_label = 0;
};

static constexpr Known k_sets[] = {
    {"MNIST", "mnist", 28, 28, 1, 10, 60000, 10000},
    {"FashionMNIST", "fashion_mnist", 28, 28, 1, 10, 60000, 10000},
    {"KMNIST", "kmnist", 28, 28, 1, 10, 60000, 10000},
    {"QMNIST", "qmnist", 28, 28, 1, 10, 60000, 60000},
    {"USPS", "usps", 16, 16, 1, 10, 7291, 2007},
    {"CIFAR10", "cifar10", 32, 32, 3, 10, 50000, 10000},
    {"CIFAR100", "cifar100", 32, 32, 3, 100, 50000, 10000},
    {"SVHN", "svhn", 32, 32, 3, 10, 73257, 26032},
    {"STL10", "stl10", 96, 96, 3, 10, 5000, 8000},
    {"Omniglot", "omniglot", 105, 105, 1, 0, 19280, 13180},
    {"CelebA", "celeba", 218, 178, 3, 0, 162770, 19962},
    {"ImageFolder", "image_folder", 0, 0, 3, 0, 0, 0},
    {"ImageNet", "imagenet", 0, 0, 3, 1000, 1281167, 50000},
    {"Caltech101", "caltech101", 0, 0, 3, 101, 0, 0},
    {"Caltech256", "caltech256", 0, 0, 3, 257, 0, 0},
    {"Food101", "food101", 0, 0, 3, 101, 75750, 25250},
    {"Flowers102", "flowers102", 0, 0, 3, 102, 1020, 6149},
    {"OxfordIIITPet", "oxford_pet", 0, 0, 3, 37, 0, 0},
    {"DTD", "dtd", 0, 0, 3, 47, 0, 0},
    {"StanfordCars", "stanford_cars", 0, 0, 3, 196, 8144, 8041},
    {"Places365", "places365", 0, 0, 3, 365, 0, 0},
    {"GTSRB", "gtsrb", 0, 0, 3, 43, 0, 12630},
    {"Country211", "country211", 0, 0, 3, 211, 0, 0},
    {"EuroSAT", "eurosat", 64, 64, 3, 10, 27000, 27000},
    {"PCAM", "pcam", 96, 96, 3, 2, 262144, 32768},
    {"LSUN", "lsun", 0, 0, 3, 0, 0, 0},
};

static const Known* find_set(std::string_view path)
{
  const std::string_view klass = path.substr(path.rfind('.') + 1);
  for (const Known& set : k_sets) {
    if (set.klass == klass) {
      return &set;
    }
  }
  return nullptr;
}

// Which part of the set was asked for: train=True, split='test' …
static Split split_of(const Machine& m, const Call& call)
{
  if (const Ref train = call.arg("train")) {
    const auto known = m.to_bool(train);
    return !known ? Split::whole : *known ? Split::train : Split::test;
  }
  const auto name = m.to_string(call.arg("split"));
  if (name == "train" || name == "trainval" || name == "train-standard") {
    return Split::train;
  }
  if (name == "test") {
    return Split::test;
  }
  return name == "val" || name == "valid" ? Split::validation : Split::whole;
}

static int64_t samples_of(const Known& set, Split split)
{
  return split == Split::train ? set.train : split == Split::test ? set.test : 0;
}

// EMNIST has as many classes as its split says.
static Known emnist(const Machine& m, const Call& call)
{
  Known set = {"EMNIST", "emnist", 28, 28, 1, 0, 0, 0};
  const auto split = m.to_string(call.arg("split"));
  const struct {
    std::string_view split;
    int64_t classes, train, test;
  } k_splits[] = {
      {"byclass", 62, 697932, 116323},
      {"bymerge", 47, 697932, 116323},
      {"balanced", 47, 112800, 18800},
      {"letters", 26, 124800, 20800},
      {"digits", 10, 240000, 40000},
      {"mnist", 10, 60000, 10000},
  };
  for (const auto& known : k_splits) {
    if (split == known.split) {
      set.classes = known.classes;
      set.train = known.train;
      set.test = known.test;
      set.first_label = known.split == "letters" ? 1 : 0;
    }
  }
  return set;
}

static Interval labels_of(const Known& set)
{
  const double first = static_cast<double>(set.first_label);
  const double last = first + static_cast<double>(set.classes) - 1;
  return Interval::of(first, set.classes > 0 ? last : Interval::k_inf);
}

static Tensor* label(Machine& m, Call& call, const Known& set, Split split, Shape shape)
{
  Tensor* const made = data_part(m,
                                 call,
                                 {.name = set.name,
                                  .split = split,
                                  .part = DataSource::Part::labels,
                                  .shape = std::move(shape),
                                  .dtype = DType::Kind::int64,
                                  .interval = labels_of(set),
                                  .encoding = Encoding::class_index,
                                  .classes = set.classes});
  made->library = Library::torch;
  return made;
}

static Ref transformed(Machine& m, const Call& call, std::string_view parameter, Ref value)
{
  const Ref transform = call.arg(parameter);
  if (transform == nullptr || m.is_none(transform)) {
    return value;
  }
  return m.call(transform, std::vector<Ref>{value}, call.span);
}

static Instance* make(Machine& m, Call& call, const Known& set)
{
  const Split split = split_of(m, call);
  const Dim height = set.height > 0 ? Dim::constant(set.height) : m.fresh_symbol();
  const Dim width = set.width > 0 ? Dim::constant(set.width) : m.fresh_symbol();
  const Shape one = set.channels == 1 ? Shape::of({height, width})
                                      : Shape::of({height, width, Dim::constant(set.channels)});
  Tensor* const pixels = data_part(m,
                                   call,
                                   {.name = set.name,
                                    .split = split,
                                    .shape = one,
                                    .dtype = DType::Kind::uint8,
                                    .interval = Interval::of(0, 255),
                                    .encoding = Encoding::image});
  Instance* const made = object_of(m, "torchvision.datasets." + std::string(set.klass), call);
  const Ref x = transformed(m, call, "transform", picture(m, call, pixels));
  Ref y = nullptr;
  if (set.name == "celeba") {
    const bool attributes = call.given("target_type") == nullptr;
    Tensor* const flags =
        label(m, call, set, split, attributes ? Shape::constants({40}) : Shape::top());
    flags->encoding = attributes ? Encoding::multi_hot : Encoding::unknown;
    flags->interval = attributes ? Interval::of(0, 1) : Interval::top();
    y = flags;
  } else {
    y = label(m, call, set, split, Shape::scalar());
  }
  set_field(m, *made, "sample", m.tuple({x, transformed(m, call, "target_transform", y)}));
  const int64_t samples = samples_of(set, split);
  const Dim rows = samples > 0 ? Dim::constant(samples) : m.fresh_symbol();
  set_field(m, *made, "length", m.integer(rows));
  set_field(m,
            *made,
            "classes",
            set.classes > 0 && set.classes <= 128
                ? m.list(std::vector<Ref>(static_cast<size_t>(set.classes), m.text()))
                : m.open_list(m.text()));

  // The raw arrays: grey images have no channel axis; CIFAR's targets are a list.
  Tensor* const all = rearranged(m, call, *pixels, Shape::of({rows}).plus(one));
  const bool is_grey = set.channels == 1;
  all->library = is_grey ? Library::torch : Library::numpy;
  if (set.name == "svhn" || set.name == "stl10") {
    all->shape = Shape::of({rows, Dim::constant(set.channels), height, width});
  }
  if (set.height > 0) {
    set_field(m, *made, "data", all);
  }
  Tensor* const targets = label(m, call, set, split, Shape::of({rows}));
  const bool listed = set.name.starts_with("cifar") || set.name == "image_folder";
  set_field(m,
            *made,
            set.name == "svhn" || set.name == "stl10" ? "labels" : "targets",
            listed ? static_cast<Ref>(m.open_list(m.number(labels_of(set), true))) : targets);
  return made;
}

static Ref known_set(Machine& m, Call& call)
{
  const Known* const set = find_set(call.name);
  return set != nullptr ? make(m, call, *set) : m.unknown();
}

static Ref emnist_set(Machine& m, Call& call)
{
  return make(m, call, emnist(m, call));
}

static Ref fake_set(Machine& m, Call& call)
{
  Known set = {"FakeData", "fake", 0, 0, 3, 10, 0, 0};
  const auto size = m.to_ints(call.arg("image_size"), 3);
  if (size) {
    set.channels = (*size)[0];
    set.height = (*size)[1];
    set.width = (*size)[2];
  }
  set.classes = m.to_int(call.arg("num_classes")).value_or(0);
  Instance* const made = make(m, call, set);
  set_field(m, *made, "length", take(m, call, "size"));
  return made;
}

// Images of any size with a target that is not a class.
static Ref other_set(Machine& m, Call& call)
{
  const std::string_view klass = std::string_view(call.name).substr(call.name.rfind('.') + 1);
  Instance* const made = object_of(m, call.name, call);
  Tensor* const pixels =
      data_part(m,
                call,
                {.name = m.keep(std::string(klass)),
                 .split = split_of(m, call),
                 .shape = Shape::of({m.fresh_symbol(), m.fresh_symbol(), Dim::constant(3)}),
                 .dtype = DType::Kind::uint8,
                 .interval = Interval::of(0, 255),
                 .encoding = Encoding::image});
  set_field(m,
            *made,
            "sample",
            m.tuple({transformed(m, call, "transform", picture(m, call, pixels)), m.unknown()}));
  set_field(m, *made, "length", m.integer(m.fresh_symbol()));
  return made;
}

static Ref sample(Machine& m, Call& call)
{
  const auto* self = as<Instance>(call.self);
  const Ref value = self != nullptr ? find_attribute(*self, "sample") : nullptr;
  return value != nullptr ? value : m.unknown();
}

static Ref paths(Machine& m, Call&)
{
  return m.open_list(m.tuple({m.text(), m.number(Interval::of(0, Interval::k_inf), true)}));
}

static constexpr std::string_view k_base = "torchvision.datasets.VisionDataset";
static constexpr std::string_view k_train =
    "root=None, train=True, transform=None, target_transform=None, download=False, **kwargs";
static constexpr std::string_view k_split =
    "root=None, split='train', transform=None, target_transform=None, download=False, **kwargs";
static constexpr std::string_view k_folder =
    "root, transform=None, target_transform=None, loader=None, is_valid_file=None, **kwargs";

static constexpr Api k_rows[] = {
    {k_base, "root=None, **kwargs", Role::dataset, {}, 0, nullptr, "torch.utils.data.Dataset"},
    {"torchvision.datasets.VisionDataset.__getitem__", "index", Role::method, {}, 0, sample},
    {"torchvision.datasets.VisionDataset.__iter__", "", Role::method, {}, 0, sample},
    {"torchvision.datasets.VisionDataset.class_to_idx", "", Role::attribute, {}, 0, answers::dict},
    {"torchvision.datasets.VisionDataset.samples", "", Role::attribute, {}, 0, paths},
    {"torchvision.datasets.VisionDataset.imgs", "", Role::attribute, {}, 0, paths},
    {"torchvision.datasets.VisionDataset.transform", "", Role::attribute},
    {"torchvision.datasets.VisionDataset.root", "", Role::attribute},
    {"torchvision.datasets.VisionDataset.train_data", "", Role::attribute},
    {"torchvision.datasets.VisionDataset.train_labels", "", Role::attribute},
    {"torchvision.datasets.VisionDataset.test_data", "", Role::attribute},
    {"torchvision.datasets.VisionDataset.test_labels", "", Role::attribute},
    {"torchvision.datasets.MNIST",
     k_train,
     Role::dataset,
     "load_data",
     k_source,
     known_set,
     k_base},
    {"torchvision.datasets.FashionMNIST",
     k_train,
     Role::dataset,
     "load_data",
     k_source,
     known_set,
     k_base},
    {"torchvision.datasets.KMNIST",
     k_train,
     Role::dataset,
     "load_data",
     k_source,
     known_set,
     k_base},
    {"torchvision.datasets.QMNIST",
     "root=None, what=None, compat=True, train=True, transform=None, target_transform=None, "
     "download=False, **kwargs",
     Role::dataset,
     "load_data",
     k_source,
     known_set,
     k_base},
    {"torchvision.datasets.EMNIST",
     "root=None, split='balanced', train=True, transform=None, target_transform=None, "
     "download=False, **kwargs",
     Role::dataset,
     "load_data",
     k_source,
     emnist_set,
     k_base},
    {"torchvision.datasets.USPS", k_train, Role::dataset, "load_data", k_source, known_set, k_base},
    {"torchvision.datasets.CIFAR10",
     k_train,
     Role::dataset,
     "load_data",
     k_source,
     known_set,
     k_base},
    {"torchvision.datasets.CIFAR100",
     k_train,
     Role::dataset,
     "load_data",
     k_source,
     known_set,
     k_base},
    {"torchvision.datasets.SVHN", k_split, Role::dataset, "load_data", k_source, known_set, k_base},
    {"torchvision.datasets.STL10",
     "root=None, split='train', folds=None, transform=None, target_transform=None, download=False",
     Role::dataset,
     "load_data",
     k_source,
     known_set,
     k_base},
    {"torchvision.datasets.Omniglot",
     "root=None, background=True, transform=None, target_transform=None, download=False",
     Role::dataset,
     "load_data",
     k_source,
     known_set,
     k_base},
    {"torchvision.datasets.CelebA",
     "root=None, split='train', target_type='attr', transform=None, target_transform=None, "
     "download=False",
     Role::dataset,
     "load_data",
     k_source,
     known_set,
     k_base},
    {"torchvision.datasets.ImageFolder",
     k_folder,
     Role::dataset,
     "load_data",
     k_source,
     known_set,
     k_base},
    {"torchvision.datasets.DatasetFolder",
     k_folder,
     Role::dataset,
     "load_data",
     k_source,
     other_set,
     k_base},
    {"torchvision.datasets.ImageNet",
     k_split,
     Role::dataset,
     "load_data",
     k_source,
     known_set,
     k_base},
    {"torchvision.datasets.Caltech101",
     "root=None, target_type='category', transform=None, target_transform=None, download=False",
     Role::dataset,
     "load_data",
     k_source,
     known_set,
     k_base},
    {"torchvision.datasets.Caltech256",
     "root=None, transform=None, target_transform=None, download=False",
     Role::dataset,
     "load_data",
     k_source,
     known_set,
     k_base},
    {"torchvision.datasets.Food101",
     k_split,
     Role::dataset,
     "load_data",
     k_source,
     known_set,
     k_base},
    {"torchvision.datasets.Flowers102",
     k_split,
     Role::dataset,
     "load_data",
     k_source,
     known_set,
     k_base},
    {"torchvision.datasets.OxfordIIITPet",
     "root=None, split='trainval', target_types='category', transforms=None, transform=None, "
     "target_transform=None, download=False",
     Role::dataset,
     "load_data",
     k_source,
     known_set,
     k_base},
    {"torchvision.datasets.DTD",
     "root=None, split='train', partition=1, transform=None, target_transform=None, download=False",
     Role::dataset,
     "load_data",
     k_source,
     known_set,
     k_base},
    {"torchvision.datasets.StanfordCars",
     k_split,
     Role::dataset,
     "load_data",
     k_source,
     known_set,
     k_base},
    {"torchvision.datasets.Places365",
     "root=None, split='train-standard', small=False, download=False, transform=None, "
     "target_transform=None, **kwargs",
     Role::dataset,
     "load_data",
     k_source,
     known_set,
     k_base},
    {"torchvision.datasets.GTSRB",
     k_split,
     Role::dataset,
     "load_data",
     k_source,
     known_set,
     k_base},
    {"torchvision.datasets.Country211",
     k_split,
     Role::dataset,
     "load_data",
     k_source,
     known_set,
     k_base},
    {"torchvision.datasets.EuroSAT",
     "root=None, transform=None, target_transform=None, download=False",
     Role::dataset,
     "load_data",
     k_source,
     known_set,
     k_base},
    {"torchvision.datasets.PCAM", k_split, Role::dataset, "load_data", k_source, known_set, k_base},
    {"torchvision.datasets.LSUN",
     "root=None, classes='train', transform=None, target_transform=None",
     Role::dataset,
     "load_data",
     k_source,
     known_set,
     k_base},
    {"torchvision.datasets.FakeData",
     "size=1000, image_size=(3, 224, 224), num_classes=10, transform=None, target_transform=None, "
     "random_offset=0",
     Role::dataset,
     "load_data",
     k_source,
     fake_set,
     k_base},
    {"torchvision.datasets.VOCSegmentation",
     "root=None, year='2012', image_set='train', download=False, transform=None, "
     "target_transform=None, transforms=None",
     Role::dataset,
     "load_data",
     k_source,
     other_set,
     k_base},
    {"torchvision.datasets.VOCDetection",
     "root=None, year='2012', image_set='train', download=False, transform=None, "
     "target_transform=None, transforms=None",
     Role::dataset,
     "load_data",
     k_source,
     other_set,
     k_base},
    {"torchvision.datasets.Cityscapes",
     "root=None, split='train', mode='fine', target_type='instance', transform=None, "
     "target_transform=None, transforms=None",
     Role::dataset,
     "load_data",
     k_source,
     other_set,
     k_base},
    {"torchvision.datasets.CocoDetection",
     "root=None, annFile=None, transform=None, target_transform=None, transforms=None",
     Role::dataset,
     "load_data",
     k_source,
     other_set,
     k_base},
    {"torchvision.datasets.CocoCaptions",
     "root=None, annFile=None, transform=None, target_transform=None, transforms=None",
     Role::dataset,
     "load_data",
     k_source,
     other_set,
     k_base},
    {"torchvision.datasets.SBDataset",
     "root=None, image_set='train', mode='boundaries', download=False, transforms=None, **kwargs",
     Role::dataset,
     "load_data",
     k_source,
     other_set,
     k_base},
    {"torchvision.datasets.utils.download_url", "*args, **kwargs", Role::opaque},
    {"torchvision.datasets.utils.download_and_extract_archive", "*args, **kwargs", Role::opaque},
};

std::span<const Api> torchvision_datasets()
{
  return k_rows;
}

} // namespace faultline::program
