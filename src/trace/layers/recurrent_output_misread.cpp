#include "trace/facts.hpp"
#include "trace/symptom.hpp"

namespace faultline::trace {

namespace {

bool is_only(const Json& numbers, int64_t value)
{
  return numbers.is_array() && numbers.size() == 1 && numbers[0].is_number_integer() &&
         numbers[0] == value;
}

bool flag(const Json& values, std::string_view key)
{
  const auto found = values.find(std::string(key));
  return found != values.end() && found->is_boolean() && found->get<bool>();
}

Json list(const Json& values, std::string_view key)
{
  const auto found = values.find(std::string(key));
  return found != values.end() && found->is_array() ? *found : Json::array();
}

void check_read(const Observation& read, Reporter& report)
{
  const Json& values = read.values;
  const double steps = setting(values, "steps"), batch = setting(values, "batch");
  const double layers = setting(values, "num_layers");
  const Json times = list(values, "times"), state_layers = list(values, "state_layers");
  const bool reads_state = flag(values, "state_read");
  if (is_only(times, 0) && steps > 1 && !reads_state && !flag(values, "bidirectional")) {
    report.at(read, format("the output is read after the first of {} time steps", number(steps)))
        .evidence("the gradient reaches only time step 0 of the recurrent layer's output")
        .help("read the last step, or the layer's final state");
  } else if (setting(values, "samples") == 1 && batch >= 4 && steps > 1 &&
             static_cast<double>(times.size()) == steps) {
    report
        .at(read,
            format("the recurrent layer's output is read for only one of {} sequences",
                   number(batch)))
        .evidence("the gradient reaches all time steps of a single sample")
        .help("the axes are (time, batch, features) unless `batch_first=True`");
  } else if (times.empty() && reads_state && layers > 1 && is_only(state_layers, 0)) {
    report
        .at(read,
            format("only the state of the first of {} stacked layers is read", number(layers)))
        .evidence("the gradient reaches only the final state of layer 0")
        .help("the last layer's state is the last one: `h[-1]`");
  }
}

// One layer behind the other, and of the first one's steps the second is given one.
void check_pair(const Observation& first, const Observation& second, Reporter& report)
{
  const double steps = setting(first.values, "steps");
  const bool is_next = setting(second.values, "layer") > setting(first.values, "layer");
  if (is_next && steps > 1 && setting(second.values, "steps") == 1 &&
      list(first.values, "times").size() == 1) {
    report
        .at(first,
            format("the next recurrent layer is given only one of {} time steps", number(steps)))
        .evidence("it sees sequences of length 1")
        .help("pass on the output of all steps, and select one step only after the last layer");
  }
}

} // namespace

static void check(const Trace& trace, Reporter& report)
{
  const Observation* before = nullptr;
  for (const Observation* use : observations_of(trace, "recurrent-read")) {
    check_read(*use, report);
    if (before != nullptr && before->step == use->step) {
      check_pair(*before, *use, report);
    }
    before = use;
  }
}

extern const Symptom recurrent_output_misread{
    .name = "recurrent-output-misread",
    .summary = "Finds recurrent layers of which only the first step, layer or sample is read",
    .type = "model/model-type-and-properties/wrong-network-architecture",
    .fix_pattern = "neural-connection",
    .severity = Severity::warning,
    .confidence = Confidence::high,
    .explains = "TR018 TR046 TR009",
    .check = check,
};

} // namespace faultline::trace
