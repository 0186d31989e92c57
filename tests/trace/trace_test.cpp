#include "trace/facts.hpp"
#include "trace/trace.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace faultline::trace {

namespace {

Layer make_layer(int id, int order, std::string kind = "Linear")
{
  Layer layer;
  layer.id = id;
  layer.order = order;
  layer.called = order >= 0;
  layer.kind = std::move(kind);
  return layer;
}

TensorStats stats_of(uint32_t step, int layer, Role role, double norm = 0)
{
  TensorStats stats;
  stats.step = step;
  stats.layer = layer;
  stats.role = role;
  stats.norm = norm;
  stats.count = 10;
  return stats;
}

Step make_step(uint32_t number, double loss, double accuracy = k_unknown)
{
  Step step;
  step.step = number;
  step.loss = loss;
  step.accuracy = accuracy;
  return step;
}

} // namespace

TEST(Trace, KeepsWhatWasSaidLastAboutALayer)
{
  Trace trace;
  trace.add(make_layer(2, -1));
  trace.add(make_layer(1, 5));
  trace.add(make_layer(2, 3));
  EXPECT_EQ(trace.layers().size(), 2U);
  ASSERT_EQ(trace.layers_in_order().size(), 2U);
  EXPECT_EQ(trace.layers_in_order()[0]->id, 2);
  EXPECT_EQ(trace.layers_in_order()[1]->id, 1);
  EXPECT_EQ(trace.layer(7), nullptr);
}

TEST(Trace, SortsRecordsIntoSeries)
{
  Trace trace;
  trace.add(stats_of(0, 1, Role::weight));
  trace.add(stats_of(0, 1, Role::gradient));
  trace.add(stats_of(5, 1, Role::weight));
  EXPECT_EQ(trace.series(1, Role::weight).size(), 2U);
  EXPECT_EQ(trace.series(1, Role::weight).back().step, 5U);
  EXPECT_EQ(trace.series(1, Role::gradient).size(), 1U);
  EXPECT_TRUE(trace.series(1, Role::gradient, 1).empty());
  EXPECT_TRUE(trace.series(9, Role::output).empty());
}

TEST(Trace, TakesAnOptimizerSaidAgainForTheSame)
{
  Trace trace;
  Optimizer optimizer;
  optimizer.kind = "Adam";
  optimizer.site = {"train.py", 3, ""};
  trace.add(optimizer);
  optimizer.settings["lr"] = 0.1;
  trace.add(optimizer);
  ASSERT_EQ(trace.optimizers().size(), 1U);
  EXPECT_EQ(trace.optimizers()[0].settings["lr"], 0.1);
  optimizer.site.line = 4;
  trace.add(optimizer);
  EXPECT_EQ(trace.optimizers().size(), 2U);
}

TEST(Trace, ThinsOutALongRunButKeepsItsEnds)
{
  Trace trace;
  const uint32_t steps = (1U << 20) + 1000;
  for (uint32_t step = 0; step < steps; ++step) {
    trace.add(make_step(step, 1.0));
  }
  EXPECT_LE(trace.steps().size(), size_t{1} << 20);
  EXPECT_GE(trace.steps().size(), size_t{1} << 19);
  EXPECT_EQ(trace.steps().front().step, 0U);
  EXPECT_EQ(trace.steps().back().step, steps - 1);
  EXPECT_EQ(trace.steps()[trace.steps().size() - 2].step, steps - 2);
}

TEST(Trace, HoldsAHostileNumberOfLayersAndEvents)
{
  Trace trace;
  for (int id = 0; id < 100'000; ++id) {
    trace.add(make_layer(id, id));
    trace.add(stats_of(0, id, Role::output));
    trace.add(Experiment());
    trace.add(Observation());
    trace.add(NonFinite());
    trace.add(Evaluation());
  }
  EXPECT_LE(trace.layers().size(), 16'384U);
  EXPECT_LE(trace.all_series().size(), 65'536U);
  EXPECT_LE(trace.experiments().size(), 4'096U);
  EXPECT_LE(trace.observations().size(), 4'096U);
  EXPECT_LE(trace.non_finites().size(), 4'096U);
  EXPECT_LE(trace.evaluations().size(), 4'096U);
}

TEST(Trace, KnowsTheFirstLossOfTraining)
{
  Trace trace;
  EXPECT_EQ(trace.training_loss(), nullptr);
  LossUse use;
  use.evaluating = true;
  trace.add(use);
  EXPECT_EQ(trace.training_loss(), nullptr);
  use.evaluating = false;
  use.kind = "mse_loss";
  trace.add(use);
  ASSERT_NE(trace.training_loss(), nullptr);
  EXPECT_EQ(trace.training_loss()->kind, "mse_loss");
}

TEST(Facts, KnowTheKindsOfLayersOfBothFrameworks)
{
  EXPECT_TRUE(is_dense(make_layer(0, 0, "Linear")));
  EXPECT_TRUE(is_dense(make_layer(0, 0, "dense")));
  EXPECT_FALSE(is_dense(make_layer(0, 0, "LinearAttention")));
  EXPECT_TRUE(is_convolution(make_layer(0, 0, "ConvTranspose2d")));
  EXPECT_TRUE(is_normalisation(make_layer(0, 0, "BatchNorm1d")));
  EXPECT_TRUE(is_normalisation(make_layer(0, 0, "layerNormalization")));
  EXPECT_TRUE(is_recurrent(make_layer(0, 0, "LSTM")));
  EXPECT_EQ(activation_of(make_layer(0, 0, "LogSoftmax")), "logsoftmax");
  EXPECT_EQ(activation_of(make_layer(0, 0, "log_softmax")), "logsoftmax");
  EXPECT_EQ(activation_of(make_layer(0, 0, "Linear")), "");
  Layer dense = make_layer(0, 0, "dense");
  dense.settings["activation"] = "relu";
  EXPECT_EQ(activation_of(dense), "relu");
}

TEST(Facts, KnowTheFamiliesOfLosses)
{
  EXPECT_EQ(family_of("cross_entropy"), LossFamily::logits);
  EXPECT_EQ(family_of("CrossEntropyLoss"), LossFamily::logits);
  EXPECT_EQ(family_of("softmaxCrossEntropy"), LossFamily::logits);
  EXPECT_EQ(family_of("categoricalCrossentropy"), LossFamily::probabilities);
  EXPECT_EQ(family_of("nll_loss"), LossFamily::log_probabilities);
  EXPECT_EQ(family_of("binary_cross_entropy"), LossFamily::binary_probabilities);
  EXPECT_EQ(family_of("binary_cross_entropy_with_logits"), LossFamily::binary_logits);
  EXPECT_EQ(family_of("meanSquaredError"), LossFamily::difference);
  EXPECT_EQ(family_of("kl_div"), LossFamily::other);
  EXPECT_EQ(family_of(""), LossFamily::unknown);
}

TEST(Facts, SayHowFarTrainingHasCome)
{
  Trace flat;
  Trace falling;
  Trace good;
  for (uint32_t step = 0; step < 100; ++step) {
    flat.add(make_step(step, 2.3));
    falling.add(make_step(step, 2.3 - 0.01 * step));
    good.add(make_step(step, 0.3, 0.9));
  }
  EXPECT_TRUE(progress_of(flat).fails());
  EXPECT_FALSE(progress_of(falling).fails());
  EXPECT_TRUE(progress_of(good).learns());
  Trace brief;
  brief.add(make_step(0, 1));
  EXPECT_FALSE(progress_of(brief).known);
  EXPECT_FALSE(progress_of(brief).fails()) << "nothing is said about what was not seen";
  EXPECT_FALSE(progress_of(Trace()).known);
}

TEST(Facts, AverageTheLossOverParts)
{
  Trace trace;
  for (uint32_t step = 0; step < 20; ++step) {
    trace.add(make_step(step, step < 10 ? 4 : 2));
  }
  EXPECT_THAT(loss_windows(trace, 2), testing::ElementsAre(4, 2));
  EXPECT_TRUE(loss_windows(trace, 11).empty());
  EXPECT_TRUE(loss_windows(trace, 0).empty());
  EXPECT_TRUE(accuracy_windows(trace, 2).empty());
}

TEST(Facts, SeeWhichLayerFeedsWhich)
{
  Trace trace;
  trace.add(make_layer(0, 0));
  trace.add(make_layer(1, 1));
  trace.add(stats_of(3, 0, Role::output, 1.25));
  trace.add(stats_of(3, 1, Role::input, 1.25));
  EXPECT_TRUE(feeds(trace, *trace.layer(0), *trace.layer(1)));
  EXPECT_FALSE(feeds(trace, *trace.layer(1), *trace.layer(0)));
  Layer told = make_layer(2, 2);
  told.settings["fed_by"] = {1};
  trace.add(told);
  EXPECT_TRUE(feeds(trace, *trace.layer(1), *trace.layer(2)));
  EXPECT_FALSE(feeds(trace, *trace.layer(0), *trace.layer(2)));
}

TEST(Facts, CountElementsWithoutOverflow)
{
  EXPECT_EQ(elements({2, 3}), 6);
  EXPECT_EQ(elements({}), 1);
  EXPECT_EQ(elements({-1}), -1);
  EXPECT_EQ(elements(std::vector<int64_t>(100, 1 << 30)), -1);
  EXPECT_EQ(print_shape({4}), "(4,)");
  EXPECT_EQ(print_shape({4, 1}), "(4, 1)");
}

} // namespace faultline::trace
