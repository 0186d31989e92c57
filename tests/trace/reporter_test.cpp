#include "trace/page.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace faultline::trace {

namespace {

void say_cause(const Trace& trace, Reporter& report)
{
  if (!trace.checks().empty()) {
    report.at(Site{"train.py", 10, "  loss = a / b"}, 5, "a cause");
  }
}

void say_hint(const Trace& trace, Reporter& report)
{
  if (!trace.checks().empty()) {
    report.at(Site{"train.py", 11, ""}, 5, "a hint").severity(Severity::info);
  }
}

void say_effects(const Trace& trace, Reporter& report)
{
  for (const uint32_t step : {4U, 5U, 6U}) {
    if (!trace.checks().empty()) {
      report.at(Site{"train.py", 20 + static_cast<int>(step), ""}, step, "an effect");
    }
  }
}

void say_layers(const Trace& trace, Reporter& report)
{
  for (const auto& [id, layer] : trace.layers()) {
    report.at(layer, 3, "a layer")
        .evidence("norm 0.5")
        .help("do this")
        .type("model/model-type-and-properties/wrong-weights-initialisation")
        .fix_pattern("neural-connection");
  }
}

void say_run(const Trace& trace, Reporter& report)
{
  if (!trace.checks().empty()) {
    report.at_run(1, "the run");
  }
}

Symptom symptom(std::string_view code,
                void (*check)(const Trace&, Reporter&),
                std::string_view explains = "")
{
  return {.code = code,
          .name = code,
          .summary = "",
          .type = "training/hyperparameters/suboptimal-learning-rate",
          .fix_pattern = "optimizer",
          .explains = explains,
          .check = check};
}

std::vector<std::string> lines_of(const std::vector<Detection>& detections)
{
  std::vector<std::string> lines;
  for (const Detection& detection : detections) {
    lines.push_back(format("{} {}:{} step {}",
                           detection.finding.rule,
                           detection.finding.place.file,
                           detection.finding.place.line,
                           detection.step));
  }
  return lines;
}

Layer make_layer(int id)
{
  Layer layer;
  layer.id = id;
  layer.name = "fc2";
  layer.kind = "Linear";
  layer.site = {"train.py", 41, "    self.fc2 = nn.Linear(32, 10)"};
  return layer;
}

} // namespace

TEST(Reporter, LeavesOutWhatIsExplainedFromItsStepOn)
{
  const Symptom cause = symptom("TR901", say_cause, "TR902 TR903");
  const Symptom effect = symptom("TR902", say_effects);
  for (const bool cause_first : {true, false}) {
    const Symptom* const symptoms[] = {cause_first ? &cause : &effect,
                                       cause_first ? &effect : &cause};
    Analyser analyser(symptoms);
    EXPECT_THAT(lines_of(analyser.add(Check())),
                testing::ElementsAre("TR902 train.py:24 step 4", "TR901 train.py:10 step 5"));
  }
}

TEST(Reporter, LetsHintsExplainNothing)
{
  const Symptom hint = symptom("TR901", say_hint, "TR902");
  const Symptom effect = symptom("TR902", say_effects);
  const Symptom* const symptoms[] = {&hint, &effect};
  Analyser analyser(symptoms);
  EXPECT_THAT(lines_of(analyser.add(Check())),
              testing::ElementsAre("TR902 train.py:24 step 4",
                                   "TR902 train.py:25 step 5",
                                   "TR902 train.py:26 step 6",
                                   "TR901 train.py:11 step 5"))
      << "and they come last";
}

TEST(Reporter, ReportsASymptomOnceForEachPlace)
{
  const Symptom layers = symptom("TR901", say_layers);
  const Symptom* const symptoms[] = {&layers};
  Analyser analyser(symptoms);
  EXPECT_TRUE(analyser.add(make_layer(0)).empty());
  EXPECT_EQ(analyser.add(Check()).size(), 1U);
  EXPECT_TRUE(analyser.add(Check()).empty());
  analyser.add(make_layer(1)); // made by the same line
  EXPECT_EQ(analyser.add(Check()).size(), 1U);
  EXPECT_TRUE(analyser.finish().empty());
}

TEST(Reporter, SaysWhereALayerWasMadeAndWhatItMeans)
{
  const Symptom layers = symptom("TR901", say_layers);
  const Symptom* const symptoms[] = {&layers};
  Analyser analyser(symptoms);
  analyser.add(make_layer(7));
  const std::vector<Detection> detections = analyser.finish();
  ASSERT_EQ(detections.size(), 1U);
  EXPECT_EQ(detections[0].layer, 7);
  const source::Finding& finding = detections[0].finding;
  EXPECT_EQ(finding.place, (source::Place{"train.py", 41, 5, 41, 33}));
  EXPECT_EQ(finding.label, "self.fc2 = nn.Linear(32, 10)");
  EXPECT_EQ(finding.message, "a layer");
  ASSERT_EQ(finding.notes.size(), 2U);
  EXPECT_EQ(finding.notes[0].text, "step 3, layer `fc2` (Linear)");
  EXPECT_EQ(finding.notes[1].text, "norm 0.5");
  EXPECT_EQ(finding.help, "do this");
  EXPECT_EQ(finding.type, "model/model-type-and-properties/wrong-weights-initialisation");
  EXPECT_EQ(finding.fix_pattern, "neural-connection");
}

TEST(Reporter, PlacesARunAtItsLossElseItsOptimizerElseItsScript)
{
  const Symptom run = symptom("TR901", say_run);
  const Symptom* const symptoms[] = {&run};
  const auto place_after = [&symptoms](std::vector<Event> events) {
    Analyser analyser(symptoms);
    for (Event& event : events) {
      analyser.add(std::move(event));
    }
    return lines_of(analyser.add(Check()));
  };
  Start start;
  start.command = {"python3", "train.py"};
  Optimizer optimizer;
  optimizer.site = {"train.py", 30, ""};
  LossUse loss;
  loss.site = {"loop.py", 40, ""};
  EXPECT_THAT(place_after({start, optimizer, loss}),
              testing::ElementsAre("TR901 loop.py:40 step 1"));
  EXPECT_THAT(place_after({start, optimizer}), testing::ElementsAre("TR901 train.py:30 step 1"));
  EXPECT_THAT(place_after({start}), testing::ElementsAre("TR901 train.py:1 step 1"));
}

TEST(Analyser, LooksLessOftenAtALongRun)
{
  static size_t looks = 0;
  const Symptom counter = symptom("TR901", [](const Trace&, Reporter&) { ++looks; });
  const Symptom* const symptoms[] = {&counter};
  Analyser analyser(symptoms);
  for (uint32_t step = 0; step < 20; ++step) {
    analyser.add(Check{step});
  }
  EXPECT_EQ(looks, 20U);
  for (uint32_t step = 20; step < 10'000; ++step) {
    analyser.add(Check{step});
  }
  EXPECT_LT(looks, 300U);
}

TEST(Analyser, EndsARunThatBrokeOff)
{
  Analyser analyser;
  analyser.add(Step{.step = 9});
  analyser.finish();
  ASSERT_TRUE(analyser.trace().end());
  EXPECT_EQ(analyser.trace().end()->status, -1);
  EXPECT_EQ(analyser.trace().end()->steps, 10U);
}

TEST(Analyser, FindsTheCauseAndNotWhatFollowsFromIt)
{
  // Labels 0 to 2 for one sigmoid unit: the loss is negative because of it.
  const std::vector<Detection> detections = detections_in(
      R"({"event": "layer", "id": 0, "name": "10", "kind": "Linear", "site": {"file": "train.py", "line": 40}, "called": true, "order": 0}
{"event": "loss", "step": 0, "kind": "binary_cross_entropy", "site": {"file": "train.py", "line": 64}, "prediction": {"shape": [16], "min": 0.4, "max": 0.6}, "target": {"shape": [16], "min": 0, "max": 2, "fraction": 0}}
{"event": "step", "step": 0, "loss": -0.3}
{"event": "step", "step": 1, "loss": -0.9}
{"event": "check", "step": 1}
{"event": "end", "status": 0, "steps": 2}
)",
      all_symptoms());
  ASSERT_EQ(detections.size(), 1U);
  EXPECT_EQ(detections[0].finding.rule, "TR052");
  EXPECT_EQ(detections[0].finding.place.line, 40U);
}

} // namespace faultline::trace
