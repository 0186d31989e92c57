// scikit-learn: splits, estimators, metrics.

#include "base/format.hpp"
#include "program/libraries/shared/answers.hpp"
#include "program/libraries/shared/arrays.hpp"
#include "program/names/tables.hpp"

#include <cmath>

namespace faultline::program {

static constexpr DType k_int64 = DType::Kind::int64;

struct SplitSizes {
  Dim train = Dim::top();
  Dim test = Dim::top();
};

// `size` is a share (0.25), a count, or not given.
static std::optional<int64_t> part_of(const Machine& m, Ref size, int64_t rows, bool round_up)
{
  const auto number = m.to_double(size);
  if (!number || !fits_integer(*number * static_cast<double>(rows))) {
    return std::nullopt;
  }
  const auto* constant = as<Constant>(size);
  const bool share = constant != nullptr && std::holds_alternative<double>(constant->value);
  if (!share) {
    return static_cast<int64_t>(*number);
  }
  const double part = *number * static_cast<double>(rows);
  return static_cast<int64_t>(round_up ? std::ceil(part) : std::floor(part));
}

static SplitSizes split_sizes_of(Machine& m, const Call& call, const Dim& rows)
{
  const Ref test = take(m, call, "test_size");
  const Ref train = take(m, call, "train_size");
  const auto all = rows.constant();
  if (!all) {
    return {m.fresh_symbol(), m.fresh_symbol()};
  }
  std::optional<int64_t> testing;
  std::optional<int64_t> training;
  if (!m.is_none(test)) {
    testing = part_of(m, test, *all, true);
  }
  if (!m.is_none(train)) {
    training = part_of(m, train, *all, false);
  }
  if (m.is_none(test) && m.is_none(train)) {
    testing = static_cast<int64_t>(std::ceil(0.25 * static_cast<double>(*all)));
  }
  if (m.is_none(test) && training) {
    testing = *all - *training;
  }
  if (m.is_none(train) && testing) {
    training = *all - *testing;
  }
  return {training ? Dim::constant(*training) : m.fresh_symbol(),
          testing ? Dim::constant(*testing) : m.fresh_symbol()};
}

static Ref
part_like(Machine& m, Call& call, const Tensor& whole, const Dim& rows, DataSource::Split split)
{
  Tensor* const made = rearranged(
      m,
      call,
      whole,
      whole.shape.has_rank() && *whole.shape.rank() > 0 ? whole.shape.with(0, rows) : Shape::top());
  made->library = whole.library == Library::other ? Library::numpy : whole.library;
  // What was training data already is split into training and validation data.
  const bool again = whole.source != nullptr && whole.source->split != DataSource::Split::whole;
  const bool held_out = split == DataSource::Split::test;
  made->source = again && !held_out
                     ? whole.source
                     : as_split(m, whole.source, again ? DataSource::Split::validation : split);
  return made;
}

static Ref split(Machine& m, Call& call)
{
  const std::vector<Ref> given = positional(call);
  std::vector<const Tensor*> wholes;
  Dim rows = Dim::top();
  for (size_t i = 0; i < given.size(); ++i) {
    wholes.push_back(&to_array(m, given[i]));
    const Dim own = wholes.back()->shape.at(0);
    if (rows.compare(own) == Dim::Comparison::different) {
      m.problem(ProblemKind::sample_count,
                call.surplus[i].span,
                format("{} samples here, but {} in the first array", own.text(), rows.text()),
                &call);
    }
    rows = better_known(rows, own);
  }
  const SplitSizes sizes = split_sizes_of(m, call, rows);
  std::vector<Ref> parts;
  for (const Tensor* whole : wholes) {
    parts.push_back(part_like(m, call, *whole, sizes.train, DataSource::Split::train));
    parts.push_back(part_like(m, call, *whole, sizes.test, DataSource::Split::test));
  }
  return m.list(std::move(parts));
}

// Several arrays in the same new order.
static Ref shuffled(Machine& m, Call& call)
{
  std::vector<Ref> results;
  for (const Ref value : positional(call)) {
    const Tensor& input = to_array(m, value);
    const bool cut = call.given("n_samples") != nullptr && !m.is_none(call.arg("n_samples"));
    results.push_back(rearranged(m,
                                 call,
                                 input,
                                 cut && input.shape.has_rank()
                                     ? input.shape.with(0, m.to_dim(call.arg("n_samples")))
                                     : input.shape));
  }
  return results.size() == 1 ? results.front() : m.list(std::move(results));
}

// Pairs of index arrays, one for training and one for testing.
static Ref folds(Machine& m, Call& call)
{
  const Interval places = Interval::of(0, Interval::k_inf);
  return m.open_list(m.tuple({array(m, call, Shape::of({m.fresh_symbol()}), k_int64, places),
                              array(m, call, Shape::of({m.fresh_symbol()}), k_int64, places)}));
}

static Ref fold_count(Machine& m, Call& call)
{
  const auto* self = as<Instance>(call.self);
  const Ref count =
      self != nullptr && self->made_by != nullptr ? self->made_by->arg("n_splits") : nullptr;
  return count != nullptr ? count : m.unknown();
}

static Ref scores(Machine& m, Call& call)
{
  const auto folds_asked = m.to_int(call.arg("cv"));
  return array(m,
               call,
               Shape::of({folds_asked ? Dim::constant(*folds_asked) : Dim::top()}),
               DType::Kind::float64);
}

static Ref itself(Machine&, Call& call)
{
  return call.self;
}

static Ref predict(Machine& m, Call& call)
{
  const Tensor& input = operand(m, call, "X");
  return array(m, call, Shape::of({input.shape.at(0)}));
}

static Ref predict_chances(Machine& m, Call& call)
{
  const Tensor& input = operand(m, call, "X");
  Tensor* const made = array(m,
                             call,
                             Shape::of({input.shape.at(0), m.fresh_symbol()}),
                             DType::Kind::float64,
                             Interval::of(0, 1));
  made->encoding = Encoding::probability;
  return made;
}

static Ref cluster(Machine& m, Call& call)
{
  const Tensor& input = operand(m, call, "X");
  return m.tuple({array(m, call, Shape::of({m.to_dim(call.arg("n_clusters")), input.shape.at(1)})),
                  array(m, call, Shape::of({input.shape.at(0)}), DType::Kind::int32),
                  m.number(Interval::top())});
}

static Ref confusion(Machine& m, Call& call)
{
  const Dim classes = m.fresh_symbol();
  return array(m, call, Shape::of({classes, classes}), k_int64, Interval::of(0, Interval::k_inf));
}

static Ref curve(Machine& m, Call& call)
{
  const Dim points = m.fresh_symbol();
  const auto axis = [&] { return array(m, call, Shape::of({points}), DType::Kind::float64); };
  return m.tuple({axis(), axis(), axis()});
}

static Ref weights(Machine& m, Call& call)
{
  return array(m, call, to_array(m, call.arg("classes")).shape, DType::Kind::float64);
}

static constexpr std::string_view k_any = "*args, **kwargs";
static constexpr std::string_view k_folds = "n_splits=5, *args, **kwargs";
static constexpr std::string_view k_pair = "y_true, y_pred, **kwargs";
static constexpr std::string_view k_model = "sklearn.base.Estimator";
static constexpr std::string_view k_fold = "sklearn.model_selection.KFold";

static constexpr Api k_rows[] = {
    {"sklearn.model_selection.train_test_split",
     "*arrays, test_size=None, train_size=None, random_state=None, shuffle=True, stratify=None",
     Role::function,
     "train_test_split",
     k_random,
     split},
    {"sklearn.utils.shuffle",
     "*arrays, random_state=None, n_samples=None",
     Role::function,
     "shuffle",
     k_random,
     shuffled},
    {"sklearn.utils.resample",
     "*arrays, replace=True, n_samples=None, random_state=None, stratify=None",
     Role::function,
     "shuffle",
     k_random,
     shuffled},
    {"sklearn.utils.class_weight.compute_class_weight",
     "class_weight, *, classes, y",
     Role::function,
     {},
     0,
     weights},
    {"sklearn.utils.class_weight.compute_sample_weight", k_any, Role::function},
    {"sklearn.utils.check_random_state", "seed", Role::opaque},
    {"sklearn.utils.check_array", k_any, Role::function},
    {k_fold, k_folds, Role::object},
    {"sklearn.model_selection.KFold.split",
     "X, y=None, groups=None",
     Role::method,
     "split",
     0,
     folds},
    {"sklearn.model_selection.KFold.get_n_splits", k_any, Role::method, {}, 0, fold_count},
    {"sklearn.model_selection.StratifiedKFold", k_folds, Role::object, {}, 0, nullptr, k_fold},
    {"sklearn.model_selection.RepeatedKFold", k_folds, Role::object, {}, 0, nullptr, k_fold},
    {"sklearn.model_selection.GroupKFold", k_folds, Role::object, {}, 0, nullptr, k_fold},
    {"sklearn.model_selection.ShuffleSplit",
     "n_splits=10, **kwargs",
     Role::object,
     {},
     0,
     nullptr,
     k_fold},
    {"sklearn.model_selection.StratifiedShuffleSplit",
     "n_splits=10, **kwargs",
     Role::object,
     {},
     0,
     nullptr,
     k_fold},
    {"sklearn.model_selection.TimeSeriesSplit", k_folds, Role::object, {}, 0, nullptr, k_fold},
    {"sklearn.model_selection.LeaveOneOut", "", Role::object, {}, 0, nullptr, k_fold},
    {"sklearn.model_selection.cross_val_score",
     "estimator, X, y=None, *, groups=None, scoring=None, cv=5, **kwargs",
     Role::function,
     {},
     0,
     scores},
    {"sklearn.model_selection.cross_validate", k_any, Role::function},
    {"sklearn.model_selection.cross_val_predict", k_any, Role::function},
    {"sklearn.model_selection.learning_curve", k_any, Role::function},
    {"sklearn.model_selection.validation_curve", k_any, Role::function},
    {"sklearn.model_selection.ParameterGrid", k_any, Role::object},
    {"sklearn.model_selection.GridSearchCV",
     "estimator, param_grid=None, **kwargs",
     Role::object,
     {},
     0,
     nullptr,
     k_model},
    {"sklearn.model_selection.RandomizedSearchCV",
     "estimator, param_distributions=None, **kwargs",
     Role::object,
     {},
     0,
     nullptr,
     k_model},

    {k_model, k_any, Role::object, {}, 0, nullptr, "sklearn.base.BaseEstimator"},
    {"sklearn.base.Estimator.fit", "X, y=None, **kwargs", Role::method, {}, 0, itself},
    {"sklearn.base.Estimator.partial_fit", "X, y=None, **kwargs", Role::method, {}, 0, itself},
    {"sklearn.base.Estimator.predict", "X, **kwargs", Role::method, {}, 0, predict},
    {"sklearn.base.Estimator.fit_predict", "X, y=None, **kwargs", Role::method, {}, 0, predict},
    {"sklearn.base.Estimator.predict_proba", "X", Role::method, {}, 0, predict_chances},
    {"sklearn.base.Estimator.predict_log_proba", "X", Role::method},
    {"sklearn.base.Estimator.decision_function", "X", Role::method},
    {"sklearn.base.Estimator.transform", "X", Role::method},
    {"sklearn.base.Estimator.fit_transform", "X, y=None, **kwargs", Role::method, "fit_transform"},
    {"sklearn.base.Estimator.inverse_transform", "X", Role::method},
    {"sklearn.base.Estimator.score", "X, y=None, **kwargs", Role::method, {}, 0, answers::number},
    {"sklearn.base.Estimator.kneighbors", k_any, Role::method},
    {"sklearn.base.Estimator.__getattr__", "name", Role::method},
    {"sklearn.pipeline.Pipeline", "steps, **kwargs", Role::object, {}, 0, nullptr, k_model},
    {"sklearn.pipeline.make_pipeline", "*steps, **kwargs", Role::object, {}, 0, nullptr, k_model},
    {"sklearn.linear_model.LinearRegression", k_any, Role::object, {}, 0, nullptr, k_model},
    {"sklearn.linear_model.LogisticRegression", k_any, Role::object, {}, 0, nullptr, k_model},
    {"sklearn.linear_model.Ridge", k_any, Role::object, {}, 0, nullptr, k_model},
    {"sklearn.linear_model.Lasso", k_any, Role::object, {}, 0, nullptr, k_model},
    {"sklearn.linear_model.ElasticNet", k_any, Role::object, {}, 0, nullptr, k_model},
    {"sklearn.linear_model.SGDClassifier", k_any, Role::object, {}, 0, nullptr, k_model},
    {"sklearn.linear_model.SGDRegressor", k_any, Role::object, {}, 0, nullptr, k_model},
    {"sklearn.linear_model.Perceptron", k_any, Role::object, {}, 0, nullptr, k_model},
    {"sklearn.svm.SVC", k_any, Role::object, {}, 0, nullptr, k_model},
    {"sklearn.svm.SVR", k_any, Role::object, {}, 0, nullptr, k_model},
    {"sklearn.svm.LinearSVC", k_any, Role::object, {}, 0, nullptr, k_model},
    {"sklearn.tree.DecisionTreeClassifier", k_any, Role::object, {}, 0, nullptr, k_model},
    {"sklearn.tree.DecisionTreeRegressor", k_any, Role::object, {}, 0, nullptr, k_model},
    {"sklearn.ensemble.RandomForestClassifier", k_any, Role::object, {}, 0, nullptr, k_model},
    {"sklearn.ensemble.RandomForestRegressor", k_any, Role::object, {}, 0, nullptr, k_model},
    {"sklearn.ensemble.GradientBoostingClassifier", k_any, Role::object, {}, 0, nullptr, k_model},
    {"sklearn.ensemble.GradientBoostingRegressor", k_any, Role::object, {}, 0, nullptr, k_model},
    {"sklearn.ensemble.AdaBoostClassifier", k_any, Role::object, {}, 0, nullptr, k_model},
    {"sklearn.ensemble.ExtraTreesClassifier", k_any, Role::object, {}, 0, nullptr, k_model},
    {"sklearn.ensemble.BaggingClassifier", k_any, Role::object, {}, 0, nullptr, k_model},
    {"sklearn.ensemble.VotingClassifier", k_any, Role::object, {}, 0, nullptr, k_model},
    {"sklearn.ensemble.IsolationForest", k_any, Role::object, {}, 0, nullptr, k_model},
    {"sklearn.neighbors.KNeighborsClassifier", k_any, Role::object, {}, 0, nullptr, k_model},
    {"sklearn.neighbors.KNeighborsRegressor", k_any, Role::object, {}, 0, nullptr, k_model},
    {"sklearn.neighbors.NearestNeighbors", k_any, Role::object, {}, 0, nullptr, k_model},
    {"sklearn.neighbors.KernelDensity", k_any, Role::object, {}, 0, nullptr, k_model},
    {"sklearn.naive_bayes.GaussianNB", k_any, Role::object, {}, 0, nullptr, k_model},
    {"sklearn.naive_bayes.MultinomialNB", k_any, Role::object, {}, 0, nullptr, k_model},
    {"sklearn.naive_bayes.BernoulliNB", k_any, Role::object, {}, 0, nullptr, k_model},
    {"sklearn.neural_network.MLPClassifier", k_any, Role::object, {}, 0, nullptr, k_model},
    {"sklearn.neural_network.MLPRegressor", k_any, Role::object, {}, 0, nullptr, k_model},
    {"sklearn.neural_network.BernoulliRBM", k_any, Role::object, {}, 0, nullptr, k_model},
    {"sklearn.gaussian_process.GaussianProcessRegressor",
     k_any,
     Role::object,
     {},
     0,
     nullptr,
     k_model},
    {"sklearn.cluster.KMeans", k_any, Role::object, {}, 0, nullptr, k_model},
    {"sklearn.cluster.MiniBatchKMeans", k_any, Role::object, {}, 0, nullptr, k_model},
    {"sklearn.cluster.DBSCAN", k_any, Role::object, {}, 0, nullptr, k_model},
    {"sklearn.cluster.AgglomerativeClustering", k_any, Role::object, {}, 0, nullptr, k_model},
    {"sklearn.cluster.SpectralClustering", k_any, Role::object, {}, 0, nullptr, k_model},
    {"sklearn.cluster.k_means", "X, n_clusters, **kwargs", Role::function, {}, 0, cluster},
    {"sklearn.mixture.GaussianMixture", k_any, Role::object, {}, 0, nullptr, k_model},
    {"sklearn.dummy.DummyClassifier", k_any, Role::object, {}, 0, nullptr, k_model},
    {"sklearn.multiclass.OneVsRestClassifier", k_any, Role::object, {}, 0, nullptr, k_model},
    {"sklearn.multioutput.MultiOutputClassifier", k_any, Role::object, {}, 0, nullptr, k_model},
    {"sklearn.multioutput.MultiOutputRegressor", k_any, Role::object, {}, 0, nullptr, k_model},
    {"sklearn.calibration.CalibratedClassifierCV", k_any, Role::object, {}, 0, nullptr, k_model},
    {"sklearn.feature_selection.chi2", k_any, Role::function},
    {"sklearn.feature_selection.f_classif", k_any, Role::function},
    {"sklearn.feature_selection.f_regression", k_any, Role::function},
    {"sklearn.feature_selection.mutual_info_classif", k_any, Role::function},
    {"sklearn.inspection.permutation_importance", k_any, Role::function},

    {"sklearn.metrics.accuracy_score", k_pair, Role::function, {}, 0, answers::share},
    {"sklearn.metrics.balanced_accuracy_score", k_pair, Role::function, {}, 0, answers::share},
    {"sklearn.metrics.f1_score", k_pair, Role::function, {}, 0, answers::share},
    {"sklearn.metrics.fbeta_score", k_pair, Role::function, {}, 0, answers::share},
    {"sklearn.metrics.precision_score", k_pair, Role::function, {}, 0, answers::share},
    {"sklearn.metrics.recall_score", k_pair, Role::function, {}, 0, answers::share},
    {"sklearn.metrics.jaccard_score", k_pair, Role::function, {}, 0, answers::share},
    {"sklearn.metrics.hamming_loss", k_pair, Role::function, {}, 0, answers::share},
    {"sklearn.metrics.zero_one_loss", k_pair, Role::function, {}, 0, answers::share},
    {"sklearn.metrics.roc_auc_score",
     "y_true, y_score, **kwargs",
     Role::function,
     {},
     0,
     answers::share},
    {"sklearn.metrics.average_precision_score",
     "y_true, y_score, **kwargs",
     Role::function,
     {},
     0,
     answers::share},
    {"sklearn.metrics.auc", "x, y", Role::function, {}, 0, answers::share},
    {"sklearn.metrics.log_loss", k_pair, Role::function, {}, 0, answers::positive},
    {"sklearn.metrics.brier_score_loss", k_any, Role::function, {}, 0, answers::positive},
    {"sklearn.metrics.mean_squared_error", k_pair, Role::function, {}, 0, answers::positive},
    {"sklearn.metrics.root_mean_squared_error", k_pair, Role::function, {}, 0, answers::positive},
    {"sklearn.metrics.mean_absolute_error", k_pair, Role::function, {}, 0, answers::positive},
    {"sklearn.metrics.mean_absolute_percentage_error",
     k_pair,
     Role::function,
     {},
     0,
     answers::positive},
    {"sklearn.metrics.mean_squared_log_error", k_pair, Role::function, {}, 0, answers::positive},
    {"sklearn.metrics.median_absolute_error", k_pair, Role::function, {}, 0, answers::positive},
    {"sklearn.metrics.explained_variance_score", k_pair, Role::function, {}, 0, answers::number},
    {"sklearn.metrics.r2_score", k_pair, Role::function, {}, 0, answers::number},
    {"sklearn.metrics.matthews_corrcoef", k_pair, Role::function, {}, 0, answers::number},
    {"sklearn.metrics.cohen_kappa_score", k_any, Role::function, {}, 0, answers::number},
    {"sklearn.metrics.silhouette_score", k_any, Role::function, {}, 0, answers::number},
    {"sklearn.metrics.adjusted_rand_score", k_any, Role::function, {}, 0, answers::number},
    {"sklearn.metrics.normalized_mutual_info_score", k_any, Role::function, {}, 0, answers::number},
    {"sklearn.metrics.confusion_matrix", k_pair, Role::function, {}, 0, confusion},
    {"sklearn.metrics.multilabel_confusion_matrix", k_pair, Role::function},
    {"sklearn.metrics.classification_report", k_pair, Role::function, {}, 0, answers::text},
    {"sklearn.metrics.roc_curve", "y_true, y_score, **kwargs", Role::function, {}, 0, curve},
    {"sklearn.metrics.precision_recall_curve", k_any, Role::function, {}, 0, curve},
    {"sklearn.metrics.precision_recall_fscore_support", k_any, Role::function},
    {"sklearn.metrics.make_scorer", k_any, Role::function},
    {"sklearn.metrics.ConfusionMatrixDisplay", k_any, Role::object},
    {"sklearn.metrics.pairwise.cosine_similarity", k_any, Role::function},
    {"sklearn.metrics.pairwise.euclidean_distances", k_any, Role::function},
    {"sklearn.metrics.pairwise_distances", k_any, Role::function},
};

std::span<const Api> sklearn_models()
{
  return k_rows;
}

} // namespace faultline::program
