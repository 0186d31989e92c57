#include "program/libraries/keras/keras.hpp"

#include "base/format.hpp"

#include <algorithm>
#include <array>

namespace faultline::program::keras {

namespace {

struct Rename {
  std::string_view old;
  std::string_view now;
};

// Applied where the signature has the new name and not the old one, so Embedding keeps its
// output_dim.
constexpr Rename k_renames[] = {
    {"nb_filter", "filters"},
    {"nb_kernel", "filters"},
    {"filter_length", "kernel_size"},
    {"subsample", "strides"},
    {"subsample_length", "strides"},
    {"stride", "strides"},
    {"border_mode", "padding"},
    {"atrous_rate", "dilation_rate"},
    {"pool_length", "pool_size"},
    {"output_dim", "units"},
    {"init", "kernel_initializer"},
    {"init", "embeddings_initializer"},
    {"W_regularizer", "kernel_regularizer"},
    {"W_regularizer", "embeddings_regularizer"},
    {"b_regularizer", "bias_regularizer"},
    {"W_constraint", "kernel_constraint"},
    {"W_constraint", "embeddings_constraint"},
    {"b_constraint", "bias_constraint"},
    {"bias", "use_bias"},
    {"inner_init", "recurrent_initializer"},
    {"inner_activation", "recurrent_activation"},
    {"U_regularizer", "recurrent_regularizer"},
    {"dropout_W", "dropout"},
    {"dropout_U", "recurrent_dropout"},
    {"p", "rate"},
    {"sigma", "stddev"},
    {"length", "size"},
    {"alpha", "negative_slope"},
    {"concat_axis", "axis"},
    {"dot_axes", "axes"},
    {"beta_init", "beta_initializer"},
    {"gamma_init", "gamma_initializer"},
    {"nb_epoch", "epochs"},
    {"nb_worker", "workers"},
    {"input", "inputs"},
    {"output", "outputs"},
    {"lr", "learning_rate"},
    {"nb_classes", "num_classes"},
    {"nb_words", "num_words"},
};

bool has_parameter(const Api& api, std::string_view name)
{
  const std::vector<Parameter>& parameters = parameters_of(api);
  return std::any_of(parameters.begin(), parameters.end(), [&](const Parameter& parameter) {
    return parameter.name == name;
  });
}

void set_argument(Call& call, std::string_view name, Ref value, Span span)
{
  for (Argument& argument : call.arguments) {
    if (argument.name == name) {
      if (!argument.given) {
        argument.value = value;
        argument.span = span;
        argument.given = true;
      }
      return;
    }
  }
  call.arguments.push_back({.name = name, .value = value, .span = span, .given = true});
}

Tensor* as_input(Machine& machine, Ref value)
{
  if (const auto* list = as<Sequence>(value);
      list != nullptr && !list->open && list->items.size() == 1) {
    value = list->items.front();
  }
  if (Tensor* tensor = machine.to_tensor(value)) {
    return tensor;
  }
  return machine.data(Library::keras, Shape::top(), {}, Interval::top());
}

void remember(Machine& machine, Call& call, Ref output)
{
  if (call.layer == nullptr) {
    return;
  }
  machine.touch(*call.layer);
  if (const Ref input = subject(call)) {
    call.layer->attributes["input"] = input;
  }
  call.layer->attributes["output"] = output;
}

} // namespace

void modernise(Machine& machine, Call& call)
{
  if (call.api == nullptr || call.surplus.empty()) {
    return;
  }
  const std::vector<Argument> surplus = call.surplus;
  for (const Argument& argument : surplus) {
    if (argument.name.empty()) {
      continue;
    }
    for (const Rename& rename : k_renames) {
      if (rename.old == argument.name && has_parameter(*call.api, rename.now) &&
          !has_parameter(*call.api, rename.old)) {
        set_argument(call, rename.now, argument.value, argument.span);
      }
    }
    if (argument.name == "dim_ordering" && has_parameter(*call.api, "data_format")) {
      const std::optional<std::string_view> order = machine.to_string(argument.value);
      const Ref format = order == "th"   ? machine.string("channels_first")
                         : order == "tf" ? machine.string("channels_last")
                                         : machine.unknown();
      set_argument(call, "data_format", format, argument.span);
    }
  }
  // Kernel sizes were one argument for each axis.
  std::vector<Ref> sizes;
  Span span;
  for (const std::string_view name :
       {"kernel_dim1", "kernel_dim2", "kernel_dim3", "nb_row", "nb_col"}) {
    if (const Argument* size = call.keyword(name)) {
      sizes.push_back(size->value);
      span = sizes.size() == 1 ? size->span : Span{span.file, span.begin, size->span.end};
    }
  }
  if (!sizes.empty() && has_parameter(*call.api, "kernel_size")) {
    set_argument(call, "kernel_size", machine.tuple(std::move(sizes)), span);
  }
}

const Argument* call_argument(const Call& call, size_t n)
{
  // Positional arguments of a layer's call are named by their number.
  const std::string number = std::to_string(n);
  bool numbered = false;
  for (const Argument& argument : call.arguments) {
    if (argument.name == number) {
      return &argument;
    }
    numbered = numbered || argument.name == "0";
  }
  return !numbered && n < call.arguments.size() ? &call.arguments[n] : nullptr;
}

Ref subject(const Call& call)
{
  const Argument* first = call_argument(call, 0);
  return first != nullptr ? first->value : nullptr;
}

Ref call_option(const Call& call, std::string_view keyword)
{
  for (const std::vector<Argument>* list : {&call.arguments, &call.surplus}) {
    for (const Argument& argument : *list) {
      if (argument.name == keyword) {
        return argument.value;
      }
    }
  }
  return nullptr;
}

Tensor* begin(Machine& machine, Call& call)
{
  if (call.layer != nullptr && call.layer->made_by != nullptr) {
    modernise(machine, *call.layer->made_by);
  }
  return as_input(machine, subject(call));
}

std::vector<Tensor*> begin_many(Machine& machine, Call& call)
{
  if (call.layer != nullptr && call.layer->made_by != nullptr) {
    modernise(machine, *call.layer->made_by);
  }
  std::vector<Tensor*> tensors;
  const Ref given = subject(call);
  if (const auto* list = as<Sequence>(given)) {
    for (const Ref item : list->items) {
      tensors.push_back(as_input(machine, item));
    }
    return tensors;
  }
  tensors.push_back(as_input(machine, given));
  return tensors;
}

Ref make_object(Machine& machine, Call& call)
{
  modernise(machine, call);
  return machine.instance(*call.api, &call);
}

Tensor* learned(Machine& machine, Call& call, Shape shape)
{
  Tensor* made = machine.tensor(call, std::move(shape), DType::Kind::float32, Interval::reals());
  if (made->library != Library::tensorflow) {
    made->library = Library::keras;
  }
  made->requires_grad = Truth::yes;
  return made;
}

Tensor* array(Machine& machine, Call& call, Shape shape, DType dtype, Interval interval)
{
  Tensor* made = machine.tensor(call, std::move(shape), dtype, interval);
  made->library = Library::numpy;
  made->requires_grad = Truth::no;
  return made;
}

Tensor* moved(Machine& machine, Call& call, const Tensor& input, Shape shape)
{
  Tensor* made = machine.like(call, input);
  made->shape = std::move(shape);
  made->literal = nullptr;
  if (made->library != Library::tensorflow) {
    made->library = Library::keras;
  }
  return made;
}

Ref activate(Machine& machine, Ref activation, Tensor* on, Span span)
{
  if (activation == nullptr || machine.is_none(activation)) {
    return on;
  }
  const Argument argument{.name = {}, .value = on, .span = span, .given = true};
  if (const std::optional<std::string_view> name = machine.to_string(activation)) {
    if (*name == "linear" || name->empty()) {
      return on;
    }
    const std::string path = "keras.activations." + std::string(*name);
    if (find_api(path) != nullptr) {
      return machine.call_api(path, {argument}, span);
    }
    return machine.unknown();
  }
  if (activation->kind == Kind::unknown || activation->kind == Kind::choice) {
    Tensor* result = machine.data(on->library, on->shape, on->dtype, Interval::top());
    result->requires_grad = on->requires_grad;
    return result;
  }
  return machine.call(activation, std::vector<Argument>{argument}, span);
}

Ref end(Machine& machine, Call& call, Tensor* output)
{
  const Argument* normaliser = call.setting("normalizer_fn");
  if (normaliser != nullptr && !machine.is_none(normaliser->value)) {
    call.result = output;
    Tensor* normal =
        as<Tensor>(machine.call(normaliser->value, std::vector<Ref>{output}, normaliser->span));
    output = normal != nullptr ? normal : output;
  }
  const Argument* activation = call.setting("activation");
  if (activation == nullptr) {
    return end_plain(machine, call, output);
  }
  call.result = output;
  return end_plain(machine, call, activate(machine, activation->value, output, activation->span));
}

Ref end_plain(Machine& machine, Call& call, Ref output)
{
  remember(machine, call, output);
  return output;
}

bool channels_first(Machine& machine, const Call& call)
{
  if (const std::optional<std::string_view> format =
          machine.to_string(call.setting_value("data_format"))) {
    return *format == "channels_first" || format->starts_with("NC");
  }
  const std::deque<Call>& calls = machine.program().calls();
  for (auto earlier = calls.rbegin(); earlier != calls.rend(); ++earlier) {
    if (earlier->name == "keras.backend.set_image_data_format" ||
        earlier->name == "keras.backend.set_image_dim_ordering") {
      const std::optional<std::string_view> format =
          earlier->arguments.empty() ? std::nullopt
                                     : machine.to_string(earlier->arguments.front().value);
      return format == "channels_first" || format == "th";
    }
  }
  return false;
}

std::string_view short_name(const Call& call)
{
  const std::string_view name = call.name;
  return name.substr(name.rfind('.') + 1);
}

Span place(const Call& call, std::string_view parameter)
{
  const Argument* argument = call.setting(parameter);
  return argument != nullptr && argument->given ? argument->span : call.span;
}

Span input_place(const Call& call)
{
  if (call.layer == nullptr || call.layer->made_by == nullptr) {
    return call.span;
  }
  const Tensor* input = call.input();
  if (input == nullptr || input->producer == nullptr || !input->producer->is("input")) {
    return call.span;
  }
  for (const std::string_view name : {"input_shape", "input_dim", "batch_input_shape"}) {
    if (const Argument* shape = call.layer->made_by->keyword(name)) {
      return shape->span;
    }
  }
  return call.span;
}

bool expect_rank(Machine& machine,
                 Call& call,
                 const Tensor& input,
                 size_t rank,
                 ProblemKind kind,
                 std::string help)
{
  if (!input.shape.has_rank() || *input.shape.rank() == rank) {
    return true;
  }
  Problem& problem = machine.problem(kind,
                                     input_place(call),
                                     format("`{}` takes a tensor of rank {}, but gets shape {}",
                                            short_name(call),
                                            rank,
                                            input.shape.text()),
                                     &call);
  problem.help = std::move(help);
  return false;
}

bool expect_same_features(Machine& machine, Call& call, const Tensor& input, int64_t axis)
{
  if (call.layer == nullptr) {
    return true;
  }
  for (const Call* earlier : call.layer->applied) {
    const Tensor* before = earlier->input();
    if (earlier == &call || before == nullptr) {
      continue;
    }
    if (before->shape.at(axis).compare(input.shape.at(axis)) == Dim::Comparison::different) {
      machine.problem(ProblemKind::features,
                      call.span,
                      format("`{}` was built for {} features, but is called on shape {}",
                             short_name(call),
                             before->shape.at(axis).text(),
                             input.shape.text()),
                      &call);
      return false;
    }
    return true;
  }
  return true;
}

bool is_from_tensorflow(Machine& machine)
{
  for (const Import& import : machine.program().imports()) {
    if (import.module.starts_with("tensorflow") &&
        (import.module.find("keras") != std::string::npos || import.name == "keras")) {
      return true;
    }
    if (import.module == "keras" || import.module.starts_with("keras.")) {
      return false;
    }
  }
  return machine.program().uses("tensorflow");
}

bool is_old_keras(Machine& machine)
{
  constexpr std::array k_gone = {"keras.layers.core",
                                 "keras.layers.convolutional",
                                 "keras.layers.recurrent",
                                 "keras.layers.normalization",
                                 "keras.layers.embeddings",
                                 "keras.layers.advanced_activations",
                                 "keras.layers.pooling",
                                 "keras.layers.merge",
                                 "keras.layers.wrappers",
                                 "keras.layers.noise",
                                 "keras.utils.np_utils",
                                 "keras.utils.vis_utils",
                                 "keras.engine",
                                 "keras.wrappers"};
  for (const Import& import : machine.program().imports()) {
    const std::string whole =
        import.name.empty() ? import.module : import.module + "." + import.name;
    for (const std::string_view gone : k_gone) {
      if (whole == gone || whole.starts_with(std::string(gone) + ".")) {
        return true;
      }
    }
  }
  return false;
}

} // namespace faultline::program::keras
