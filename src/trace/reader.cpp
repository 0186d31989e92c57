#include "trace/reader.hpp"

#include "base/bounded_json.hpp"
#include "trace/fields.hpp"

#include <bit>
#include <cstring>

namespace faultline::trace {

namespace {

constexpr std::string_view k_magic = "FLTRACE1";
// Events nest four levels deep, and a record of 1 MiB has no more values than this.
constexpr JsonLimits k_limits{.depth = 16, .values = 1 << 19};
constexpr size_t k_step_bytes = 36;
constexpr size_t k_tensor_bytes = 72;

static_assert(std::endian::native == std::endian::little, "records are little-endian");

// Takes numbers off the front of a packed record, whose length has been checked.
class Bytes {
public:
  explicit Bytes(std::string_view bytes) : m_bytes(bytes) {}

  template <typename T> T take()
  {
    T value;
    std::memcpy(&value, m_bytes.data(), sizeof value);
    m_bytes.remove_prefix(sizeof value);
    return value;
  }

private:
  std::string_view m_bytes;
};

Step step_of(std::string_view content)
{
  Bytes bytes(content);
  Step step;
  step.step = bytes.take<uint32_t>();
  step.epoch = bytes.take<uint32_t>();
  step.loss = bytes.take<double>();
  step.rate = bytes.take<double>();
  step.accuracy = bytes.take<float>();
  step.seconds = bytes.take<float>();
  step.samples = bytes.take<uint32_t>();
  return step;
}

std::optional<TensorStats> tensor_of(std::string_view content)
{
  Bytes bytes(content);
  TensorStats stats;
  stats.step = bytes.take<uint32_t>();
  const auto layer = bytes.take<uint32_t>();
  const auto role = bytes.take<uint8_t>();
  if (layer > static_cast<uint32_t>(std::numeric_limits<int>::max()) ||
      role > static_cast<uint8_t>(Role::update)) {
    return std::nullopt;
  }
  stats.layer = static_cast<int>(layer);
  stats.role = static_cast<Role>(role);
  stats.slot = bytes.take<uint8_t>();
  bytes.take<uint16_t>();
  stats.count = bytes.take<uint64_t>();
  stats.nan = bytes.take<uint64_t>();
  stats.inf = bytes.take<uint64_t>();
  stats.zeros = bytes.take<float>();
  stats.mean = bytes.take<float>();
  stats.std = bytes.take<float>();
  stats.min = bytes.take<float>();
  stats.max = bytes.take<float>();
  stats.norm = bytes.take<float>();
  stats.units = bytes.take<uint32_t>();
  stats.dead = bytes.take<uint32_t>();
  stats.saturated = bytes.take<float>();
  return stats;
}

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

std::optional<Event> step_of(Fields fields)
{
  Step step;
  fields.read("step", step.step)
      .read("epoch", step.epoch)
      .read("loss", step.loss)
      .read("rate", step.rate)
      .read("accuracy", step.accuracy)
      .read("seconds", step.seconds)
      .read("samples", step.samples);
  return if_good(fields, step);
}

std::optional<Event> tensor_of(Fields fields)
{
  TensorStats stats;
  uint32_t slot = 0;
  fields.read("step", stats.step)
      .read("layer", stats.layer)
      .read("role", stats.role)
      .read("slot", slot)
      .read("count", stats.count)
      .read("nan", stats.nan)
      .read("inf", stats.inf)
      .read("zeros", stats.zeros)
      .read("mean", stats.mean)
      .read("std", stats.std)
      .read("min", stats.min)
      .read("max", stats.max)
      .read("norm", stats.norm)
      .read("units", stats.units)
      .read("dead", stats.dead)
      .read("saturated", stats.saturated);
  if (slot > 255 || stats.layer < 0) {
    return std::nullopt;
  }
  stats.slot = static_cast<uint8_t>(slot);
  return if_good(fields, stats);
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
    {"step", [](Fields fields) { return step_of(fields); }},
    {"tensor", [](Fields fields) { return tensor_of(fields); }},
    {"check", check_of},
    {"evaluation", evaluation_of},
    {"experiment", experiment_of},
    {"observation", observation_of},
    {"nonfinite", non_finite_of},
    {"crash", crash_of},
    {"problem", problem_of},
    {"end", end_of},
};

Error not_a_trace(std::string why)
{
  return {ErrorKind::bad_data, "not a trace: " + std::move(why)};
}

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

Result<std::vector<Event>> Reader::feed(std::string_view bytes)
{
  m_buffer += bytes;
  std::vector<Event> events;
  FL_CHECK(find_form());
  size_t used = 0;
  if (m_form == Form::text) {
    used = read_lines(m_buffer, events);
  } else if (m_form == Form::binary) {
    Result<size_t> read = read_frames(m_buffer, events);
    if (!read) {
      m_form = Form::broken;
      m_buffer.clear();
      return std::move(read).error();
    }
    used = *read;
  }
  m_buffer.erase(0, used);
  return events;
}

std::vector<Event> Reader::finish()
{
  std::vector<Event> events;
  if (m_form == Form::text && !m_in_long_line) {
    read_line(m_buffer, events);
  } else if (!m_buffer.empty()) {
    ++m_skipped;
  }
  m_buffer.clear();
  return events;
}

Result<void> Reader::find_form()
{
  if (m_form == Form::broken) {
    m_buffer.clear();
    return not_a_trace("an earlier part of it could not be read");
  }
  if (m_form != Form::unknown || m_buffer.empty()) {
    return {};
  }
  if (m_buffer.starts_with(k_magic)) {
    m_form = Form::binary;
    m_buffer.erase(0, k_magic.size());
  } else if (m_buffer.find_first_not_of(" \t\r\n") == std::string::npos) {
    m_buffer.clear();
  } else if (m_buffer[m_buffer.find_first_not_of(" \t\r\n")] == '{') {
    m_form = Form::text;
  } else if (!k_magic.starts_with(m_buffer)) {
    m_form = Form::broken;
    m_buffer.clear();
    return not_a_trace("it starts with neither `FLTRACE1` nor a JSON object");
  }
  return {};
}

size_t Reader::read_lines(std::string_view rest, std::vector<Event>& events)
{
  size_t begin = 0;
  for (size_t end = 0; (end = rest.find('\n', begin)) != std::string_view::npos; begin = end + 1) {
    if (m_in_long_line) {
      m_in_long_line = false;
    } else {
      read_line(rest.substr(begin, end - begin), events);
    }
  }
  // A line without end is not kept: what is left of it is not read either.
  if (rest.size() - begin > k_longest_record) {
    m_skipped += m_in_long_line ? 0 : 1;
    m_in_long_line = true;
    begin = rest.size();
  }
  return begin;
}

Result<size_t> Reader::read_frames(std::string_view rest, std::vector<Event>& events)
{
  size_t begin = 0;
  while (rest.size() - begin >= sizeof(uint32_t)) {
    // Another run begins: a script has started a second program. No length looks like this.
    const std::string_view next = rest.substr(begin, k_magic.size());
    if (next == k_magic) {
      begin += k_magic.size();
      continue;
    }
    if (k_magic.starts_with(next)) {
      break; // the rest of it is still to come
    }
    const auto length = Bytes(next).take<uint32_t>();
    if (length > k_longest_record) {
      return not_a_trace(std::to_string(length) + " bytes are too many for a frame");
    }
    if (rest.size() - begin - sizeof length < length) {
      break;
    }
    read_frame(rest.substr(begin + sizeof length, length), events);
    begin += sizeof length + length;
  }
  return begin;
}

void Reader::read_json(std::string_view text, std::vector<Event>& events)
{
  if (text.size() <= k_longest_record) {
    const Result<Json> json = parse_bounded_json(text, k_limits);
    if (std::optional<Event> event = json ? event_of(*json) : std::nullopt) {
      events.push_back(*std::move(event));
      return;
    }
  }
  ++m_skipped;
}

void Reader::read_line(std::string_view line, std::vector<Event>& events)
{
  if (line.find_first_not_of(" \t\r") != std::string_view::npos) {
    read_json(line, events);
  }
}

void Reader::read_frame(std::string_view frame, std::vector<Event>& events)
{
  const char kind = frame.empty() ? '\0' : frame.front();
  const std::string_view content = frame.empty() ? frame : frame.substr(1);
  if (kind == 'J') {
    read_json(content, events);
  } else if (kind == 'S' && content.size() == k_step_bytes) {
    events.push_back(step_of(content));
  } else if (kind == 'T' && content.size() == k_tensor_bytes) {
    if (std::optional<TensorStats> stats = tensor_of(content)) {
      events.push_back(*stats);
    } else {
      ++m_skipped;
    }
  } else {
    ++m_skipped;
  }
}

} // namespace faultline::trace
