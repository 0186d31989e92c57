#include "trace/events.hpp"

#include "trace/fields.hpp"
#include "trace/records.hpp"

#include <limits>
#include <type_traits>

namespace faultline::trace {

namespace {

template <typename T> std::optional<Event> if_good(const Fields& fields, T event)
{
  return fields.good() ? std::optional<Event>(std::move(event)) : std::nullopt;
}

std::optional<Event> start_of(Fields fields)
{
  Start start;
  fields.read("framework", start.framework)
      .read("version", start.version)
      .read("command", start.command)
      .read("every", start.every);
  return if_good(fields, std::move(start));
}

std::optional<Event> layer_of(Fields fields)
{
  Layer layer;
  fields.read("id", layer.id)
      .read("name", layer.name)
      .read("kind", layer.kind)
      .read("site", layer.site)
      .read("called", layer.called)
      .read("order", layer.order)
      .read("parameters", layer.parameters)
      .read("optimised", layer.optimised)
      .read("trainable", layer.trainable)
      .read_object("settings", layer.settings);
  if (layer.id < 0) {
    return std::nullopt;
  }
  return if_good(fields, std::move(layer));
}

std::optional<Event> optimizer_of(Fields fields)
{
  Optimizer optimizer;
  fields.read("kind", optimizer.kind)
      .read("site", optimizer.site)
      .read_object("settings", optimizer.settings);
  return if_good(fields, std::move(optimizer));
}

std::optional<Event> loss_of(Fields fields)
{
  LossUse use;
  fields.read("step", use.step)
      .read("kind", use.kind)
      .read("site", use.site)
      .read("reduction", use.reduction)
      .read("evaluating", use.evaluating)
      .read("input", use.input)
      .read("prediction", use.prediction)
      .read("target", use.target);
  return if_good(fields, std::move(use));
}

// The names of a record's fields, of which the text form may leave some out.
class Named {
public:
  explicit Named(Fields fields) : m_fields(fields) {}

  template <typename Packed, typename T> void field(std::string_view key, T& value)
  {
    if constexpr (std::is_same_v<T, uint8_t>) {
      uint32_t wide = value;
      m_fields.read(key, wide);
      m_fits = m_fits && wide <= std::numeric_limits<T>::max();
      value = static_cast<T>(wide);
    } else {
      m_fields.read(key, value);
    }
  }
  template <typename Packed> void padding() {}
  bool good() const { return m_fields.good() && m_fits; }

private:
  Fields m_fields;
  bool m_fits = true;
};

template <typename T> std::optional<T> named(Fields fields)
{
  T event;
  Named in(fields);
  read_fields(in, event);
  return in.good() ? std::optional(event) : std::nullopt;
}

std::optional<Event> step_of(Fields fields)
{
  return named<Step>(fields);
}

std::optional<Event> tensor_of(Fields fields)
{
  const std::optional<TensorStats> stats = named<TensorStats>(fields);
  return stats && stats->layer >= 0 ? std::optional<Event>(*stats) : std::nullopt;
}

std::optional<Event> check_of(Fields fields)
{
  Check check;
  fields.read("step", check.step)
      .read("memory_kib", check.memory_kib)
      .read("tensors", check.tensors);
  return if_good(fields, check);
}

std::optional<Event> evaluation_of(Fields fields)
{
  Evaluation evaluation;
  fields.read("step", evaluation.step)
      .read("loss", evaluation.loss)
      .read("accuracy", evaluation.accuracy)
      .read("batches", evaluation.batches)
      .read("training_mode", evaluation.training_mode)
      .read("site", evaluation.site);
  return if_good(fields, std::move(evaluation));
}

std::optional<Event> experiment_of(Fields fields)
{
  Experiment experiment;
  fields.read("name", experiment.name).read_object("values", experiment.values);
  return if_good(fields, std::move(experiment));
}

std::optional<Event> observation_of(Fields fields)
{
  Observation observation;
  fields.read("name", observation.name)
      .read("step", observation.step)
      .read("site", observation.site)
      .read_object("values", observation.values);
  return if_good(fields, std::move(observation));
}

std::optional<Event> non_finite_of(Fields fields)
{
  NonFinite found;
  fields.read("step", found.step)
      .read("backward", found.backward)
      .read("operation", found.operation)
      .read("site", found.site)
      .read("layer", found.layer)
      .read("operands", found.operands)
      .read("result", found.result);
  return if_good(fields, std::move(found));
}

std::optional<Event> crash_of(Fields fields)
{
  Crash crash;
  fields.read("exception", crash.exception)
      .read("message", crash.message)
      .read("frames", crash.frames)
      .read("layer", crash.layer)
      .read("operation", crash.operation)
      .read_object("facts", crash.facts);
  return if_good(fields, std::move(crash));
}

std::optional<Event> problem_of(Fields fields)
{
  Problem problem;
  fields.read("message", problem.message);
  return if_good(fields, std::move(problem));
}

std::optional<Event> end_of(Fields fields)
{
  End end;
  fields.read("status", end.status).read("steps", end.steps);
  return if_good(fields, end);
}

struct Kind {
  std::string_view name;
  std::optional<Event> (*read)(Fields fields);
};

constexpr Kind k_kinds[] = {
    {"start", start_of},
    {"layer", layer_of},
    {"optimizer", optimizer_of},
    {"loss", loss_of},
    {"step", step_of},
    {"tensor", tensor_of},
    {"check", check_of},
    {"evaluation", evaluation_of},
    {"experiment", experiment_of},
    {"observation", observation_of},
    {"nonfinite", non_finite_of},
    {"crash", crash_of},
    {"problem", problem_of},
    {"end", end_of},
};

} // namespace

std::optional<Event> event_of(const Json& json)
{
  std::string name;
  if (!Fields(json).read("event", name).good()) {
    return std::nullopt;
  }
  for (const Kind& kind : k_kinds) {
    if (kind.name == name) {
      return kind.read(Fields(json));
    }
  }
  return std::nullopt;
}

} // namespace faultline::trace
