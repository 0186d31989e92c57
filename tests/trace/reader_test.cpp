#include "trace/reader.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

namespace faultline::trace {

namespace {

template <typename T> void put(std::string& bytes, T value)
{
  char raw[sizeof value];
  std::memcpy(raw, &value, sizeof value);
  bytes.append(raw, sizeof value);
}

std::string frame(char kind, const std::string& content)
{
  std::string bytes;
  put(bytes, static_cast<uint32_t>(content.size() + 1));
  return bytes + kind + content;
}

std::string packed_step(uint32_t step, double loss)
{
  std::string bytes;
  put(bytes, step);
  put(bytes, uint32_t{2});
  put(bytes, loss);
  put(bytes, 0.1);
  put(bytes, std::nanf(""));
  put(bytes, 1.5F);
  put(bytes, uint32_t{32});
  return bytes;
}

std::string packed_tensor(uint32_t layer, uint8_t role)
{
  std::string bytes;
  put(bytes, uint32_t{7});
  put(bytes, layer);
  put(bytes, role);
  put(bytes, uint8_t{1});
  put(bytes, uint16_t{0});
  put(bytes, uint64_t{100});
  put(bytes, uint64_t{2});
  put(bytes, uint64_t{3});
  for (const float value : {0.5F, 0.25F, 1.0F, -2.0F, 2.0F, 10.0F}) {
    put(bytes, value);
  }
  put(bytes, uint32_t{16});
  put(bytes, uint32_t{4});
  put(bytes, 0.75F);
  return bytes;
}

std::vector<Event> read(std::string_view bytes, size_t* skipped = nullptr)
{
  Reader reader;
  Result<std::vector<Event>> events = reader.feed(bytes);
  EXPECT_TRUE(events) << events.error().line();
  std::vector<Event> all = events ? *std::move(events) : std::vector<Event>();
  for (Event& event : reader.finish()) {
    all.push_back(std::move(event));
  }
  if (skipped != nullptr) {
    *skipped = reader.skipped();
  }
  return all;
}

size_t skipped_in(std::string_view bytes)
{
  size_t skipped = 0;
  EXPECT_TRUE(read(bytes, &skipped).empty());
  return skipped;
}

// One event of each kind.
const std::string k_text =
    R"json({"event": "start", "framework": "torch", "version": "1.13.1", "command": ["python3", "train.py"], "every": 50}
{"event": "layer", "id": 3, "name": "fc2", "kind": "Linear", "site": {"file": "train.py", "line": 41, "text": "self.fc2 = nn.Linear(32, 10)"}, "called": true, "order": 2, "parameters": ["weight", "bias"], "optimised": [true, false], "trainable": [true, true], "settings": {"in_features": 32}}
{"event": "optimizer", "kind": "Adam", "site": {"file": "train.py", "line": 50}, "settings": {"lr": 0.001}}
{"event": "loss", "step": 4, "kind": "cross_entropy", "reduction": "mean", "evaluating": true, "prediction": {"shape": [32, 10], "dtype": "float32", "min": "-inf", "max": 2, "row_sum_min": 0.5}, "target": {"shape": [32], "class_counts": [3, 4], "distinct": 2}}
{"event": "step", "step": 4, "epoch": 1, "loss": "nan", "rate": 0.001, "samples": 32, "seconds": 1.5}
{"event": "tensor", "step": 4, "layer": 3, "role": "gradient", "slot": 1, "count": 10, "norm": 0.5}
{"event": "check", "step": 4, "memory_kib": 1000, "tensors": 12}
{"event": "evaluation", "step": 5, "loss": 0.4, "batches": 3, "training_mode": true}
{"event": "experiment", "name": "mixing", "values": {"largest_change": 0.1}}
{"event": "observation", "name": "state-kept", "step": 4, "site": {"file": "a.py", "line": 9}, "values": {"calls": 64}}
{"event": "nonfinite", "step": 6, "backward": true, "operation": "log", "operands": [{"shape": [2], "min": 0, "max": 1}], "result": {"shape": [2], "inf": 1}}
{"event": "crash", "exception": "RuntimeError", "message": "no", "frames": [{"file": "a.py", "line": 1}], "operation": "linear"}
{"event": "end", "status": 1, "steps": 6}
)json";

// What can be seen of an event from outside, to compare two readings.
std::string fingerprint(const std::vector<Event>& events)
{
  std::string text;
  for (const Event& event : events) {
    text += std::to_string(event.index()) + " ";
  }
  return text;
}

} // namespace

TEST(Reader, ReadsEveryEventOfTheTextForm)
{
  const std::vector<Event> events = read(k_text);
  ASSERT_EQ(events.size(), 13U);
  const Start& start = std::get<Start>(events[0]);
  EXPECT_EQ(start.framework, "torch");
  EXPECT_THAT(start.command, testing::ElementsAre("python3", "train.py"));
  const Layer& layer = std::get<Layer>(events[1]);
  EXPECT_EQ(layer.site.line, 41);
  EXPECT_EQ(layer.site.text, "self.fc2 = nn.Linear(32, 10)");
  EXPECT_THAT(layer.optimised, testing::ElementsAre(true, false));
  EXPECT_EQ(layer.settings["in_features"], 32);
  EXPECT_EQ(std::get<Optimizer>(events[2]).settings["lr"], 0.001);
  const LossUse& loss = std::get<LossUse>(events[3]);
  EXPECT_TRUE(loss.evaluating);
  EXPECT_FALSE(loss.input);
  EXPECT_EQ(loss.prediction->min, -std::numeric_limits<double>::infinity());
  EXPECT_EQ(loss.prediction->row_sum_min, 0.5);
  EXPECT_FALSE(loss.prediction->row_sum_max);
  EXPECT_THAT(loss.target->class_counts, testing::ElementsAre(3, 4));
  const Step& step = std::get<Step>(events[4]);
  EXPECT_TRUE(std::isnan(step.loss));
  EXPECT_TRUE(std::isnan(step.accuracy));
  EXPECT_EQ(step.samples, 32U);
  const TensorStats& stats = std::get<TensorStats>(events[5]);
  EXPECT_EQ(stats.role, Role::gradient);
  EXPECT_EQ(stats.slot, 1);
  EXPECT_EQ(stats.norm, 0.5);
  EXPECT_EQ(std::get<Check>(events[6]).tensors, 12U);
  EXPECT_TRUE(std::get<Evaluation>(events[7]).training_mode);
  EXPECT_EQ(std::get<Experiment>(events[8]).values["largest_change"], 0.1);
  EXPECT_EQ(std::get<Observation>(events[9]).site.line, 9);
  EXPECT_EQ(std::get<Observation>(events[9]).values["calls"], 64);
  EXPECT_EQ(std::get<NonFinite>(events[10]).operands.size(), 1U);
  EXPECT_EQ(std::get<Crash>(events[11]).frames.front().file, "a.py");
  EXPECT_EQ(std::get<End>(events[12]).status, 1);
}

TEST(Reader, ReadsEveryFrameOfTheBinaryForm)
{
  const std::string bytes = "FLTRACE1" + frame('J', R"({"event": "check", "step": 3})") +
                            frame('S', packed_step(5, 0.25)) + frame('T', packed_tensor(9, 3)) +
                            frame('Q', "later");
  size_t skipped = 0;
  const std::vector<Event> events = read(bytes, &skipped);
  ASSERT_EQ(events.size(), 3U);
  EXPECT_EQ(std::get<Check>(events[0]).step, 3U);
  const Step& step = std::get<Step>(events[1]);
  EXPECT_EQ(step.step, 5U);
  EXPECT_EQ(step.epoch, 2U);
  EXPECT_EQ(step.loss, 0.25);
  EXPECT_EQ(step.rate, 0.1);
  EXPECT_TRUE(std::isnan(step.accuracy));
  EXPECT_EQ(step.seconds, 1.5);
  EXPECT_EQ(step.samples, 32U);
  const TensorStats& stats = std::get<TensorStats>(events[2]);
  EXPECT_EQ(stats.layer, 9);
  EXPECT_EQ(stats.role, Role::gradient);
  EXPECT_EQ(stats.slot, 1);
  EXPECT_EQ(stats.count, 100U);
  EXPECT_EQ(stats.nan, 2U);
  EXPECT_EQ(stats.inf, 3U);
  EXPECT_EQ(stats.zeros, 0.5);
  EXPECT_EQ(stats.min, -2);
  EXPECT_EQ(stats.norm, 10);
  EXPECT_EQ(stats.units, 16U);
  EXPECT_EQ(stats.dead, 4U);
  EXPECT_EQ(stats.saturated, 0.75);
  EXPECT_EQ(skipped, 1U);
}

TEST(Reader, GivesTheSameEventsWhereverTheStreamIsCut)
{
  const std::string binary = "FLTRACE1" + frame('S', packed_step(1, 1.0)) +
                             frame('T', packed_tensor(1, 0)) +
                             frame('J', R"({"event": "end", "status": 0})");
  for (const std::string& bytes : {k_text, binary}) {
    const std::string whole = fingerprint(read(bytes));
    for (size_t cut = 0; cut <= bytes.size(); ++cut) {
      Reader reader;
      std::vector<Event> events;
      for (const std::string_view part :
           {std::string_view(bytes).substr(0, cut), std::string_view(bytes).substr(cut)}) {
        Result<std::vector<Event>> more = reader.feed(part);
        ASSERT_TRUE(more) << "cut at " << cut;
        for (Event& event : *more) {
          events.push_back(std::move(event));
        }
      }
      ASSERT_EQ(fingerprint(events), whole) << "cut at " << cut;
      ASSERT_EQ(reader.skipped(), 0U) << "cut at " << cut;
      ASSERT_EQ(reader.pending(), 0U) << "cut at " << cut;
    }
  }
}

TEST(Reader, ReadsOnWhenAnotherRunBegins)
{
  const std::string run = "FLTRACE1" + frame('J', R"({"event": "start", "framework": "torch"})") +
                          frame('S', packed_step(0, 1.0));
  const std::string bytes = run + run;
  for (size_t cut = 0; cut <= bytes.size(); ++cut) {
    Reader reader;
    Result<std::vector<Event>> first = reader.feed(std::string_view(bytes).substr(0, cut));
    Result<std::vector<Event>> second = reader.feed(std::string_view(bytes).substr(cut));
    ASSERT_TRUE(first) << cut;
    ASSERT_TRUE(second) << cut;
    EXPECT_EQ(first->size() + second->size(), 4U) << cut;
    EXPECT_EQ(reader.skipped(), 0U) << cut;
  }
}

TEST(Reader, WaitsForTheRestOfARecord)
{
  const std::string bytes = "FLTRACE1" + frame('S', packed_step(1, 1.0));
  Reader reader;
  size_t events = 0;
  for (const char byte : bytes) {
    Result<std::vector<Event>> more = reader.feed(std::string_view(&byte, 1));
    ASSERT_TRUE(more);
    events += more->size();
  }
  EXPECT_EQ(events, 1U);
}

TEST(Reader, NeedsNoLineFeedAtTheEnd)
{
  const std::vector<Event> events = read(R"({"event": "end", "status": 3})");
  ASSERT_EQ(events.size(), 1U);
  EXPECT_EQ(std::get<End>(events[0]).status, 3);
}

TEST(Reader, SkipsAndCountsWhatMakesNoSense)
{
  EXPECT_EQ(skipped_in("{\n"), 1U);
  EXPECT_EQ(skipped_in("{}\n{\"event\": 3}\n{\"event\": \"party\"}\n"), 3U);
  EXPECT_EQ(skipped_in("{\"event\": \"step\", \"step\": \"three\"}\n"), 1U);
  EXPECT_EQ(skipped_in("{\"event\": \"step\", \"step\": -1}\n"), 1U);
  EXPECT_EQ(skipped_in("{\"event\": \"step\", \"step\": 1e300}\n"), 1U);
  EXPECT_EQ(skipped_in("{\"event\": \"step\", \"step\": 1.5}\n"), 1U);
  EXPECT_EQ(skipped_in("{\"event\": \"step\", \"loss\": \"infinity\"}\n"), 1U);
  EXPECT_EQ(skipped_in("{\"event\": \"step\", \"loss\": [1]}\n"), 1U);
  EXPECT_EQ(skipped_in("{\"event\": \"layer\", \"id\": -4}\n"), 1U);
  EXPECT_EQ(skipped_in("{\"event\": \"layer\", \"site\": 3}\n"), 1U);
  EXPECT_EQ(skipped_in("{\"event\": \"layer\", \"settings\": []}\n"), 1U);
  EXPECT_EQ(skipped_in("{\"event\": \"layer\", \"optimised\": [1]}\n"), 1U);
  EXPECT_EQ(skipped_in("{\"event\": \"tensor\", \"role\": \"colour\"}\n"), 1U);
  EXPECT_EQ(skipped_in("{\"event\": \"tensor\", \"slot\": 256}\n"), 1U);
  EXPECT_EQ(skipped_in("{\"event\": \"loss\", \"target\": {\"shape\": [\"a\"]}}\n"), 1U);
  EXPECT_EQ(skipped_in("{\"event\": \"crash\", \"frames\": [3]}\n"), 1U);
  EXPECT_EQ(skipped_in("FLTRACE1" + frame('S', "short")), 1U);
  EXPECT_EQ(skipped_in("FLTRACE1" + frame('T', packed_tensor(9, 5))), 1U);
  EXPECT_EQ(skipped_in("FLTRACE1" + frame('T', packed_tensor(0xFFFFFFFF, 0))), 1U);
  EXPECT_EQ(skipped_in(std::string("FLTRACE1") + std::string(4, '\0')), 1U);
  EXPECT_EQ(skipped_in("FLTRACE1" + frame('J', "not json")), 1U);
  EXPECT_EQ(skipped_in("FLTRACE1" + frame('S', packed_step(1, 1.0)).substr(0, 20)), 1U);
}

TEST(Reader, ReadsOnAfterWhatMakesNoSense)
{
  size_t skipped = 0;
  EXPECT_EQ(read("{\"event\"\n\xff\xfe\n{\"event\": \"end\"}\n", &skipped).size(), 1U);
  EXPECT_EQ(skipped, 2U);
}

TEST(Reader, RefusesDeepAndLongRecords)
{
  EXPECT_EQ(skipped_in("{\"event\": \"layer\", \"settings\": {\"a\": " + std::string(100'000, '[') +
                       std::string(100'000, ']') + "}}\n"),
            1U);
  EXPECT_EQ(skipped_in("{\"event\": \"" + std::string(2 << 20, 'x') + "\"}\n"), 1U);
  // Brackets in strings do not nest.
  EXPECT_EQ(
      read("{\"event\": \"crash\", \"message\": \"" + std::string(100, '[') + "\\\"[[\"}\n").size(),
      1U);
}

TEST(Reader, KeepsNoMoreThanARecord)
{
  Reader reader;
  ASSERT_TRUE(reader.feed("{"));
  const std::string junk(1 << 16, 'x');
  for (int i = 0; i < 100; ++i) {
    ASSERT_TRUE(reader.feed(junk));
    ASSERT_LE(reader.pending(), (size_t{1} << 20) + junk.size());
  }
  const Result<std::vector<Event>> events = reader.feed("\n{\"event\": \"end\"}\n");
  ASSERT_TRUE(events);
  EXPECT_EQ(events->size(), 1U);
  EXPECT_EQ(reader.skipped(), 1U);
}

TEST(Reader, EndsInAnErrorIfTheStreamIsNone)
{
  const auto error_of = [](const std::string& bytes) {
    Reader reader;
    const Result<std::vector<Event>> events = reader.feed(bytes);
    return events ? "" : events.error().line();
  };
  const std::string neither = "not a trace: it starts with neither `FLTRACE1` nor a JSON object";
  EXPECT_EQ(error_of("hello"), neither);
  EXPECT_EQ(error_of("FLTRACE2"), neither);
  EXPECT_EQ(error_of("FLTRACE1\xff\xff\xff\x7f"),
            "not a trace: 2147483647 bytes are too many for a frame");
  EXPECT_EQ(error_of(""), "");
  EXPECT_EQ(error_of("FLTR"), "");
  Reader reader;
  EXPECT_FALSE(reader.feed("junk"));
  EXPECT_FALSE(reader.feed("{\"event\": \"end\"}\n")) << "once broken, always broken";
}

TEST(Reader, CleansTextForTerminals)
{
  const std::vector<Event> events =
      read("{\"event\": \"crash\", \"message\": \"a\\u001b[31mb\\nc\", \"exception\": \"" +
           std::string(10'000, 'x') + "\"}\n");
  ASSERT_EQ(events.size(), 1U);
  EXPECT_EQ(std::get<Crash>(events[0]).message, "a [31mb c");
  EXPECT_LE(std::get<Crash>(events[0]).exception.size(), 4096U);
}

} // namespace faultline::trace
