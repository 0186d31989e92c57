// scikit-learn: what changes features and labels: scalers, encoders, decomposition, vectorizers.

#include "base/format.hpp"
#include "program/libraries/shared/answers.hpp"
#include "program/libraries/shared/arrays.hpp"
#include "program/names/tables.hpp"

namespace faultline::program {

static constexpr DType k_float64 = DType::Kind::float64;
static constexpr DType k_int64 = DType::Kind::int64;

// Transformers take a table: one row a sample.
static void check_table(Machine& m, const Call& call, const Tensor& input)
{
  const auto rank = input.shape.rank();
  if (rank && *rank != 2) {
    m.problem(ProblemKind::rank,
              span_of(call, "X"),
              format("`{}` expects rows and columns, not {}", call.name, input.shape.text()),
              &call)
        .help = *rank == 1 ? "`reshape(-1, 1)` makes a single column" : "";
  }
}

// What the object's constructor was given.
static Ref setting(const Call& call, std::string_view name)
{
  const auto* self = as<Instance>(call.self);
  return self != nullptr && self->made_by != nullptr ? self->made_by->arg(name) : nullptr;
}

static Tensor* transformed(Machine& m, Call& call, const Tensor& input, Shape shape)
{
  Tensor* const made = rearranged(m, call, input, std::move(shape));
  made->library = Library::numpy;
  made->dtype = input.dtype.is_floating() ? input.dtype : k_float64;
  made->interval = Interval::top();
  return made;
}

static Ref fit(Machine&, Call& call)
{
  return call.self;
}

static Ref fit_table(Machine& m, Call& call)
{
  check_table(m, call, operand(m, call, "X"));
  return call.self;
}

static Ref same_table(Machine& m, Call& call)
{
  const Tensor& input = operand(m, call, "X");
  check_table(m, call, input);
  return transformed(m, call, input, input.shape);
}

static Ref min_max(Machine& m, Call& call)
{
  Tensor* const made = as<Tensor>(same_table(m, call));
  const Ref range = setting(call, "feature_range");
  const std::vector<Ref> ends = m.items_of(range);
  if (ends.size() == 2 && m.to_double(ends[0]) && m.to_double(ends[1])) {
    made->interval = joined(m.to_interval(ends[0]), m.to_interval(ends[1]));
  }
  return made;
}

static Ref unit_table(Machine& m, Call& call)
{
  Tensor* const made = as<Tensor>(same_table(m, call));
  made->interval = Interval::of(-1, 1);
  return made;
}

// As many columns as `n_components`, `k` or `n_features` says.
static Ref fewer_columns(Machine& m, Call& call)
{
  const Tensor& input = operand(m, call, "X");
  check_table(m, call, input);
  Dim columns = m.fresh_symbol();
  for (const std::string_view name : {"n_components", "k", "n_features_to_select"}) {
    if (const Ref value = setting(call, name); value != nullptr && m.to_int(value)) {
      const auto* constant = as<Constant>(value);
      const bool fraction = constant != nullptr && std::holds_alternative<double>(constant->value);
      columns = fraction ? columns : m.to_dim(value);
    }
  }
  return transformed(m, call, input, Shape::of({input.shape.at(0), columns}));
}

static Ref other_columns(Machine& m, Call& call)
{
  const Tensor& input = operand(m, call, "X");
  return transformed(m, call, input, Shape::of({input.shape.at(0), m.fresh_symbol()}));
}

// --- Labels. ---

static Ref label_codes(Machine& m, Call& call)
{
  const Tensor& input = operand(m, call, "y");
  if (input.shape.rank() && *input.shape.rank() > 2) {
    m.problem(ProblemKind::rank,
              span_of(call, "y"),
              format("`{}` expects one label a sample, not {}", call.name, input.shape.text()),
              &call);
  }
  const double top = input.classes > 0 ? static_cast<double>(input.classes - 1) : Interval::k_inf;
  const Shape shape = input.shape.rank() == 2 ? Shape::of({input.shape.at(0)}) : input.shape;
  Tensor* const made = array(m, call, shape, k_int64, Interval::of(0, top));
  made->encoding = Encoding::class_index;
  made->classes = input.classes;
  made->source = input.source;
  return made;
}

static Ref binarized(Machine& m, Call& call)
{
  const Tensor& input = operand(m, call, "y");
  const bool two = input.classes == 2;
  const Dim width = two                 ? Dim::constant(1)
                    : input.classes > 0 ? Dim::constant(input.classes)
                                        : m.fresh_symbol();
  Tensor* const made =
      array(m, call, Shape::of({input.shape.at(0), width}), k_int64, Interval::of(0, 1));
  made->encoding = two ? Encoding::binary : Encoding::one_hot;
  made->classes = input.classes;
  made->source = input.source;
  return made;
}

static Ref multi_label(Machine& m, Call& call)
{
  const Tensor& input = operand(m, call, "y");
  Tensor* const made =
      array(m, call, Shape::of({input.shape.at(0), m.fresh_symbol()}), k_int64, Interval::of(0, 1));
  made->encoding = Encoding::multi_hot;
  made->source = input.source;
  return made;
}

static Ref one_hot(Machine& m, Call& call)
{
  const Tensor& input = operand(m, call, "X");
  check_table(m, call, input);
  const bool single = input.shape.rank() == 2 && input.shape.at(1).is(1);
  const Dim width = single && input.classes > 0 ? Dim::constant(input.classes) : m.fresh_symbol();
  Tensor* const made =
      array(m, call, Shape::of({input.shape.at(0), width}), k_float64, Interval::of(0, 1));
  made->encoding = single ? Encoding::one_hot : Encoding::unknown;
  made->classes = single ? input.classes : 0;
  made->source = input.source;
  return made;
}

static Ref codes(Machine& m, Call& call)
{
  const Tensor& input = operand(m, call, "X");
  check_table(m, call, input);
  Tensor* const made = array(m, call, input.shape, k_float64, Interval::of(0, Interval::k_inf));
  made->source = input.source;
  return made;
}

static Ref texts_to_table(Machine& m, Call& call)
{
  const Tensor& input = operand(m, call, "raw_documents");
  const auto limit = m.to_int(setting(call, "max_features"));
  const Dim width = limit ? Dim::constant(*limit) : m.fresh_symbol();
  Tensor* const made = array(
      m, call, Shape::of({input.shape.at(0), width}), k_float64, Interval::of(0, Interval::k_inf));
  made->source = input.source;
  return made;
}

static Ref inverse(Machine& m, Call& call)
{
  const Tensor& input = operand(m, call, "X");
  return array(
      m, call, input.shape.has_rank() ? Shape::of_rank(*input.shape.rank()) : Shape::top());
}

static Ref some_array(Machine& m, Call& call)
{
  return array(m, call, Shape::of({Dim::top()}));
}

static Ref label_names(Machine& m, Call& call)
{
  return array(m, call, Shape::of({m.fresh_symbol()}), DType());
}

// --- The functions beside the classes. ---

static Ref scale(Machine& m, Call& call)
{
  const Tensor& input = operand(m, call, "X");
  return transformed(m, call, input, input.shape);
}

static Ref scale_unit(Machine& m, Call& call)
{
  Tensor* const made = as<Tensor>(scale(m, call));
  made->interval = Interval::of(-1, 1);
  return made;
}

static Ref scale_min_max(Machine& m, Call& call)
{
  Tensor* const made = as<Tensor>(scale(m, call));
  const std::vector<Ref> ends = m.items_of(call.arg("feature_range"));
  if (ends.size() == 2 && m.to_double(ends[0]) && m.to_double(ends[1])) {
    made->interval = joined(m.to_interval(ends[0]), m.to_interval(ends[1]));
  }
  return made;
}

static Ref binarize_labels(Machine& m, Call& call)
{
  const Tensor& input = operand(m, call, "y");
  const auto* classes = as<Sequence>(call.arg("classes"));
  const Dim width =
      classes != nullptr && classes->items.size() > 2 ? classes->length() : Dim::top();
  Tensor* const made =
      array(m, call, Shape::of({input.shape.at(0), width}), k_int64, Interval::of(0, 1));
  made->encoding = Encoding::one_hot;
  made->source = input.source;
  return made;
}

static constexpr std::string_view k_any = "*args, **kwargs";
static constexpr std::string_view k_x = "X, y=None, **kwargs";

// A transformer of tables: its constructor and the three ways to use it.
#define FL_TRANSFORMER(path, signature, transfer)                                                  \
  {path, signature, Role::transform, {}, 0, nullptr, "sklearn.base.Transformer"},                  \
      {path ".transform", k_x, Role::method, "transform_scaler", 0, transfer},                     \
  {                                                                                                \
    path ".fit_transform", k_x, Role::method, "fit_transform", 0, transfer                         \
  }

static constexpr Api k_rows[] = {
    {"sklearn.base.BaseEstimator", "", Role::object},
    {"sklearn.base.BaseEstimator.get_params", k_any, Role::method},
    {"sklearn.base.BaseEstimator.set_params", k_any, Role::method, {}, 0, fit},
    {"sklearn.base.TransformerMixin", "", Role::object},
    {"sklearn.base.ClassifierMixin", "", Role::object},
    {"sklearn.base.RegressorMixin", "", Role::object},
    {"sklearn.base.clone", "estimator, **kwargs", Role::function},
    {"sklearn.base.Transformer",
     k_any,
     Role::transform,
     {},
     0,
     nullptr,
     "sklearn.base.BaseEstimator"},
    {"sklearn.base.Transformer.fit", k_x, Role::method, "fit_scaler", 0, fit_table},
    {"sklearn.base.Transformer.partial_fit", k_x, Role::method, "fit_scaler", 0, fit_table},
    {"sklearn.base.Transformer.inverse_transform", "X, **kwargs", Role::method, {}, 0, inverse},
    {"sklearn.base.Transformer.get_feature_names", k_any, Role::method, {}, 0, answers::texts},
    {"sklearn.base.Transformer.get_feature_names_out", k_any, Role::method, {}, 0, answers::texts},
    {"sklearn.base.Transformer.mean_", "", Role::attribute, {}, 0, some_array},
    {"sklearn.base.Transformer.var_", "", Role::attribute, {}, 0, some_array},
    {"sklearn.base.Transformer.scale_", "", Role::attribute, {}, 0, some_array},
    {"sklearn.base.Transformer.min_", "", Role::attribute, {}, 0, some_array},
    {"sklearn.base.Transformer.data_min_", "", Role::attribute, {}, 0, some_array},
    {"sklearn.base.Transformer.data_max_", "", Role::attribute, {}, 0, some_array},
    {"sklearn.base.Transformer.data_range_", "", Role::attribute, {}, 0, some_array},
    {"sklearn.base.Transformer.explained_variance_ratio_", "", Role::attribute, {}, 0, some_array},
    {"sklearn.base.Transformer.explained_variance_", "", Role::attribute, {}, 0, some_array},
    {"sklearn.base.Transformer.components_", "", Role::attribute},
    {"sklearn.base.Transformer.categories_", "", Role::attribute},
    {"sklearn.base.Transformer.scores_", "", Role::attribute},
    {"sklearn.base.Transformer.n_components_", "", Role::attribute},
    {"sklearn.base.Transformer.get_support", k_any, Role::method},

    FL_TRANSFORMER("sklearn.preprocessing.StandardScaler",
                   "*, copy=True, with_mean=True, with_std=True",
                   same_table),
    FL_TRANSFORMER("sklearn.preprocessing.MinMaxScaler",
                   "feature_range=(0, 1), *, copy=True, clip=False",
                   min_max),
    FL_TRANSFORMER("sklearn.preprocessing.MaxAbsScaler", "*, copy=True", unit_table),
    FL_TRANSFORMER("sklearn.preprocessing.RobustScaler", k_any, same_table),
    FL_TRANSFORMER("sklearn.preprocessing.Normalizer", "norm='l2', *, copy=True", unit_table),
    FL_TRANSFORMER("sklearn.preprocessing.PowerTransformer", k_any, same_table),
    FL_TRANSFORMER("sklearn.preprocessing.QuantileTransformer", k_any, same_table),
    FL_TRANSFORMER("sklearn.preprocessing.FunctionTransformer", k_any, other_columns),
    FL_TRANSFORMER("sklearn.preprocessing.Binarizer", k_any, unit_table),
    FL_TRANSFORMER("sklearn.preprocessing.KBinsDiscretizer", k_any, other_columns),
    FL_TRANSFORMER("sklearn.preprocessing.PolynomialFeatures", k_any, other_columns),
    FL_TRANSFORMER("sklearn.preprocessing.OneHotEncoder", k_any, one_hot),
    FL_TRANSFORMER("sklearn.preprocessing.OrdinalEncoder", k_any, codes),
    FL_TRANSFORMER("sklearn.impute.SimpleImputer", k_any, same_table),
    FL_TRANSFORMER("sklearn.impute.KNNImputer", k_any, same_table),
    FL_TRANSFORMER("sklearn.decomposition.PCA", "n_components=None, **kwargs", fewer_columns),
    FL_TRANSFORMER("sklearn.decomposition.TruncatedSVD", "n_components=2, **kwargs", fewer_columns),
    FL_TRANSFORMER("sklearn.decomposition.NMF", "n_components=None, **kwargs", fewer_columns),
    FL_TRANSFORMER("sklearn.decomposition.FastICA", "n_components=None, **kwargs", fewer_columns),
    FL_TRANSFORMER("sklearn.decomposition.KernelPCA", "n_components=None, **kwargs", fewer_columns),
    FL_TRANSFORMER(
        "sklearn.decomposition.IncrementalPCA", "n_components=None, **kwargs", fewer_columns),
    FL_TRANSFORMER("sklearn.discriminant_analysis.LinearDiscriminantAnalysis",
                   "solver='svd', shrinkage=None, priors=None, n_components=None, **kwargs",
                   fewer_columns),
    FL_TRANSFORMER("sklearn.manifold.TSNE", "n_components=2, **kwargs", fewer_columns),
    FL_TRANSFORMER("sklearn.manifold.Isomap",
                   "*, n_neighbors=5, radius=None, n_components=2, **kwargs",
                   fewer_columns),
    FL_TRANSFORMER("sklearn.random_projection.GaussianRandomProjection",
                   "n_components='auto', **kwargs",
                   fewer_columns),
    FL_TRANSFORMER(
        "sklearn.feature_selection.SelectKBest", "score_func=None, *, k=10", fewer_columns),
    FL_TRANSFORMER("sklearn.feature_selection.SelectFromModel", k_any, other_columns),
    FL_TRANSFORMER("sklearn.feature_selection.VarianceThreshold", k_any, other_columns),
    FL_TRANSFORMER("sklearn.feature_selection.RFE",
                   "estimator, *, n_features_to_select=None, **kwargs",
                   fewer_columns),
    FL_TRANSFORMER("sklearn.compose.ColumnTransformer", k_any, other_columns),
    FL_TRANSFORMER("sklearn.pipeline.FeatureUnion", k_any, other_columns),

    {"sklearn.preprocessing.LabelEncoder",
     "",
     Role::transform,
     {},
     0,
     nullptr,
     "sklearn.base.Transformer"},
    {"sklearn.preprocessing.LabelEncoder.fit", "y", Role::method, {}, 0, fit},
    {"sklearn.preprocessing.LabelEncoder.transform", "y", Role::method, {}, 0, label_codes},
    {"sklearn.preprocessing.LabelEncoder.fit_transform", "y", Role::method, {}, 0, label_codes},
    {"sklearn.preprocessing.LabelEncoder.classes_", "", Role::attribute, {}, 0, label_names},
    {"sklearn.preprocessing.LabelBinarizer",
     k_any,
     Role::transform,
     {},
     0,
     nullptr,
     "sklearn.base.Transformer"},
    {"sklearn.preprocessing.LabelBinarizer.fit", "y", Role::method, {}, 0, fit},
    {"sklearn.preprocessing.LabelBinarizer.transform", "y", Role::method, "one_hot", 0, binarized},
    {"sklearn.preprocessing.LabelBinarizer.fit_transform",
     "y",
     Role::method,
     "one_hot",
     0,
     binarized},
    {"sklearn.preprocessing.LabelBinarizer.classes_", "", Role::attribute, {}, 0, label_names},
    {"sklearn.preprocessing.MultiLabelBinarizer",
     k_any,
     Role::transform,
     {},
     0,
     nullptr,
     "sklearn.base.Transformer"},
    {"sklearn.preprocessing.MultiLabelBinarizer.fit", "y", Role::method, {}, 0, fit},
    {"sklearn.preprocessing.MultiLabelBinarizer.transform", "y", Role::method, {}, 0, multi_label},
    {"sklearn.preprocessing.MultiLabelBinarizer.fit_transform",
     "y",
     Role::method,
     {},
     0,
     multi_label},
    {"sklearn.preprocessing.MultiLabelBinarizer.classes_", "", Role::attribute, {}, 0, label_names},
    {"sklearn.preprocessing.scale", "X, **kwargs", Role::function, "fit_transform", 0, scale},
    {"sklearn.preprocessing.minmax_scale",
     "X, feature_range=(0, 1), **kwargs",
     Role::function,
     "fit_transform",
     0,
     scale_min_max},
    {"sklearn.preprocessing.normalize",
     "X, norm='l2', **kwargs",
     Role::function,
     {},
     0,
     scale_unit},
    {"sklearn.preprocessing.maxabs_scale",
     "X, **kwargs",
     Role::function,
     "fit_transform",
     0,
     scale_unit},
    {"sklearn.preprocessing.robust_scale",
     "X, **kwargs",
     Role::function,
     "fit_transform",
     0,
     scale},
    {"sklearn.preprocessing.label_binarize",
     "y, *, classes, **kwargs",
     Role::function,
     "one_hot",
     0,
     binarize_labels},

    {"sklearn.feature_extraction.text.CountVectorizer",
     "*, max_features=None, **kwargs",
     Role::transform,
     {},
     0,
     nullptr,
     "sklearn.base.Transformer"},
    {"sklearn.feature_extraction.text.CountVectorizer.fit",
     "raw_documents, y=None",
     Role::method,
     {},
     0,
     fit},
    {"sklearn.feature_extraction.text.CountVectorizer.transform",
     "raw_documents",
     Role::method,
     {},
     0,
     texts_to_table},
    {"sklearn.feature_extraction.text.CountVectorizer.fit_transform",
     "raw_documents, y=None",
     Role::method,
     {},
     0,
     texts_to_table},
    {"sklearn.feature_extraction.text.CountVectorizer.vocabulary_", "", Role::attribute},
    {"sklearn.feature_extraction.text.TfidfVectorizer",
     "*, max_features=None, **kwargs",
     Role::transform,
     {},
     0,
     nullptr,
     "sklearn.feature_extraction.text.CountVectorizer"},
    {"sklearn.feature_extraction.text.HashingVectorizer",
     "*, n_features=1048576, **kwargs",
     Role::transform,
     {},
     0,
     nullptr,
     "sklearn.feature_extraction.text.CountVectorizer"},
    FL_TRANSFORMER("sklearn.feature_extraction.text.TfidfTransformer", k_any, same_table),
    FL_TRANSFORMER("sklearn.feature_extraction.DictVectorizer", k_any, other_columns),
};

#undef FL_TRANSFORMER

std::span<const Api> sklearn_preprocessing()
{
  return k_rows;
}

} // namespace faultline::program
