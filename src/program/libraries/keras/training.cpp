// compile, fit, evaluate and predict: the data meet the model.

#include "program/libraries/keras/training.hpp"

#include "base/format.hpp"
#include "program/libraries/keras/keras.hpp"
#include "program/libraries/keras/layers.hpp"
#include "program/libraries/keras/losses.hpp"
#include "program/libraries/keras/model.hpp"
#include "program/libraries/tensorflow/tf.hpp"
#include "program/operations/shapes.hpp"
#include "program/values/classes.hpp"

namespace faultline::program::keras {

namespace {

// The compile call is kept as the producer of a scalar, so that it follows the branches of the
// program. No Python name has a space.
constexpr std::string_view k_compiled = "compile call";
constexpr std::string_view k_fitted = "was fitted";

// What a model is trained or evaluated on.
struct Data {
  std::vector<Tensor*> inputs;
  Ref target = nullptr; // may be null
  bool arrays = false;  // whole arrays, not batches of a generator
};

Call* compile_of(const Instance& model)
{
  const auto found = model.attributes.find(k_compiled);
  const auto* mark = found != model.attributes.end() ? as<Tensor>(found->second) : nullptr;
  return mark != nullptr ? mark->producer : nullptr;
}

bool is_array(Ref value)
{
  return as<Tensor>(value) != nullptr;
}

bool is_generator(Ref value)
{
  if (const auto* list = as<Sequence>(value)) {
    return list->open && list->rest != nullptr && as<Sequence>(list->rest) != nullptr;
  }
  return value->kind == Kind::instance;
}

// One array, or several if the model takes several: a list of arrays, a dict by name.
std::vector<Tensor*> arrays_in(Machine& machine, Ref value)
{
  if (const auto* list = as<Sequence>(value)) {
    bool arrays = !list->items.empty() && !list->open;
    for (const Ref item : list->items) {
      arrays = arrays && is_array(item);
    }
    if (arrays) {
      return tensors_in(machine, value);
    }
    Tensor* whole = machine.to_tensor(value);
    return whole != nullptr ? std::vector<Tensor*>{whole} : std::vector<Tensor*>{};
  }
  return tensors_in(machine, value);
}

Data read_data(Machine& machine, Ref x, Ref y, Span span)
{
  Data data;
  if (x == nullptr || machine.is_none(x)) {
    return data;
  }
  if (is_generator(x)) {
    const Ref batch = machine.iterate(x, span);
    const auto* parts = as<Sequence>(batch);
    if (parts != nullptr && parts->items.size() >= 2) {
      data.inputs = arrays_in(machine, parts->items[0]);
      data.target = parts->items[1];
    } else if (parts == nullptr) {
      data.inputs = arrays_in(machine, batch);
    }
    return data;
  }
  data.inputs = arrays_in(machine, x);
  data.target = y != nullptr && !machine.is_none(y) ? y : nullptr;
  data.arrays = true;
  return data;
}

// Loss and labels of the first output.
Ref first_of(Machine& machine, Ref value)
{
  if (const auto* list = as<Sequence>(value); list != nullptr && !list->items.empty()) {
    return list->items.front();
  }
  if (const auto* dict = as<Dict>(value); dict != nullptr && !dict->items.empty()) {
    return dict->items.front().second;
  }
  static_cast<void>(machine);
  return value;
}

// Labels: the list of several outputs' labels gives its first; a list of numbers is an array.
Ref first_target(Machine& machine, Ref target, size_t outputs)
{
  if (target == nullptr) {
    return nullptr;
  }
  const auto* list = as<Sequence>(target);
  const bool several = outputs > 1 && list != nullptr && list->items.size() == outputs;
  if (several || as<Dict>(target) != nullptr) {
    return first_of(machine, target);
  }
  if (list != nullptr && list->items.size() == 1 && is_array(list->items.front())) {
    return list->items.front();
  }
  return target;
}

void check_samples(Machine& machine, const Call& call, const Data& data, Span span)
{
  if (!data.arrays || data.inputs.empty() || data.target == nullptr) {
    return;
  }
  // A list of arrays holds the labels of several outputs.
  const std::vector<Tensor*> all = arrays_in(machine, data.target);
  const Tensor* labels = all.empty() ? nullptr : all.front();
  const Tensor& x = *data.inputs.front();
  if (labels == nullptr || !x.shape.has_rank() || !labels->shape.has_rank()) {
    return;
  }
  const Dim count = x.shape.at(0);
  if (count.compare(labels->shape.at(0)) != Dim::Comparison::different) {
    return;
  }
  machine.problem(ProblemKind::sample_count,
                  span,
                  format("{} samples, but {} labels: the shapes are {} and {}",
                         count.text(),
                         labels->shape.at(0).text(),
                         x.shape.text(),
                         labels->shape.text()),
                  &call);
}

bool takes_text(Machine& machine, Instance& model)
{
  for (const Ref layer : layers_of(machine, model).items) {
    const std::string_view op = machine.op_of(layer);
    if (op == "text_vectorization" || op == "string_lookup" || op == "lambda" || op == "hashing" ||
        op.empty()) {
      return true;
    }
  }
  return is_subclassed(model);
}

void check_types(Machine& machine, Instance& model, const Call& call, const Data& data, Span span)
{
  for (const Tensor* x : data.inputs) {
    const bool objects = x->dtype == DType(DType::Kind::object);
    const bool strings = x->dtype == DType(DType::Kind::string);
    if ((!objects && !strings) || (strings && takes_text(machine, model))) {
      continue;
    }
    Problem& problem = machine.problem(ProblemKind::object_dtype,
                                       span,
                                       objects ? "the data are an array of Python objects"
                                               : "the data are strings",
                                       &call);
    if (x->encoding == Encoding::token) {
      problem.help = "sequences of different lengths need `pad_sequences`";
    }
    return;
  }
}

void check_embeddings(Machine& machine, Instance& model, const Ends& ends, const Data& data)
{
  if (data.inputs.size() != ends.inputs.size()) {
    return;
  }
  for (const Ref layer : layers_of(machine, model).items) {
    const auto* object = as<Instance>(layer);
    if (object == nullptr || object->applied.empty() || machine.op_of(layer) != "embedding") {
      continue;
    }
    Call& applied = *object->applied.front();
    for (size_t i = 0; i < ends.inputs.size(); ++i) {
      if (applied.input() == ends.inputs[i]) {
        check_tokens(machine, applied, *data.inputs[i]);
      }
    }
  }
}

// A model that runs its own code on data is called on a batch of them.
std::vector<Tensor*> run_subclassed(Machine& machine, Instance& model, const Data& data, Span span)
{
  if (!model.applied.empty()) {
    return tensors_in(machine, model.applied.back()->result);
  }
  std::vector<Ref> batches;
  for (const Tensor* x : data.inputs) {
    Tensor* batch = machine.data(Library::keras,
                                 x->shape.rank() >= 1 ? x->shape.with(0, Dim::batch()) : x->shape,
                                 DType::Kind::float32,
                                 x->interval);
    batch->encoding = x->encoding;
    batch->source = x->source;
    batches.push_back(batch);
  }
  if (batches.empty()) {
    batches.push_back(machine.data(Library::keras, Shape::top(), {}, Interval::top()));
  }
  const Ref input = batches.size() == 1 ? batches.front() : machine.list(std::move(batches));
  return tensors_in(machine, machine.call(&model, std::vector<Ref>{input}, span));
}

// The outputs, after the data were checked against the inputs.
std::vector<Tensor*>
meet(Machine& machine, Instance& model, Call& call, const Data& data, Span span)
{
  if (is_subclassed(model)) {
    return run_subclassed(machine, model, data, span);
  }
  build(machine, model, data.inputs, span);
  const Ends ends = ends_of(machine, model);
  if (data.inputs.size() == ends.inputs.size()) {
    for (size_t i = 0; i < ends.inputs.size(); ++i) {
      expect_input(machine, call, span, *data.inputs[i], *ends.inputs[i]);
    }
    check_embeddings(machine, model, ends, data);
  }
  check_types(machine, model, call, data, span);
  return ends.outputs;
}

void check_labels(Machine& machine, const Call& call, Span span, LossKind kind, Ref target)
{
  const auto* labels = as<Tensor>(target);
  const bool classes = kind == LossKind::categorical || kind == LossKind::sparse_categorical ||
                       kind == LossKind::binary;
  if (labels != nullptr && classes && labels->dtype == DType(DType::Kind::string)) {
    machine.problem(ProblemKind::label_dtype, span, "the labels are strings, not numbers", &call);
  }
}

// What a loss function of the program gives for these; null if the loss is a library's.
Ref run_custom_loss(Machine& machine, const Argument& loss, Tensor* prediction, Ref target)
{
  const bool own =
      loss.value->kind == Kind::function || loss.value->kind == Kind::bound ||
      (as<Instance>(loss.value) != nullptr && as<Instance>(loss.value)->klass != nullptr);
  if (!own || prediction == nullptr) {
    return nullptr;
  }
  const Tensor* labels = target != nullptr ? machine.to_tensor(target) : nullptr;
  Shape shape = prediction->shape;
  if (labels != nullptr && labels->shape.rank() >= 1) {
    shape = labels->shape.with(0, Dim::batch());
    // Labels without an axis of their own get one.
    shape = shape.rank() == 1 ? shape.plus(Shape::constants({1})) : shape;
  }
  Tensor* y_true = machine.data(Library::tensorflow,
                                shape,
                                DType::Kind::float32,
                                labels != nullptr ? labels->interval : Interval::top());
  if (labels != nullptr) {
    y_true->encoding = labels->encoding;
    y_true->classes = labels->classes;
    y_true->source = labels->source;
  }
  y_true->requires_grad = Truth::no;
  return machine.call(loss.value, std::vector<Ref>{y_true, prediction}, loss.span);
}

bool is_noted(Machine& machine, const Instance& model, const Call& fit)
{
  for (const LossUse& use : machine.program().losses()) {
    if (use.model == &model && use.fit != nullptr && use.fit->span == fit.span) {
      return true;
    }
  }
  return false;
}

// One loss use: compile's loss on the first output and its labels.
void note_use(Machine& machine,
              Instance& model,
              Call& compiled,
              Call* fit,
              const std::vector<Tensor*>& outputs,
              Ref target,
              Span target_span)
{
  const Argument* given = compiled.argument("loss");
  if (given == nullptr || machine.is_none(given->value)) {
    return;
  }
  Argument loss = *given;
  loss.value = first_of(machine, loss.value);
  const LossChoice choice = read_loss(machine, loss.value);
  Tensor* prediction = outputs.empty() ? nullptr : outputs.front();
  LossUse& use = machine.loss_use(compiled);
  use.kind = choice.kind;
  use.wants = choice.wants;
  use.span = loss.span;
  use.prediction = prediction;
  use.prediction_span = prediction != nullptr ? prediction->origin : compiled.span;
  use.target = target;
  use.target_span = target_span;
  use.model = &model;
  use.fit = fit;
  use.framework = "keras";
  const Tensor* labels = target != nullptr ? machine.to_tensor(target) : nullptr;
  if (choice.is_known && labels != nullptr && prediction != nullptr && fit != nullptr) {
    expect_loss_shapes(machine, *fit, target_span, choice.kind, prediction->shape, labels->shape);
    check_labels(machine, *fit, target_span, choice.kind, target);
  }
  const size_t number = machine.program().losses().size() - 1;
  const Ref computed = run_custom_loss(machine, loss, prediction, target);
  machine.loss_use(number).computed = computed; // the function may have used losses itself
}

Span span_of(const Call& call, std::initializer_list<std::string_view> names)
{
  for (const std::string_view name : names) {
    if (const Argument* argument = call.given(name)) {
      return argument->span;
    }
  }
  return call.span;
}

void check_validation(Machine& machine, Instance& model, Call& call)
{
  const Argument* given = call.given("validation_data");
  const auto* parts = given != nullptr ? as<Sequence>(given->value) : nullptr;
  if (parts == nullptr || parts->open || parts->items.size() < 2 || is_subclassed(model)) {
    return;
  }
  const Data data = read_data(machine, parts->items[0], parts->items[1], given->span);
  const Ends ends = ends_of(machine, model);
  check_samples(machine, call, data, given->span);
  if (data.inputs.size() == ends.inputs.size()) {
    for (size_t i = 0; i < ends.inputs.size(); ++i) {
      expect_input(machine, call, given->span, *data.inputs[i], *ends.inputs[i]);
    }
  }
}

Ref history(Machine& machine, Call& call, Instance& model)
{
  Instance* made = machine.instance(*find_api("keras.callbacks.History"), &call);
  Dict* values = machine.dict();
  values->open = true;
  made->attributes["history"] = values;
  made->attributes["model"] = &model;
  made->attributes["epoch"] =
      machine.open_list(machine.number(Interval::of(0, Interval::k_inf), true));
  machine.touch(model);
  model.attributes["history"] = made;
  return made;
}

// The value of the loss, followed by the metrics if any were compiled.
Ref scores(Machine& machine, const Instance& model)
{
  const Ref loss = machine.number(Interval::top());
  const Call* compiled = compile_of(model);
  const Ref metrics = compiled != nullptr ? compiled->arg("metrics") : nullptr;
  if (compiled == nullptr) {
    return machine.unknown();
  }
  if (metrics == nullptr || machine.is_none(metrics)) {
    return loss;
  }
  const auto* list = as<Sequence>(metrics);
  if (list == nullptr || list->open) {
    return machine.open_list(machine.number(Interval::top()));
  }
  std::vector<Ref> values{loss};
  for (size_t i = 0; i < list->items.size(); ++i) {
    values.push_back(machine.number(Interval::top()));
  }
  return machine.list(std::move(values));
}

Instance* model_of(const Call& call)
{
  return as<Instance>(call.self);
}

} // namespace

Ref compile(Machine& machine, Call& call)
{
  modernise(machine, call);
  Instance* model = model_of(call);
  if (model == nullptr) {
    return machine.none();
  }
  machine.touch(*model);
  Tensor* mark = machine.data(Library::keras, Shape::scalar(), {}, Interval::top());
  mark->producer = &call;
  model->attributes[k_compiled] = mark;
  model->attributes.erase(k_fitted);
  for (const std::string_view name : {"optimizer", "loss", "metrics"}) {
    if (const Ref value = call.arg(name)) {
      model->attributes[name] = value;
    }
  }
  return machine.none();
}

// Where the samples and the labels are written; older versions take a generator of both.
Span samples_span(const Call& call)
{
  return span_of(call, {"x", "generator"});
}

Span labels_span(const Call& call)
{
  return span_of(call, {"y", "x", "generator"});
}

Data data_of(Machine& machine, const Call& call, Ref labels)
{
  const Ref x = call.arg("x") != nullptr ? call.arg("x") : call.arg("generator");
  return read_data(machine, x, labels, samples_span(call));
}

Ref fit(Machine& machine, Call& call)
{
  modernise(machine, call);
  Instance* model = model_of(call);
  if (model == nullptr) {
    return machine.unknown();
  }
  const Data data = data_of(machine, call, call.arg("y"));
  check_samples(machine, call, data, labels_span(call));
  const std::vector<Tensor*> outputs = meet(machine, *model, call, data, samples_span(call));
  check_validation(machine, *model, call);
  machine.touch(*model);
  model->attributes[k_fitted] = machine.none();
  if (Call* compiled = compile_of(*model);
      compiled != nullptr && !is_noted(machine, *model, call)) {
    const Ref target = first_target(machine, data.target, outputs.size());
    note_use(machine, *model, *compiled, &call, outputs, target, labels_span(call));
    if (model->klass != nullptr && find_in_class(*model->klass, "train_step") != nullptr &&
        !data.inputs.empty()) {
      const Ref batch = data.target != nullptr ? machine.tuple({data.inputs.front(), data.target})
                                               : static_cast<Ref>(data.inputs.front());
      machine.call(
          machine.attribute(model, "train_step", call.span), std::vector<Ref>{batch}, call.span);
    }
  }
  return call.is("train_on_batch") ? scores(machine, *model) : history(machine, call, *model);
}

Ref evaluate(Machine& machine, Call& call)
{
  modernise(machine, call);
  Instance* model = model_of(call);
  if (model == nullptr) {
    return machine.unknown();
  }
  const Data data = data_of(machine, call, call.arg("y"));
  check_samples(machine, call, data, labels_span(call));
  meet(machine, *model, call, data, samples_span(call));
  return scores(machine, *model);
}

Ref predict(Machine& machine, Call& call)
{
  Instance* model = model_of(call);
  if (model == nullptr) {
    return machine.unknown();
  }
  const Data data = data_of(machine, call, nullptr);
  const std::vector<Tensor*> outputs = meet(machine, *model, call, data, samples_span(call));
  const Dim count =
      data.arrays && !data.inputs.empty() ? data.inputs.front()->shape.at(0) : Dim::top();
  std::vector<Ref> arrays;
  for (const Tensor* output : outputs) {
    Tensor* made =
        machine.tensor(call,
                       output->shape.rank() >= 1 ? output->shape.with(0, count) : output->shape,
                       output->dtype,
                       output->interval);
    made->library = Library::numpy;
    made->encoding = output->encoding;
    made->classes = output->shape.at(-1).constant().value_or(0);
    made->requires_grad = Truth::no;
    arrays.push_back(made);
  }
  if (arrays.empty()) {
    Tensor* made = machine.tensor(call, Shape::top(), DType::Kind::float32);
    made->library = Library::numpy;
    made->requires_grad = Truth::no;
    return made;
  }
  return arrays.size() == 1 ? arrays.front() : machine.list(std::move(arrays));
}

// The best class of each prediction; with one unit, whether it is above a half.
Ref predict_classes(Machine& machine, Call& call)
{
  const auto* probabilities = as<Tensor>(predict(machine, call));
  Shape shape = Shape::top();
  if (probabilities != nullptr && probabilities->shape.rank() >= 1 &&
      probabilities->shape.at(-1).constant()) {
    const Shape& all = probabilities->shape;
    shape = all.at(-1).is(1) ? all : all.without(*all.rank() - 1);
  }
  Tensor* made = machine.tensor(call, shape, DType::Kind::int64, Interval::of(0, Interval::k_inf));
  made->library = Library::numpy;
  made->encoding = Encoding::class_index;
  made->requires_grad = Truth::no;
  return made;
}

void note_unfitted(Machine& machine, Instance& model)
{
  Call* compiled = compile_of(model);
  if (compiled == nullptr || model.attributes.contains(k_fitted)) {
    return;
  }
  machine.touch(model);
  model.attributes[k_fitted] = machine.none();
  const std::vector<Tensor*> outputs = is_subclassed(model)
                                           ? run_subclassed(machine, model, {}, compiled->span)
                                           : ends_of(machine, model).outputs;
  note_use(machine, model, *compiled, nullptr, outputs, nullptr, compiled->span);
}

} // namespace faultline::program::keras
