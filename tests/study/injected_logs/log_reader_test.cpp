// Each rule on a small log in the form of the published ones.

#include "study/injected_logs/log_reader.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace faultline::study::injected {

namespace {

LogFacts facts_of(Library library, std::string_view text)
{
  const std::unique_ptr<LogReader> reader = log_reader(library);
  reader->feed(text);
  return reader->finish();
}

void check(const LogFacts& facts, LogSymptom symptom, LogRule rule, std::string_view exception = "")
{
  EXPECT_EQ(name_of(facts.symptom), name_of(symptom));
  EXPECT_EQ(name_of(facts.rule), name_of(rule));
  EXPECT_EQ(facts.exception, exception);
}

const std::string k_keras_start = "Using TensorFlow backend.\n"
                                  "Load data...\n"
                                  "Train on 90 samples, validate on 10 samples\n";

const std::string k_traceback = "Traceback (most recent call last):\n"
                                "  File \"train.py\", line 12, in <module>\n"
                                "    main()\n";

const std::string k_tensorflow_steps =
    "2020-02-28T23:59:58.500000: step 1, loss 1.5, acc 0.5\n"
    "2020-02-28T23:59:59.500000: step 2, loss 1.4, acc 0.625\n"
    "\n"
    "Evaluation:\n"
    "2020-02-29T00:00:10.750000: step 2, loss 0.9, acc 0.732645\n"
    "\n";

const std::string k_theano_end =
    "... training\n"
    "epoch: 1, training time: 10.50 secs, train perf: 81.55 %, val perf: 78.11 %\n"
    "epoch: 2, training time: 20.25 secs, train perf: 82.68 %, val perf: 74.42 %\n"
    "cv: 0, perf: 0.800186741363212\n"
    "0.800186741363212\n";

} // namespace

TEST(KerasLog, EndsWithItsTrainingTime)
{
  const LogFacts facts = facts_of(
      Library::keras,
      k_keras_start + "Epoch 1/2\n"
                      " - 5s - loss: 0.6 - accuracy: 0.55 - val_loss: 0.7 - val_accuracy: 0.6261\n"
                      "Epoch 2/2\n"
                      " - 5s - loss: 0.5 - accuracy: 0.85 - val_loss: 0.6 - val_accuracy: 0.7798\n"
                      "Training time:55.92367100715637\n");
  check(facts, LogSymptom::normal, LogRule::final_result_printed);
  EXPECT_EQ(facts.accuracy, 0.7798);
  EXPECT_EQ(facts.training_seconds, 55.92367100715637);
  EXPECT_EQ(facts.epochs_or_steps, 2U);
  EXPECT_FALSE(facts.is_invalid_accuracy());
}

TEST(KerasLog, TakesTheMetricUnderTheNameOfItsLayer)
{
  const LogFacts facts =
      facts_of(Library::keras,
               " - 6s - loss: 0.7 - dense_2_accuracy: 0.49 - val_loss: 0.6 - val_dense_2_accuracy: "
               "0.4977\nTraining time:3\n");
  EXPECT_EQ(facts.accuracy, 0.4977);
}

TEST(KerasLog, MayFinishWithoutAnAccuracy)
{
  const LogFacts facts = facts_of(
      Library::keras, "Epoch 1/1\n - 5s - loss: 0.6 - accuracy: 0.55\nTraining time:3.5\n");
  check(facts, LogSymptom::normal, LogRule::final_result_printed);
  EXPECT_FALSE(facts.accuracy);
  EXPECT_EQ(facts.training_seconds, 3.5);
}

TEST(KerasLog, AnAccuracyMayBeInvalid)
{
  for (const char* value : {"884543.0000", "inf", "nan", "-0.5", "1.0001"}) {
    const LogFacts facts =
        facts_of(Library::keras, std::string("x - val_accuracy: ") + value + "\nTraining time:1\n");
    check(facts, LogSymptom::normal, LogRule::final_result_printed);
    ASSERT_TRUE(facts.accuracy) << value;
    EXPECT_TRUE(facts.is_invalid_accuracy()) << value;
  }
  for (const char* value : {"0.0000e+00", "1.0000", "0.5"}) {
    EXPECT_FALSE(
        facts_of(Library::keras, std::string("x - val_accuracy: ") + value + "\nTraining time:1\n")
            .is_invalid_accuracy())
        << value;
  }
}

TEST(KerasLog, EndsInATraceback)
{
  const LogFacts facts = facts_of(Library::keras,
                                  k_keras_start + "Epoch 1/2\n" + k_traceback +
                                      "AttributeError: 'str' object has no attribute 'x'\n");
  check(facts, LogSymptom::crash, LogRule::uncaught_traceback, "AttributeError");
  EXPECT_EQ(facts.epochs_or_steps, 1U);
  EXPECT_FALSE(facts.is_syntax_error());
}

TEST(KerasLog, TheLastOfChainedTracebacksCounts)
{
  const LogFacts facts =
      facts_of(Library::keras,
               k_traceback +
                   "KeyError: 'a'\n\nDuring handling of the above exception, another exception "
                   "occurred:\n\n" +
                   k_traceback +
                   "tensorflow.python.framework.errors_impl.InvalidArgumentError: bad shape\n" +
                   "\t [[node x]]\n");
  check(facts, LogSymptom::crash, LogRule::uncaught_traceback, "InvalidArgumentError");
}

TEST(KerasLog, StandardErrorMayComeFirst)
{
  // Standard output is buffered, so what was printed before a traceback may follow it.
  const LogFacts facts = facts_of(Library::keras, k_traceback + "ValueError: no\n" + k_keras_start);
  check(facts, LogSymptom::crash, LogRule::uncaught_traceback, "ValueError");
}

TEST(KerasLog, OutputThatStopsIsAHang)
{
  check(facts_of(Library::keras, k_keras_start), LogSymptom::hang, LogRule::output_stops);
  check(facts_of(Library::keras, ""), LogSymptom::hang, LogRule::output_stops);
  check(facts_of(Library::keras, "\n \n\r\n"), LogSymptom::hang, LogRule::output_stops);
}

TEST(KerasLog, SyntaxErrorsAreKnown)
{
  const LogFacts facts =
      facts_of(Library::keras,
               k_traceback + "  File \"core.py\", line 3\n    a not b\n        ^\n"
                             "SyntaxError: invalid syntax\n");
  check(facts, LogSymptom::crash, LogRule::uncaught_traceback, "SyntaxError");
  EXPECT_TRUE(facts.is_syntax_error());
  EXPECT_TRUE(
      facts_of(Library::keras, k_traceback + "IndentationError: unexpected\n").is_syntax_error());
}

TEST(TensorFlowLog, EndsWithACheckpointAfterAnEvaluation)
{
  const LogFacts facts = facts_of(
      Library::tensorflow, k_tensorflow_steps + "Saved model checkpoint to /runs/1/model-2\n\n");
  check(facts, LogSymptom::normal, LogRule::final_result_printed);
  EXPECT_EQ(facts.accuracy, 0.732645);
  EXPECT_EQ(facts.epochs_or_steps, 2U);
  ASSERT_TRUE(facts.training_seconds);
  // Over midnight, in a leap year.
  EXPECT_NEAR(*facts.training_seconds, 12.25, 1e-6);
}

TEST(TensorFlowLog, StepsWithoutACheckpointAreAHang)
{
  check(facts_of(Library::tensorflow, k_tensorflow_steps), LogSymptom::hang, LogRule::output_stops);
  check(facts_of(Library::tensorflow, "Saved model checkpoint to /runs/1/model-2\n"),
        LogSymptom::hang,
        LogRule::output_stops);
}

TEST(TensorFlowLog, ADeletedFolderIsTheMachinesFault)
{
  const LogFacts facts =
      facts_of(Library::tensorflow,
               k_tensorflow_steps + "Saved model checkpoint to /runs/1/model-2\n" + k_traceback +
                   "ValueError: Parent directory of /runs/1/model doesn't exist, can't save.\n");
  check(facts, LogSymptom::crash, LogRule::environment_failure, "ValueError");
  EXPECT_EQ(facts.accuracy, 0.732645);
}

TEST(TensorFlowLog, TimesThatAreNoneAreIgnored)
{
  const LogFacts facts = facts_of(Library::tensorflow,
                                  "2020-13-45T00:00:00: step 1, loss 1, acc 1\n"
                                  "Evaluation:\n"
                                  "yesterday: step 1, loss 1, acc 1\n"
                                  "Saved model checkpoint\n");
  check(facts, LogSymptom::hang, LogRule::output_stops);
  EXPECT_FALSE(facts.training_seconds);
}

TEST(TheanoLog, EndsWithItsPerformance)
{
  const LogFacts facts = facts_of(Library::theano, k_theano_end);
  check(facts, LogSymptom::normal, LogRule::final_result_printed);
  EXPECT_EQ(facts.accuracy, 0.800186741363212);
  EXPECT_EQ(facts.training_seconds, 30.75);
  EXPECT_EQ(facts.epochs_or_steps, 2U);
  EXPECT_FALSE(facts.repeated_epochs);
  EXPECT_EQ(facts.handled_tracebacks, 0U);
}

TEST(TheanoLog, SurvivesTracebacksOfOptimisations)
{
  const std::string handled = "ERROR (theano.gof.opt): Optimization failure due to: x\n"
                              "ERROR (theano.gof.opt): Traceback (most recent call last):\n"
                              "  File \"opt.py\", line 1, in apply\n";
  const LogFacts facts =
      facts_of(Library::theano,
               handled + "IndexError: a\n\n" + handled + "theano.tensor.AsTensorError: b\n\n" +
                   handled + "theano.tensor.AsTensorError: c\n\n" + k_theano_end);
  check(facts, LogSymptom::normal, LogRule::final_result_printed);
  EXPECT_EQ(facts.handled_tracebacks, 3U);
  EXPECT_EQ(facts.handled_exception, "AsTensorError");
}

TEST(TheanoLog, TheEndOfAnotherRunIsNotCounted)
{
  const LogFacts facts = facts_of(Library::theano,
                                  "epoch: 1, training time: 1.00 secs, train perf: 50 %\n"
                                  "epoch: 2, training time: 2.00 secs, train perf: 50 %\n"
                                  "epoch: 2, training time: 9.00 secs, train perf: 90 %\n"
                                  "cv: 0, perf: 0.8\n");
  EXPECT_TRUE(facts.repeated_epochs);
  EXPECT_EQ(facts.training_seconds, 3);
}

TEST(TheanoLog, AWordUnderTheLogMarksAHang)
{
  check(facts_of(Library::theano, "Hang"), LogSymptom::hang, LogRule::marked_hang);
  check(facts_of(Library::theano, k_traceback + "KeyboardInterrupt\nHang\n\n"),
        LogSymptom::hang,
        LogRule::marked_hang,
        "KeyboardInterrupt");
  // Only as the last line, and only as a word.
  check(facts_of(Library::theano, "Hang\n" + k_theano_end),
        LogSymptom::normal,
        LogRule::final_result_printed);
  check(facts_of(Library::theano, "Hanging on\n"), LogSymptom::hang, LogRule::output_stops);
}

TEST(LogReader, CarriageReturnsEndLinesAndBackspacesVanish)
{
  const LogFacts facts = facts_of(Library::keras, "10%\b\b\b20%\rEpoch 3/3\rTrain\bing time:7\r");
  check(facts, LogSymptom::normal, LogRule::final_result_printed);
  EXPECT_EQ(facts.training_seconds, 7);
  EXPECT_EQ(facts.epochs_or_steps, 3U);
}

TEST(LogReader, PiecesOfAnySizeSayTheSame)
{
  const std::string text = k_tensorflow_steps + k_traceback + "a.b.KeyError: 'x'\nlast\n";
  const LogFacts whole = facts_of(Library::tensorflow, text);
  for (size_t size = 1; size < 40; ++size) {
    const std::unique_ptr<LogReader> reader = log_reader(Library::tensorflow);
    for (size_t at = 0; at < text.size(); at += size) {
      reader->feed(std::string_view(text).substr(at, size));
    }
    const LogFacts facts = reader->finish();
    check(facts, whole.symptom, whole.rule, whole.exception);
    EXPECT_EQ(facts.accuracy, whole.accuracy);
    EXPECT_EQ(facts.last_line, "last");
  }
}

TEST(LogReader, AnEndlessLineIsCut)
{
  const std::unique_ptr<LogReader> reader = log_reader(Library::keras);
  const std::string piece(1 << 19, 'x');
  for (int i = 0; i < 8; ++i) {
    reader->feed(piece);
  }
  reader->feed("\nTraining time:1\n");
  EXPECT_EQ(name_of(reader->finish().symptom), "normal");
}

TEST(LogReader, ATracebackThatBreaksOffHasNoName)
{
  check(facts_of(Library::theano, k_traceback), LogSymptom::crash, LogRule::uncaught_traceback);
}

} // namespace faultline::study::injected
