// Programs here write the text form of the stream themselves: what the probes do is tested with the
// probes.

#include "base/file.hpp"
#include "trace/reader.hpp"
#include "watch/session.hpp"

#include <gtest/gtest.h>

namespace faultline::watch {

namespace {

constexpr std::string_view k_diverged =
    R"t({"event":"start","framework":"torch","version":"1","command":["train.py"]}
{"event":"loss","step":0,"kind":"mse_loss","site":{"file":"train.py","line":3,"text":"loss"}}
{"event":"step","step":0,"loss":1.0}
{"event":"step","step":1,"loss":"nan"}
{"event":"nonfinite","step":1,"operation":"log","site":{"file":"train.py","line":2,"text":"y = log(x)"},"operands":[{"shape":[4],"min":-1,"max":2}],"result":{"shape":[4],"nan":1}}
{"event":"check","step":1}
)t";

constexpr std::string_view k_healthy = R"({"event":"start","framework":"torch"}
{"event":"step","step":0,"loss":0.25}
{"event":"end","status":0,"steps":1}
)";

Order shell(const std::string& script)
{
  Order order;
  order.command = {"sh", "-c", script};
  order.probes = "/nowhere";
  return order;
}

std::string says(const TempDir& place, std::string_view stream)
{
  const std::filesystem::path file = place.path() / "stream";
  EXPECT_TRUE(write_file(file, std::string(stream)));
  return "cat '" + file.string() + "' >&$FAULTLINE_WATCH_FD";
}

} // namespace

class Watch : public testing::Test {
protected:
  void SetUp() override
  {
    Result<TempDir> made = TempDir::create();
    ASSERT_TRUE(made);
    m_place.emplace(std::move(*made));
  }
  std::optional<TempDir> m_place;
};

TEST_F(Watch, FindsWhatTheStreamShowsAndKeepsTheStatus)
{
  std::vector<std::string> seen;
  Observer observer;
  observer.detected = [&seen](const trace::Detection& detection) {
    seen.push_back(detection.finding.rule);
  };
  const Result<Outcome> outcome = watch(shell(says(*m_place, k_diverged) + "; exit 3"), observer);
  ASSERT_TRUE(outcome) << outcome.error().line();
  EXPECT_EQ(outcome->status, 3);
  EXPECT_EQ(outcome->bytes, k_diverged.size());
  ASSERT_FALSE(outcome->detections.empty());
  EXPECT_EQ(outcome->detections.front().finding.rule, "TR001");
  EXPECT_EQ(seen.size(), outcome->detections.size());
}

TEST_F(Watch, AProgramWithoutAProbeIsJustRun)
{
  const Result<Outcome> outcome = watch(shell("exit 0"), {});
  ASSERT_TRUE(outcome);
  EXPECT_EQ(outcome->status, 0);
  EXPECT_EQ(outcome->bytes, 0U);
  EXPECT_TRUE(outcome->detections.empty());
}

TEST_F(Watch, StopsTheProgramAtAFinding)
{
  Order order = shell(says(*m_place, k_diverged) + "; exec sleep 60");
  order.stop_on = source::Severity::error;
  const Result<Outcome> outcome = watch(order, {});
  ASSERT_TRUE(outcome);
  EXPECT_TRUE(outcome->stopped);
  EXPECT_EQ(outcome->status, 128 + 15);
}

TEST_F(Watch, WhatIsKeptCanBeReplayed)
{
  Order order = shell(says(*m_place, k_diverged));
  order.keep = m_place->path() / "kept.trace";
  const Result<Outcome> watched = watch(order, {});
  ASSERT_TRUE(watched);
  const Result<Outcome> again = replay(order.keep, {});
  ASSERT_TRUE(again);
  ASSERT_EQ(again->detections.size(), watched->detections.size());
  for (size_t i = 0; i < again->detections.size(); ++i) {
    EXPECT_EQ(again->detections[i].finding.message, watched->detections[i].finding.message);
  }
}

TEST_F(Watch, AProgramThatDoesNotStopWhenAskedIsKilled)
{
  Order order =
      shell("trap '' TERM; " + says(*m_place, k_diverged) + "; while true; do sleep 0.2; done");
  order.stop_on = source::Severity::error;
  const Result<Outcome> outcome = watch(order, {});
  ASSERT_TRUE(outcome);
  EXPECT_TRUE(outcome->stopped);
  EXPECT_EQ(outcome->status, 128 + 9);
}

TEST_F(Watch, ATraceThatCannotBeKeptIsSaidBeforeTheProgramStarts)
{
  Order order = shell("touch '" + (m_place->path() / "started").string() + "'");
  order.keep = m_place->path();
  const Result<Outcome> outcome = watch(order, {});
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.error().line(), "cannot write " + order.keep.string() + ": Is a directory");
  EXPECT_EQ(outcome.error().kind, ErrorKind::usage);
  EXPECT_FALSE(std::filesystem::exists(m_place->path() / "started"));
}

TEST_F(Watch, ATraceThatBreaksOffHasNoStatus)
{
  const std::filesystem::path file = m_place->path() / "cut.trace";
  ASSERT_TRUE(write_file(file, std::string(k_healthy.substr(0, k_healthy.rfind("{")))));
  const Result<Outcome> cut = replay(file, {});
  ASSERT_TRUE(cut);
  EXPECT_EQ(cut->status, std::nullopt);
  ASSERT_TRUE(write_file(file, std::string(k_healthy)));
  const Result<Outcome> whole = replay(file, {});
  ASSERT_TRUE(whole);
  EXPECT_EQ(whole->status, 0);
}

TEST_F(Watch, AWriterOfJunkIsLeftAlone)
{
  std::vector<std::string> notes;
  Observer observer;
  observer.noted = [&notes](const std::string& note) { notes.push_back(note); };
  const Result<Outcome> outcome = watch(
      shell("head -c 3000000 /dev/zero | tr '\\0' 'x' >&$FAULTLINE_WATCH_FD; sleep 0.5; exit 7"),
      observer);
  // Junk is no stream: one line says so, and the program goes on to its end.
  ASSERT_TRUE(outcome) << outcome.error().line();
  EXPECT_EQ(outcome->status, 7);
  ASSERT_EQ(notes.size(), 1U);
  EXPECT_EQ(notes[0].find('\n'), std::string::npos);
}

TEST_F(Watch, OfTwoProgramsThatTrainTheFirstIsFollowed)
{
  std::vector<std::string> notes;
  Observer observer;
  observer.noted = [&notes](const std::string& note) { notes.push_back(note); };
  const std::string both = says(*m_place, k_healthy) + "; sed 's/0.25/9.75/' '" +
                           (m_place->path() / "stream").string() +
                           "' >&$FAULTLINE_WATCH_FD; sleep 0.5; exit 4";
  const Result<Outcome> outcome = watch(shell(both), observer);
  ASSERT_TRUE(outcome) << outcome.error().line();
  EXPECT_EQ(outcome->status, 4);
  ASSERT_EQ(outcome->analyser->trace().steps().size(), 1U);
  EXPECT_EQ(outcome->analyser->trace().steps()[0].loss, 0.25);
  EXPECT_EQ(notes.size(), 1U);
}

TEST_F(Watch, AProgramThatPreparesIsNotTheOneThatTrains)
{
  constexpr std::string_view k_prepares = R"({"event":"start","framework":"torch"}
{"event":"end","status":0,"steps":0}
)";
  const Result<Outcome> outcome =
      watch(shell(says(*m_place, std::string(k_prepares) + std::string(k_healthy))), {});
  ASSERT_TRUE(outcome) << outcome.error().line();
  EXPECT_EQ(outcome->analyser->trace().steps().size(), 1U);
}

TEST_F(Watch, AWriterThatOutlivesTheProgramIsNotWaitedFor)
{
  const Result<Outcome> outcome = watch(shell("sleep 30 & exit 0"), {});
  ASSERT_TRUE(outcome);
  EXPECT_EQ(outcome->status, 0);
}

TEST_F(Watch, ALastRecordWithoutALineFeedCounts)
{
  constexpr std::string_view k_problem =
      R"({"event":"start","framework":"torch"}
{"event":"problem","message":"KeyError: 7"})";
  const std::filesystem::path file = m_place->path() / "cut.trace";
  ASSERT_TRUE(write_file(file, std::string(k_problem)));
  const Result<Outcome> outcome = replay(file, {});
  ASSERT_TRUE(outcome) << outcome.error().line();
  EXPECT_EQ(outcome->skipped, 0U);
  ASSERT_TRUE(outcome->analyser->trace().problem());
  EXPECT_EQ(outcome->analyser->trace().problem()->message, "KeyError: 7");
}

TEST(Replay, SaysWhatIsWrongWithAFile)
{
  const Result<Outcome> missing = replay("/no/such/file", {});
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().line(), "cannot read /no/such/file");
}

} // namespace faultline::watch
