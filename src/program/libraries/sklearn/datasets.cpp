// scikit-learn: data sets that come with it or that it makes.

#include "program/libraries/shared/datasets.hpp"

#include "program/names/tables.hpp"

namespace faultline::program {

Tensor* data_part(Machine& m, Call& call, const DataPart& part)
{
  Tensor* const made = array(m, call, part.shape, part.dtype, part.interval);
  made->encoding = part.encoding;
  made->classes = part.classes;
  DataSource source;
  source.name = part.name;
  source.split = part.split;
  source.part = part.part;
  source.raw = part.interval;
  source.classes = part.classes;
  source.loader = &call;
  made->source = m.source(source);
  return made;
}

static constexpr DType k_float64 = DType::Kind::float64;
static constexpr DType k_float32 = DType::Kind::float32;
static constexpr DType k_int64 = DType::Kind::int64;

// One data set: columns of numbers, and a class or a number for each row.
struct Bundled {
  std::string_view loader; // behind "sklearn.datasets."
  std::string_view name;
  int64_t rows; // 0: not known
  int64_t columns;
  double low, high; // of the features
  int64_t classes;  // 0: the target is a number
  double target_low, target_high;
  DType dtype = k_float64;
};

static constexpr Bundled k_sets[] = {
    {"load_iris", "iris", 150, 4, 0.1, 7.9, 3, 0, 2},
    {"load_wine", "wine", 178, 13, 0.13, 1680, 3, 0, 2},
    {"load_breast_cancer", "breast_cancer", 569, 30, 0, 4254, 2, 0, 1},
    {"load_digits", "digits", 1797, 64, 0, 16, 10, 0, 9},
    {"load_diabetes", "diabetes", 442, 10, -0.14, 0.2, 0, 25, 346},
    {"load_boston", "boston_housing", 506, 13, 0, 711, 0, 5, 50},
    {"fetch_california_housing",
     "california_housing",
     20640,
     8,
     -124.35,
     35682,
     0,
     0.14999,
     5.00001},
    {"fetch_covtype", "covtype", 581012, 54, -173, 7173, 7, 1, 7},
    {"fetch_olivetti_faces", "olivetti_faces", 400, 4096, 0, 1, 40, 0, 39, k_float32},
};

static const Bundled* find_set(std::string_view path)
{
  const std::string_view loader = path.substr(path.rfind('.') + 1);
  for (const Bundled& set : k_sets) {
    if (set.loader == loader) {
      return &set;
    }
  }
  return nullptr;
}

// An object with `data` and `target`, or both as a tuple.
static Ref bundle(Machine& m, Call& call, Tensor* data, Tensor* target)
{
  if (m.to_bool(call.arg("as_frame")) == true) {
    data->library = Library::pandas;
    target->library = Library::pandas;
  }
  if (m.to_bool(call.arg("return_X_y")) == true) {
    return m.tuple({data, target});
  }
  Instance* const made = object_of(m, "sklearn.utils.Bunch", call);
  set_field(m, *made, "data", data);
  set_field(m, *made, "target", target);
  const auto columns = data->shape.rank() == 2 ? data->shape.at(1).constant() : std::nullopt;
  constexpr int64_t k_most_names = 256;
  set_field(m,
            *made,
            "feature_names",
            columns && *columns <= k_most_names
                ? m.list(std::vector<Ref>(static_cast<size_t>(*columns), m.text()))
                : m.open_list(m.text()));
  set_field(m,
            *made,
            "target_names",
            target->classes > 0
                ? m.list(std::vector<Ref>(static_cast<size_t>(target->classes), m.text()))
                : m.open_list(m.text()));
  set_field(m, *made, "DESCR", m.text());
  return made;
}

static Ref load(Machine& m, Call& call)
{
  const Bundled* const set = find_set(call.name);
  if (set == nullptr) {
    return m.unknown();
  }
  const Dim rows = Dim::constant(set->rows);
  const bool classes = set->classes > 0;
  Tensor* const data = data_part(m,
                                 call,
                                 {.name = set->name,
                                  .shape = Shape::of({rows, Dim::constant(set->columns)}),
                                  .dtype = set->dtype,
                                  .interval = Interval::of(set->low, set->high),
                                  .encoding = Encoding::real});
  Tensor* const target = data_part(m,
                                   call,
                                   {.name = set->name,
                                    .part = DataSource::Part::labels,
                                    .shape = Shape::of({rows}),
                                    .dtype = classes ? k_int64 : k_float64,
                                    .interval = Interval::of(set->target_low, set->target_high),
                                    .encoding = classes ? Encoding::class_index : Encoding::real,
                                    .classes = set->classes});
  const Ref made = bundle(m, call, data, target);
  auto* const object = as<Instance>(made);
  if (object != nullptr && (set->name == "digits" || set->name == "olivetti_faces")) {
    const int64_t side = set->name == "digits" ? 8 : 64;
    set_field(
        m,
        *object,
        "images",
        rearranged(m, call, *data, Shape::of({rows, Dim::constant(side), Dim::constant(side)})));
  }
  return made;
}

static Ref linnerud(Machine& m, Call& call)
{
  const Shape shape = Shape::constants({20, 3});
  return bundle(m,
                call,
                data_part(m, call, {.name = "linnerud", .shape = shape, .dtype = k_float64}),
                data_part(m,
                          call,
                          {.name = "linnerud",
                           .part = DataSource::Part::labels,
                           .shape = shape,
                           .dtype = k_float64,
                           .encoding = Encoding::real}));
}

// Only MNIST is known among thousands of sets; its labels are strings.
static Ref open_ml(Machine& m, Call& call)
{
  const auto name = m.to_string(call.arg("name"));
  const bool mnist = name && (name->starts_with("mnist") || name->starts_with("MNIST"));
  const bool fashion = name && (name->starts_with("Fashion") || name->starts_with("fashion"));
  if (!mnist && !fashion) {
    return bundle(m, call, array(m, call, Shape::top()), array(m, call, Shape::top()));
  }
  const Dim rows = Dim::constant(70000);
  const std::string_view set = mnist ? "mnist" : "fashion_mnist";
  Tensor* const data =
      data_part(m,
                call,
                {.name = set,
                 .shape = Shape::of({rows, Dim::constant(784)}),
                 .dtype = call.name.ends_with("mldata") ? DType(DType::Kind::uint8) : k_float64,
                 .interval = Interval::of(0, 255),
                 .encoding = Encoding::image});
  Tensor* const target = data_part(m,
                                   call,
                                   {.name = set,
                                    .part = DataSource::Part::labels,
                                    .shape = Shape::of({rows}),
                                    .dtype = DType::Kind::string,
                                    .interval = Interval::of(0, 9),
                                    .encoding = Encoding::text,
                                    .classes = 10});
  target->interval = Interval::top(); // of the text; the source knows the numbers behind it
  return bundle(m, call, data, target);
}

static Ref faces(Machine& m, Call& call)
{
  const Dim rows = m.fresh_symbol();
  const auto unit = Interval::of(0, 1);
  Tensor* const data = data_part(m,
                                 call,
                                 {.name = "lfw_people",
                                  .shape = Shape::of({rows, m.fresh_symbol()}),
                                  .dtype = k_float32,
                                  .interval = unit,
                                  .encoding = Encoding::image});
  Tensor* const target = data_part(m,
                                   call,
                                   {.name = "lfw_people",
                                    .part = DataSource::Part::labels,
                                    .shape = Shape::of({rows}),
                                    .dtype = k_int64,
                                    .interval = Interval::of(0, Interval::k_inf),
                                    .encoding = Encoding::class_index});
  return bundle(m, call, data, target);
}

static Ref newsgroups(Machine& m, Call& call)
{
  const auto subset = m.to_string(call.arg("subset"));
  const Dim rows = subset == "train"  ? Dim::constant(11314)
                   : subset == "test" ? Dim::constant(7532)
                                      : m.fresh_symbol();
  const bool vectors = call.name.ends_with("vectorized");
  const bool all = m.is_none(call.arg("categories"));
  const Dim count = all ? rows : m.fresh_symbol();
  Tensor* const target =
      data_part(m,
                call,
                {.name = "20newsgroups",
                 .part = DataSource::Part::labels,
                 .shape = Shape::of({count}),
                 .dtype = k_int64,
                 .interval = all ? Interval::of(0, 19) : Interval::of(0, Interval::k_inf),
                 .encoding = Encoding::class_index,
                 .classes = all ? 20 : 0});
  Tensor* const data = vectors ? data_part(m,
                                           call,
                                           {.name = "20newsgroups",
                                            .shape = Shape::of({count, Dim::constant(130107)}),
                                            .dtype = k_float64})
                               : data_part(m,
                                           call,
                                           {.name = "20newsgroups",
                                            .shape = Shape::of({count}),
                                            .dtype = DType::Kind::string,
                                            .encoding = Encoding::text});
  return bundle(m, call, data, target);
}

// --- Made-up data: the arguments say what they look like. ---

static Dim size_argument(Machine& m, const Call& call, std::string_view name)
{
  const Ref value = call.arg(name);
  return value != nullptr ? m.to_dim(value) : Dim::top();
}

static Ref pair(Machine& m, Call& call, Dim rows, Dim columns, const Interval& range, Dim classes)
{
  const std::string_view name = std::string_view(call.name).substr(call.name.rfind('.') + 1);
  const auto count = classes.constant();
  Tensor* const data = data_part(m,
                                 call,
                                 {.name = name,
                                  .shape = Shape::of({rows, columns}),
                                  .dtype = k_float64,
                                  .interval = range,
                                  .encoding = Encoding::real});
  Tensor* const target =
      data_part(m,
                call,
                {.name = name,
                 .part = DataSource::Part::labels,
                 .shape = Shape::of({rows}),
                 .dtype = k_int64,
                 .interval = Interval::of(
                     0, count && *count > 0 ? static_cast<double>(*count - 1) : Interval::k_inf),
                 .encoding = Encoding::class_index,
                 .classes = count.value_or(0)});
  return m.tuple({data, target});
}

static Ref classification(Machine& m, Call& call)
{
  return pair(m,
              call,
              size_argument(m, call, "n_samples"),
              size_argument(m, call, "n_features"),
              Interval::top(),
              size_argument(m, call, "n_classes"));
}

static Ref blobs(Machine& m, Call& call)
{
  const Ref centers = take(m, call, "centers");
  Dim classes = m.is_none(centers) ? Dim::constant(3) : m.to_dim(centers);
  Dim columns = size_argument(m, call, "n_features");
  if (const auto* list = as<Sequence>(centers)) {
    classes = list->length();
    columns = to_array(m, centers).shape.at(1);
  }
  return pair(m, call, size_argument(m, call, "n_samples"), columns, Interval::top(), classes);
}

static Ref moons(Machine& m, Call& call)
{
  return pair(m,
              call,
              size_argument(m, call, "n_samples"),
              Dim::constant(2),
              Interval::top(),
              Dim::constant(2));
}

static Ref regression(Machine& m, Call& call)
{
  const std::string_view name = std::string_view(call.name).substr(call.name.rfind('.') + 1);
  const Dim rows = size_argument(m, call, "n_samples");
  const Dim targets =
      call.arg("n_targets") != nullptr ? m.to_dim(call.arg("n_targets")) : Dim::constant(1);
  Shape shape = Shape::of({rows});
  if (targets.constant() && !targets.is(1)) {
    shape = Shape::of({rows, targets});
  } else if (!targets.constant()) {
    shape = Shape::top();
  }
  return m.tuple({data_part(m,
                            call,
                            {.name = name,
                             .shape = Shape::of({rows, size_argument(m, call, "n_features")}),
                             .dtype = k_float64,
                             .encoding = Encoding::real}),
                  data_part(m,
                            call,
                            {.name = name,
                             .part = DataSource::Part::labels,
                             .shape = shape,
                             .dtype = k_float64,
                             .encoding = Encoding::real})});
}

static Ref multilabel(Machine& m, Call& call)
{
  const Dim rows = size_argument(m, call, "n_samples");
  const Dim classes = size_argument(m, call, "n_classes");
  return m.tuple({data_part(m,
                            call,
                            {.name = "make_multilabel_classification",
                             .shape = Shape::of({rows, size_argument(m, call, "n_features")}),
                             .dtype = k_float64,
                             .interval = Interval::of(0, Interval::k_inf),
                             .encoding = Encoding::real}),
                  data_part(m,
                            call,
                            {.name = "make_multilabel_classification",
                             .part = DataSource::Part::labels,
                             .shape = Shape::of({rows, classes}),
                             .dtype = k_int64,
                             .interval = Interval::of(0, 1),
                             .encoding = Encoding::multi_hot,
                             .classes = classes.constant().value_or(0)})});
}

static Ref member(Machine& m, Call& call)
{
  const auto* self = as<Instance>(call.self);
  const auto name = m.to_string(call.arg("index"));
  const Ref value = self != nullptr && name ? find_attribute(*self, *name) : nullptr;
  return value != nullptr ? value : m.unknown();
}

static constexpr std::string_view k_load = "*, return_X_y=False, as_frame=False, **kwargs";
static constexpr std::string_view k_any = "*args, **kwargs";

static constexpr Api k_rows[] = {
    {"sklearn.datasets.load_iris", k_load, Role::function, "load_data", k_source, load},
    {"sklearn.datasets.load_wine", k_load, Role::function, "load_data", k_source, load},
    {"sklearn.datasets.load_breast_cancer", k_load, Role::function, "load_data", k_source, load},
    {"sklearn.datasets.load_digits", k_load, Role::function, "load_data", k_source, load},
    {"sklearn.datasets.load_diabetes", k_load, Role::function, "load_data", k_source, load},
    {"sklearn.datasets.load_boston", k_load, Role::function, "load_data", k_source, load},
    {"sklearn.datasets.load_linnerud", k_load, Role::function, "load_data", k_source, linnerud},
    {"sklearn.datasets.fetch_california_housing",
     k_load,
     Role::function,
     "load_data",
     k_source,
     load},
    {"sklearn.datasets.fetch_covtype", k_load, Role::function, "load_data", k_source, load},
    {"sklearn.datasets.fetch_olivetti_faces", k_load, Role::function, "load_data", k_source, load},
    {"sklearn.datasets.fetch_lfw_people", k_load, Role::function, "load_data", k_source, faces},
    {"sklearn.datasets.fetch_openml",
     "name=None, *, version='active', return_X_y=False, as_frame='auto', **kwargs",
     Role::function,
     "load_data",
     k_source,
     open_ml},
    {"sklearn.datasets.fetch_20newsgroups",
     "*, data_home=None, subset='train', categories=None, return_X_y=False, as_frame=False, "
     "**kwargs",
     Role::function,
     "load_data",
     k_source,
     newsgroups},
    {"sklearn.datasets.fetch_20newsgroups_vectorized",
     "*, subset='train', categories=None, return_X_y=False, as_frame=False, **kwargs",
     Role::function,
     "load_data",
     k_source,
     newsgroups},
    {"sklearn.datasets.fetch_kddcup99", k_any, Role::function, "load_data"},
    {"sklearn.datasets.fetch_rcv1", k_any, Role::function, "load_data"},
    {"sklearn.datasets.load_files", k_any, Role::function, "load_data"},
    {"sklearn.datasets.load_svmlight_file", k_any, Role::function, "load_data"},
    {"sklearn.datasets.load_sample_image", k_any, Role::function, "load_data"},
    {"sklearn.datasets.make_classification",
     "n_samples=100, n_features=20, *, n_informative=2, n_redundant=2, n_repeated=0, n_classes=2, "
     "**kwargs",
     Role::function,
     "load_data",
     k_random | k_source,
     classification},
    {"sklearn.datasets.make_blobs",
     "n_samples=100, n_features=2, *, centers=None, **kwargs",
     Role::function,
     "load_data",
     k_random | k_source,
     blobs},
    {"sklearn.datasets.make_moons",
     "n_samples=100, **kwargs",
     Role::function,
     "load_data",
     k_random | k_source,
     moons},
    {"sklearn.datasets.make_circles",
     "n_samples=100, **kwargs",
     Role::function,
     "load_data",
     k_random | k_source,
     moons},
    {"sklearn.datasets.make_gaussian_quantiles",
     "*, mean=None, cov=1.0, n_samples=100, n_features=2, n_classes=3, **kwargs",
     Role::function,
     "load_data",
     k_random | k_source,
     classification},
    {"sklearn.datasets.make_regression",
     "n_samples=100, n_features=100, *, n_informative=10, n_targets=1, **kwargs",
     Role::function,
     "load_data",
     k_random | k_source,
     regression},
    {"sklearn.datasets.make_friedman1",
     "n_samples=100, n_features=10, **kwargs",
     Role::function,
     "load_data",
     k_random | k_source,
     regression},
    {"sklearn.datasets.make_multilabel_classification",
     "n_samples=100, n_features=20, *, n_classes=5, **kwargs",
     Role::function,
     "load_data",
     k_random | k_source,
     multilabel},
    {"sklearn.datasets.make_swiss_roll", k_any, Role::function, "load_data"},
    {"sklearn.datasets.make_s_curve", k_any, Role::function, "load_data"},
    {"sklearn.utils.Bunch", "**kwargs", Role::object},
    {"sklearn.utils.Bunch.__getitem__", "index", Role::method, {}, 0, member},
};

std::span<const Api> sklearn_datasets()
{
  return k_rows;
}

} // namespace faultline::program
