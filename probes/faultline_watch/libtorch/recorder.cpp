#include "recorder.hpp"

#include "facts.hpp"
#include "memory.hpp"
#include "schedule.hpp"
#include "settings.hpp"
#include "values.hpp"

#include <ATen/core/grad_mode.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <limits>
#include <numeric>

namespace faultline_watch {

namespace {

constexpr double k_unknown = std::numeric_limits<double>::quiet_NaN();
constexpr int k_most_looks = 32;
constexpr size_t k_most_operands = 4;
constexpr int k_most_occurrences = 32;
constexpr uint32_t k_clearing_step = 10; // when it is told how gradients are cleared

thread_local int t_paused = 0;

// The tensors among the arguments of an operator, those of lists too.
template <typename Use> void each_tensor(const at::RecordFunction& function, Use use)
{
  for (const c10::IValue& value : function.inputs()) {
    if (value.isTensor()) {
      use(value.toTensor());
    } else if (value.isTensorList()) {
      for (const at::Tensor& tensor : value.toTensorVector()) {
        use(tensor);
      }
    }
  }
}

at::Tensor tensor_at(const at::RecordFunction& function, size_t index)
{
  const auto inputs = function.inputs();
  return index < inputs.size() && inputs[index].isTensor() ? inputs[index].toTensor()
                                                           : at::Tensor();
}

const void* memory_of(const at::Tensor& tensor)
{
  return tensor.defined() && tensor.has_storage() ? tensor.storage().unsafeGetStorageImpl()
                                                  : nullptr;
}

at::Tensor first_output(const at::RecordFunction& function)
{
  const std::vector<c10::IValue>& outputs = function.outputs();
  return !outputs.empty() && outputs[0].isTensor() ? outputs[0].toTensor() : at::Tensor();
}

// Whether batch normalisation or dropout was told to train.
bool is_training_mode(const Operator& kind, const at::RecordFunction& function)
{
  const auto inputs = function.inputs();
  const auto mode = static_cast<size_t>(kind.special);
  if (mode >= inputs.size() || !inputs[mode].isBool() || !inputs[mode].toBool()) {
    return false;
  }
  // Without averages there is no other mode.
  return kind.use == Use::dropout ? inputs[1].isDouble() && inputs[1].toDouble() > 0
                                  : tensor_at(function, 3).defined();
}

std::string reduction_of(const Operator& kind, const at::RecordFunction& function)
{
  const auto inputs = function.inputs();
  const auto at = static_cast<size_t>(kind.special);
  if (at >= inputs.size() || !inputs[at].isInt()) {
    return "mean";
  }
  const int64_t reduction = inputs[at].toInt();
  return reduction == 0 ? "none" : reduction == 2 ? "sum" : "mean";
}

double value_of(const at::Tensor& tensor)
{
  const Values values = values_of(tensor);
  return values.count == 1 ? tensor.item().toDouble() : k_unknown;
}

int64_t resident_kib()
{
  std::ifstream file("/proc/self/statm");
  int64_t all = 0;
  int64_t resident = 0;
  file >> all >> resident;
  return resident * (sysconf(_SC_PAGESIZE) / 1024);
}

} // namespace

Recorder& recorder()
{
  static Recorder* const only = new Recorder(); // outlives every static object
  return *only;
}

Pause::Pause()
{
  ++t_paused;
}

Pause::~Pause()
{
  --t_paused;
}

void Recorder::begin(int descriptor, uint32_t every)
{
  m_stream.open(descriptor);
  m_every = every;
  m_thread = std::this_thread::get_id();
  m_on = true;
  std::vector<std::string> words;
  std::ifstream file("/proc/self/cmdline");
  for (std::string word; std::getline(file, word, '\0');) {
    words.push_back(word);
  }
  Object event;
  m_stream.event("start",
                 event.text("framework", "libtorch")
                     .text("version", k_libtorch_version)
                     .raw("command", array_of(words, json_text))
                     .whole("every", every));
  begin_step();
}

bool Recorder::listens() const
{
  return m_on && t_paused == 0 && std::this_thread::get_id() == m_thread;
}

void Recorder::in_child()
{
  m_on = false;
  m_stream.forget();
}

// Models and optimizers.

void Recorder::optimizer_given(const torch::optim::Optimizer* optimizer,
                               const std::vector<at::Tensor>& parameters)
{
  Made& made = m_optimizers[optimizer];
  made.stack = program_stack();
  made.told = false;
  m_layers.given_to_optimizer(parameters);
  if (m_step == 0 && m_backwards == 0) {
    m_layers.forget_calls();
  }
}

// The program may fill the memory later: it is looked at when something reads it.
void Recorder::memory_given(const at::Tensor& tensor)
{
  if (m_misread || ++m_looks > k_most_looks || !tensor.defined() || !tensor.is_cpu() ||
      !tensor.is_contiguous()) {
    return;
  }
  m_given.push_back({tensor.storage().getWeakStorageImpl(),
                     type_name(tensor.scalar_type()),
                     array_of(tensor.sizes(), [](int64_t n) { return std::to_string(n); }),
                     program_stack()});
}

// Whether the operation will read memory that was handed over. Operations that change it are looked
// at before they do, others when it is known whether they only gave another view of it.
void Recorder::note_reading(const at::RecordFunction& function, Operation& operation)
{
  const void* first = memory_of(tensor_at(function, 0));
  each_tensor(function, [&](const at::Tensor& tensor) {
    const void* memory = memory_of(tensor);
    for (const Given& given : m_given) {
      if (memory != nullptr && given.memory._unsafe_get_target() == memory) {
        operation.given = memory;
      }
    }
  });
  if (operation.given != nullptr && operation.given == first && changes_first(function.name())) {
    if (!fills_first(function.name())) {
      memory_read(operation.given);
    }
    operation.given = nullptr;
  }
}

void Recorder::memory_read(const void* memory)
{
  const auto place = std::find_if(m_given.begin(), m_given.end(), [=](const Given& given) {
    return given.memory._unsafe_get_target() == memory;
  });
  if (place == m_given.end()) {
    return;
  }
  const Given given = std::move(*place);
  m_given.erase(place);
  const auto held = given.memory.lock();
  const auto found =
      held ? misread(given.type, held->data(), held->nbytes()) : std::optional<Misread>();
  if (!found || m_misread) {
    return;
  }
  m_misread = true;
  Object values;
  values.text("dtype", given.type)
      .text("looks_like", found->looks_like)
      .number("odd", found->odd)
      .number("smallest", found->smallest)
      .number("largest", found->largest)
      .raw("shape", given.shape);
  Object event;
  m_stream.event("observation",
                 event.text("name", "memory-misread")
                     .whole("step", m_step)
                     .raw("site", site_of(given.stack))
                     .raw("values", values.done()));
}

void Recorder::tell_optimizer(torch::optim::Optimizer& optimizer)
{
  Made& made = m_optimizers[&optimizer];
  if (made.told) {
    return;
  }
  made.told = true;
  if (made.stack.empty()) { // it was moved here
    made.stack = program_stack();
  }
  Object event;
  m_stream.event("optimizer",
                 event.text("kind", kind_of(optimizer))
                     .raw("site", site_of(made.stack))
                     .raw("settings", settings_of(optimizer)));
}

// A step.

void Recorder::begin_step()
{
  m_checking = is_due(m_step, m_every);
  m_loss_seen = false;
  m_backwards_here = 0;
  m_losses.clear();
  m_accuracy = k_unknown;
  m_samples = 0;
  m_input.clear();
  m_seen.clear();
  m_occurrences.clear();
  m_before.clear();
  m_taken.clear();
  m_layers.look_again();
}

void Recorder::gradients_cleared()
{
  ++m_clearings;
  m_evaluations.tell(m_stream, m_step);
}

void Recorder::operation_begins(const at::RecordFunction& function, Operation& operation)
{
  const Pause pause;
  const Operator& kind = *operation.kind;
  m_current.name = function.name();
  m_current.layer = -1;
  m_current.shapes.clear();
  m_current.types.clear();
  const bool learns = at::GradMode::is_enabled();
  const bool looks = learns ? m_checking : kind.use != Use::other;
  each_tensor(function, [&](const at::Tensor& tensor) {
    if (!tensor.defined()) {
      return;
    }
    if (m_current.shapes.size() < k_most_operands) {
      m_current.shapes.push_back(tensor.sizes().vec());
      m_current.types.push_back(tensor.scalar_type());
    }
    if (looks && operation.layer == nullptr) {
      operation.layer = m_layers.of_tensor(tensor);
    }
  });
  m_current.layer = operation.layer == nullptr ? -1 : operation.layer->id;
  if (!m_given.empty()) {
    note_reading(function, operation);
  }
  if (!looks) {
    return;
  }
  if (!learns) {
    evaluation_goes_on(function, operation);
    return;
  }
  operation.training = true;
  if (kind.use == Use::loss) {
    tell_loss(kind, function);
  } else if (operation.layer != nullptr && kind.use != Use::other) {
    note_input(kind, function);
  }
}

void Recorder::evaluation_goes_on(const at::RecordFunction& function, Operation& operation)
{
  const Operator& kind = *operation.kind;
  if (operation.layer != nullptr) {
    m_evaluations.layer_called(operation.layer->id);
  }
  if (kind.use == Use::normalisation || kind.use == Use::dropout) {
    m_evaluations.mode_seen(is_training_mode(kind, function));
  }
  if (kind.use == Use::loss) {
    operation.prediction = tensor_at(function, 0);
    operation.target = tensor_at(function, 1);
  }
}

void Recorder::note_input(const Operator& kind, const at::RecordFunction& function)
{
  const at::Tensor input = tensor_at(function, kind.input);
  if (!m_seen.empty() || !m_input.empty() || !input.defined() || input.requires_grad()) {
    return;
  }
  if (input.dim() > 0) {
    m_samples = static_cast<uint32_t>(input.size(0));
  }
  m_input = facts_of_input(input);
}

void Recorder::tell_loss(const Operator& kind, const at::RecordFunction& function)
{
  const at::Tensor prediction = tensor_at(function, 0);
  const at::Tensor target = tensor_at(function, 1);
  if (m_loss_seen || !prediction.defined() || !target.defined() || !prediction.requires_grad()) {
    return;
  }
  m_loss_seen = true;
  if (kind.name == "cross_entropy" || kind.name == "nll_loss") {
    m_accuracy = accuracy_of(prediction, target);
  }
  Object event;
  event.whole("step", m_step)
      .text("kind", kind.name)
      .text("reduction", reduction_of(kind, function))
      .flag("evaluating", false)
      .raw("site", site_of(program_stack()))
      .raw("prediction", facts_of_prediction(prediction));
  if (tells_data(m_step)) {
    event.raw("target", facts_of_target(target, prediction.dim() > 1 ? prediction.size(1) : 0));
    if (!m_input.empty()) {
      event.raw("input", m_input);
    }
  }
  m_stream.event("loss", event);
}

void Recorder::operation_ended(const at::RecordFunction& function, Operation& operation)
{
  const Pause pause;
  m_current.name = nullptr;
  const Operator& kind = *operation.kind;
  const at::Tensor output = first_output(function);
  if (operation.given != nullptr && memory_of(output) != operation.given) {
    memory_read(operation.given);
  }
  if (!output.defined()) {
    return;
  }
  if (!operation.training) {
    if (operation.prediction.defined()) {
      m_evaluations.loss_seen(value_of(output),
                              accuracy_of(operation.prediction, operation.target));
    }
    return;
  }
  if (output.requires_grad() && output.grad_fn() != nullptr) {
    m_graphs.add(m_step, output.grad_fn(), program_stack());
  }
  if (operation.layer != nullptr) {
    m_layers.call(*operation.layer, kind.use != Use::other && kind.use != Use::loss);
  }
  if (kind.use == Use::activation && operation.layer == nullptr) {
    // What makes the data, or looks at the answers once the loss is known, is no part of the model.
    if (!output.requires_grad() || m_loss_seen) {
      return;
    }
    const Stack stack = program_stack();
    const int occurrence = m_occurrences[{kind.name, stack}]++;
    if (occurrence < k_most_occurrences && !stack.empty()) {
      take_output(m_layers.of_function(kind.name, stack, occurrence), kind, output);
    }
  } else if (operation.layer != nullptr && kind.use != Use::other && kind.use != Use::loss) {
    take_output(*operation.layer, kind, output);
  }
}

void Recorder::take_output(Layer& layer, const Operator& kind, const at::Tensor& output)
{
  m_layers.call(layer, true);
  if (!m_seen.insert(layer.id).second || !output.is_floating_point()) {
    return;
  }
  if (const Values values = values_of(output)) {
    Statistics statistics = statistics_of(values.data, values.size, values.count);
    if (!values.shape.empty()) {
      count_units(statistics, values.data, values.shape);
    }
    statistics.saturated = saturated_share(kind.name, values.data, values.size);
    m_taken.emplace_back(layer.id, Role::output, uint8_t{0}, statistics);
  }
}

void Recorder::before_backward(const at::Tensor& tensor)
{
  if (m_step == 0 && m_backwards == 0 && m_on) {
    m_thread = std::this_thread::get_id(); // whoever trains first
  }
  if (!listens()) {
    return;
  }
  const Pause pause;
  m_evaluations.tell(m_stream, m_step);
  if (m_optimizers.empty() && m_backwards_here > 0) {
    finish_step(k_unknown); // the weights were changed by hand
  }
  if (m_backwards_here == 0 && m_step > 0 && m_step <= k_clearing_step && gradients_left()) {
    if (m_left++ == 0) {
      m_backward = program_stack();
    }
  }
  ++m_backwards;
  ++m_backwards_here;
  const double value = value_of(tensor);
  if (!std::isnan(value) || tensor.numel() == 1) {
    m_losses.push_back(value);
  }
  if (m_checking && !m_loss_seen) {
    m_loss_seen = true;
    tell_own_loss();
  }
}

void Recorder::tell_own_loss()
{
  Object event;
  event.whole("step", m_step)
      .text("kind", "")
      .text("reduction", "")
      .flag("evaluating", false)
      .raw("site", site_of(program_stack()));
  if (!m_input.empty() && tells_data(m_step)) {
    event.raw("input", m_input);
  }
  m_stream.event("loss", event);
}

bool Recorder::gradients_left() const
{
  for (const std::unique_ptr<Layer>& layer : m_layers.all()) {
    for (const Parameter& parameter : layer->parameters) {
      const at::Tensor tensor = parameter.optimised ? parameter.lock() : at::Tensor();
      const Values values = tensor.defined() ? values_of(tensor.grad()) : Values();
      if (values && statistics_of(values.data, values.size, values.count).norm > 0) {
        return true;
      }
    }
  }
  return false;
}

void Recorder::before_step(torch::optim::Optimizer& optimizer)
{
  tell_optimizer(optimizer);
  m_evaluations.tell(m_stream, m_step);
  if (m_checking) {
    take_weights(optimizer);
  }
}

void Recorder::take_weights(torch::optim::Optimizer& optimizer)
{
  std::set<const void*> own;
  for (const torch::optim::OptimizerParamGroup& group : optimizer.param_groups()) {
    for (const at::Tensor& tensor : group.params()) {
      own.insert(tensor.unsafeGetTensorImpl());
    }
  }
  for (const std::unique_ptr<Layer>& layer : m_layers.all()) {
    for (size_t slot = 0; slot < std::min<size_t>(layer->parameters.size(), 255); ++slot) {
      const Parameter& parameter = layer->parameters[slot];
      const at::Tensor tensor = parameter.lock();
      if (!tensor.defined() ||
          (parameter.optimised && own.count(tensor.unsafeGetTensorImpl()) == 0)) {
        continue; // another optimizer's
      }
      const auto number = static_cast<uint8_t>(slot);
      if (const Values values = values_of(tensor)) {
        m_before[{layer->id, slot}].assign(values.data, values.data + values.size);
        m_taken.emplace_back(
            layer->id, Role::weight, number, statistics_of(values.data, values.size, values.count));
      }
      if (const Values values = values_of(tensor.grad())) {
        m_taken.emplace_back(layer->id,
                             Role::gradient,
                             number,
                             statistics_of(values.data, values.size, values.count));
      }
    }
  }
}

void Recorder::take_updates()
{
  for (const std::unique_ptr<Layer>& layer : m_layers.all()) {
    for (size_t slot = 0; slot < layer->parameters.size(); ++slot) {
      const auto before = m_before.find({layer->id, slot});
      if (before == m_before.end()) {
        continue;
      }
      const Values values = values_of(layer->parameters[slot].lock());
      std::vector<float>& change = before->second;
      if (values.size != change.size()) {
        continue;
      }
      for (size_t i = 0; i < change.size(); ++i) {
        change[i] = values.data[i] - change[i];
      }
      m_taken.emplace_back(layer->id,
                           Role::update,
                           static_cast<uint8_t>(slot),
                           statistics_of(change.data(), change.size(), values.count));
    }
  }
}

void Recorder::after_step(torch::optim::Optimizer& optimizer)
{
  finish_step(rate_of(optimizer));
}

void Recorder::finish_step(double rate)
{
  if (m_step == k_clearing_step) {
    tell_clearing(m_step + 1);
  }
  if (m_checking) {
    finish_check();
  }
  const double loss = m_losses.empty() ? k_unknown
                                       : std::accumulate(m_losses.begin(), m_losses.end(), 0.0) /
                                             static_cast<double>(m_losses.size());
  m_stream.step(m_step, loss, rate, m_accuracy, m_samples);
  ++m_step;
  begin_step();
}

void Recorder::finish_check()
{
  take_updates();
  m_layers.tell(m_stream, m_loaded);
  for (const auto& [layer, role, slot, statistics] : m_taken) {
    m_stream.tensor(m_step, layer, role, slot, statistics);
  }
  m_graphs.tell(m_stream, m_step);
  Object event;
  m_stream.event(
      "check", event.whole("step", m_step).whole("memory_kib", resident_kib()).whole("tensors", 0));
}

void Recorder::tell_clearing(uint32_t steps)
{
  Object values;
  values.whole("calls", m_clearings)
      .whole("steps", steps)
      .whole("backwards", m_backwards)
      .whole("left", m_left);
  if (m_left > 0) {
    values.raw("site", site_of(m_backward));
  }
  Object event;
  m_stream.event("experiment", event.text("name", "zero-grad").raw("values", values.done()));
}

// The end.

void Recorder::crashed(const std::string& exception, const std::string& message, const Stack& stack)
{
  const Pause pause;
  m_layers.tell(m_stream, m_loaded);
  std::vector<Line> lines = lines_of(stack);
  std::reverse(lines.begin(), lines.end());
  Object facts;
  if (m_current.name != nullptr) {
    facts
        .raw("inputs",
             array_of(m_current.shapes,
                      [](const std::vector<int64_t>& shape) {
                        return array_of(shape, [](int64_t n) { return std::to_string(n); });
                      }))
        .raw("dtypes", array_of(m_current.types, [](at::ScalarType type) {
               return json_text(type_name(type));
             }));
  }
  const std::string operation =
      m_current.name == nullptr ? std::string() : std::string(m_current.name);
  Object event;
  event.text("exception", exception)
      .text("message", message)
      .raw("frames", array_of(lines, [](const Line& line) { return site_of(line); }))
      .text("operation", operation.compare(0, 6, "aten::") == 0 ? operation.substr(6) : operation)
      .raw("facts", facts.done());
  if (m_current.layer >= 0) {
    event.whole("layer", m_current.layer);
  }
  m_stream.event("crash", event);
  m_stream.flush();
}

void Recorder::end(int status)
{
  if (!m_on || m_ended) {
    return;
  }
  m_ended = true;
  m_on = false;
  const Pause pause;
  if (m_step == 0) {
    m_layers.tell(m_stream, m_loaded);
  }
  m_evaluations.tell(m_stream, m_step);
  if (m_step > 0 && m_step <= k_clearing_step) {
    tell_clearing(m_step);
  }
  Object event;
  m_stream.event("end", event.whole("status", status).whole("steps", m_step));
  m_stream.flush();
}

} // namespace faultline_watch
