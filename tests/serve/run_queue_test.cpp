#include "base/file.hpp"
#include "serve/event_streams.hpp"
#include "serve/run_queue.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <functional>
#include <set>

namespace faultline::serve {

// Does what a test says, so that scheduling is seen without programs.
class ScriptedWorker : public RunWorker {
public:
  using Script = std::function<RunEnd(const RunRequest&, LiveRun&)>;
  explicit ScriptedWorker(Script script) : m_script(std::move(script)) {}
  RunEnd run(const RunRequest& request, LiveRun& live) override { return m_script(request, live); }

private:
  Script m_script;
};

static RunEnd finished()
{
  RunEnd end;
  end.state = RunState::finished;
  end.verdict = "pass";
  return end;
}

static RunRequest request(const std::string& user, const std::string& fault = "f")
{
  RunRequest made;
  made.user = user;
  made.fault = fault;
  made.version = "buggy";
  return made;
}

// A door that is shut until somebody opens it.
class Door {
public:
  void open()
  {
    const std::lock_guard lock(m_mutex);
    m_open = true;
    m_changed.notify_all();
  }
  bool wait(const run::StopFlag& stop)
  {
    std::unique_lock lock(m_mutex);
    while (!m_open && !stop) {
      m_changed.wait_for(lock, std::chrono::milliseconds(5));
    }
    return m_open;
  }

private:
  std::mutex m_mutex;
  std::condition_variable m_changed;
  bool m_open = false;
};

class RunQueueTest : public testing::Test {
protected:
  std::unique_ptr<RunQueue>
  open(ScriptedWorker::Script script, size_t workers = 1, size_t per_user = 8)
  {
    Result<RunLog> log = RunLog::open(m_folder->path() / "serve.sqlite");
    EXPECT_TRUE(log);
    Result<std::unique_ptr<RunQueue>> queue =
        RunQueue::open(*std::move(log), {workers, per_user}, [script] {
          return std::make_unique<ScriptedWorker>(script);
        });
    EXPECT_TRUE(queue);
    return *std::move(queue);
  }

  static RunRecord record(RunQueue& queue, long long id) { return (*queue.find(id))->record; }

  static RunState wait_until_over(RunQueue& queue, long long id)
  {
    for (int i = 0; i < 2000 && !is_over(record(queue, id).state); ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    return record(queue, id).state;
  }

  static void wait_until_running(RunQueue& queue, long long id)
  {
    for (int i = 0; i < 2000 && record(queue, id).state == RunState::waiting; ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
  }

  Result<TempDir> m_folder = TempDir::create();
};

TEST_F(RunQueueTest, RunsWhatIsSubmittedAndKeepsItsLog)
{
  const auto queue = open([](const RunRequest& asked, LiveRun& live) {
    live.print("ran " + asked.fault);
    return finished();
  });
  const long long id = (*queue->submit(request("u", "f1")))->record.id;
  EXPECT_EQ(wait_until_over(*queue, id), RunState::finished);
  EXPECT_EQ(record(*queue, id).end.verdict, "pass");
  EXPECT_EQ(record(*queue, id).log_bytes, 6U);
  EXPECT_EQ(queue->log(id)->value(), "ran f1");
  EXPECT_EQ(queue->live(id), nullptr);
  EXPECT_FALSE(queue->find(id + 1)->has_value());
  EXPECT_FALSE(queue->log(id + 1)->has_value());
}

TEST_F(RunQueueTest, OneUserMayHaveSoManyAndNoMore)
{
  Door door;
  const auto queue = open(
      [&door](const RunRequest&, LiveRun& live) {
        door.wait(live.stop);
        return finished();
      },
      1,
      3);
  const long long first = (*queue->submit(request("u")))->record.id;
  ASSERT_TRUE(queue->submit(request("u"))->has_value());
  ASSERT_TRUE(queue->submit(request("u"))->has_value());
  EXPECT_FALSE(queue->submit(request("u"))->has_value());
  EXPECT_TRUE(queue->submit(request("v"))->has_value());
  door.open();
  wait_until_over(*queue, first);
  EXPECT_TRUE(queue->submit(request("u"))->has_value());
}

TEST_F(RunQueueTest, UsersTakeTurns)
{
  Door door;
  std::mutex mutex;
  std::vector<std::string> ran;
  const auto queue = open([&](const RunRequest& asked, LiveRun& live) {
    door.wait(live.stop);
    const std::lock_guard lock(mutex);
    ran.push_back(asked.fault);
    return finished();
  });
  const long long blocker = (*queue->submit(request("a", "a0")))->record.id;
  wait_until_running(*queue, blocker);
  for (const char* fault : {"a1", "a2", "a3"}) {
    ASSERT_TRUE(queue->submit(request("a", fault)));
  }
  const QueuedRun b1 = **queue->submit(request("b", "b1"));
  const QueuedRun c1 = **queue->submit(request("c", "c1"));
  const QueuedRun b2 = **queue->submit(request("b", "b2"));
  EXPECT_EQ(b1.position, 2U);
  EXPECT_EQ(c1.position, 3U);
  EXPECT_EQ(b2.position, 5U);
  const QueueView view = queue->view();
  EXPECT_EQ(view.running, 1U);
  EXPECT_EQ(view.waiting, 6U);
  EXPECT_EQ(view.runs.front().record.id, b2.record.id);
  door.open();
  wait_until_over(*queue, b2.record.id);
  for (int i = 0; i < 1000 && queue->view().waiting + queue->view().running > 0; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  const std::vector<std::string> fair = {"a0", "a1", "b1", "c1", "a2", "b2", "a3"};
  EXPECT_EQ(ran, fair);
}

TEST_F(RunQueueTest, CancelsWhatWaitsAndWhatRuns)
{
  Door door;
  const auto queue = open([&door](const RunRequest&, LiveRun& live) {
    live.print("started\n");
    RunEnd end = finished();
    if (!door.wait(live.stop)) {
      end.state = RunState::interrupted;
    }
    return end;
  });
  const long long running = (*queue->submit(request("u")))->record.id;
  wait_until_running(*queue, running);
  const long long waiting = (*queue->submit(request("u")))->record.id;
  const QueuedRun gone = **queue->cancel(waiting);
  EXPECT_EQ(gone.record.state, RunState::cancelled);
  EXPECT_EQ(gone.record.end.why, "cancelled before it ran");
  EXPECT_EQ(queue->view().waiting, 0U);
  const QueuedRun killed = **queue->cancel(running);
  EXPECT_EQ(killed.record.state, RunState::cancelled);
  EXPECT_EQ(killed.record.end.why, "cancelled while it ran");
  EXPECT_EQ(queue->log(running)->value(), "started\n");
  // What is over stays as it is.
  EXPECT_EQ((*queue->cancel(waiting))->record.state, RunState::cancelled);
  EXPECT_FALSE(queue->cancel(77)->has_value());
}

TEST_F(RunQueueTest, StoppingInterruptsWhatRunsAndTheRestIsRunNextTime)
{
  Door door;
  long long running = 0;
  long long waiting = 0;
  {
    const auto queue = open([&door](const RunRequest&, LiveRun& live) {
      door.wait(live.stop);
      return finished();
    });
    running = (*queue->submit(request("u")))->record.id;
    wait_until_running(*queue, running);
    waiting = (*queue->submit(request("v")))->record.id;
  }
  const auto queue = open([](const RunRequest&, LiveRun&) { return finished(); });
  EXPECT_EQ(record(*queue, running).state, RunState::interrupted);
  EXPECT_EQ(record(*queue, running).end.why, "the server was stopped while this ran");
  EXPECT_EQ(wait_until_over(*queue, waiting), RunState::finished);
}

TEST_F(RunQueueTest, AWorkerThatThrowsCostsOneRun)
{
  const auto queue = open([](const RunRequest& asked, LiveRun&) -> RunEnd {
    if (asked.fault == "bad") {
      throw std::runtime_error("oh");
    }
    return finished();
  });
  const long long bad = (*queue->submit(request("u", "bad")))->record.id;
  const long long good = (*queue->submit(request("u", "good")))->record.id;
  EXPECT_EQ(wait_until_over(*queue, good), RunState::finished);
  EXPECT_EQ(record(*queue, bad).state, RunState::failed);
  EXPECT_EQ(record(*queue, bad).end.why, "internal error: oh");
}

// All events of a stream until it ends.
static std::vector<Event> all_of(const EventSource& source)
{
  std::vector<Event> events;
  for (int i = 0; i < 2000; ++i) {
    EventBatch batch = source(.1);
    for (Event& event : batch.events) {
      events.push_back(std::move(event));
    }
    if (batch.end) {
      return events;
    }
  }
  ADD_FAILURE() << "the stream does not end";
  return events;
}

static std::string log_of(const std::vector<Event>& events)
{
  std::string text;
  for (const Event& event : events) {
    text += event.name == "log" ? event.data["text"].get<std::string>() : std::string();
  }
  return text;
}

TEST_F(RunQueueTest, AStreamShowsTheLogBeforeTheRunEnds)
{
  Door door;
  const auto queue = open([&door](const RunRequest&, LiveRun& live) {
    live.print("first\n");
    door.wait(live.stop);
    live.print("second\n");
    return finished();
  });
  const QueuedRun run = **queue->submit(request("u"));
  const EventSource source = run_events(*queue, run, "u", 0);
  std::string seen;
  std::set<std::string> states;
  for (int i = 0; i < 500 && seen.empty(); ++i) {
    for (const Event& event : source(.1).events) {
      if (event.name == "log") {
        seen += event.data["text"].get<std::string>();
        EXPECT_EQ(event.id, "6");
      } else {
        states.insert(event.data["state"].get<std::string>());
        EXPECT_TRUE(event.data["yours"].get<bool>());
      }
    }
  }
  EXPECT_EQ(seen, "first\n");
  EXPECT_TRUE(states.contains("running"));
  EXPECT_FALSE(is_over(record(*queue, run.record.id).state));
  door.open();
  const std::vector<Event> rest = all_of(source);
  EXPECT_EQ(log_of(rest), "second\n");
  EXPECT_EQ(rest.back().name, "end");
  EXPECT_EQ(rest.back().data["state"], "finished");
  EXPECT_EQ(rest.back().data["verdict"], "pass");
}

TEST_F(RunQueueTest, AStreamGoesOnWhereTheClientWas)
{
  const auto queue = open([](const RunRequest&, LiveRun& live) {
    live.print("0123456789");
    return finished();
  });
  const long long id = (*queue->submit(request("u")))->record.id;
  wait_until_over(*queue, id);
  const std::vector<Event> events = all_of(run_events(*queue, **queue->find(id), "other", 4));
  EXPECT_EQ(log_of(events), "456789");
  EXPECT_EQ(events.back().name, "end");
  EXPECT_FALSE(events.back().data["yours"].get<bool>());
  for (const Event& event : events) {
    if (event.name == "log") {
      EXPECT_EQ(event.data["offset"], 4);
      EXPECT_EQ(event.id, "10");
    }
  }
  // Somebody who is beyond the end gets the end.
  EXPECT_EQ(log_of(all_of(run_events(*queue, **queue->find(id), "", 1'000'000))), "");
}

TEST_F(RunQueueTest, AHostileLogIsBoundedAndValidJson)
{
  const std::string start = "<script>alert(1)</script>\xff\xfe\xc3";
  const auto queue = open([&start](const RunRequest&, LiveRun& live) {
    live.print(start);
    std::string line(64UL * 1024, '\xe2');
    line.back() = '\n';
    for (int i = 0; i < 160; ++i) { // 10 MiB
      live.print(line);
    }
    return finished();
  });
  const long long id = (*queue->submit(request("u")))->record.id;
  EXPECT_EQ(wait_until_over(*queue, id), RunState::finished);
  EXPECT_LT(record(*queue, id).log_bytes, LiveRun::k_most_log + 100);
  EXPECT_TRUE(queue->log(id)->value().ends_with("\n[the rest is left out]\n"));
  const std::vector<Event> events = all_of(run_events(*queue, **queue->find(id), "u", 0));
  size_t sent = 0;
  for (const Event& event : events) {
    const std::string line = print_json_compact(event.data); // throws on bytes that are no UTF-8
    EXPECT_EQ(line.find('\n'), std::string::npos);
    EXPECT_TRUE(Json::accept(line));
    sent += line.size();
  }
  EXPECT_LT(sent, 5 * LiveRun::k_most_log);
  EXPECT_TRUE(log_of(events).starts_with("<script>alert(1)</script>"));
}

TEST_F(RunQueueTest, TheQueueIsSentWhenItChangesAndNotTooOften)
{
  const auto queue = open([](const RunRequest&, LiveRun&) { return finished(); });
  const EventSource source = queue_events(*queue, "u");
  ASSERT_EQ(source(1).events.size(), 1U);
  EXPECT_TRUE(source(.01).events.empty());
  const auto start = std::chrono::steady_clock::now();
  size_t sent = 0;
  for (int i = 0; i < 40; ++i) {
    ASSERT_TRUE(queue->submit(request("u" + std::to_string(i))));
    sent += source(.02).events.size();
  }
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
  EXPECT_LE(static_cast<double>(sent), took.count() * 4 + 1);
  ASSERT_TRUE(queue->submit(request("last")));
  const EventBatch batch = source(1);
  ASSERT_FALSE(batch.events.empty());
  EXPECT_FALSE(batch.events[0].data["runs"][0].contains("findings"));
}

TEST(EventStreams, DoNotCutCharacters)
{
  EXPECT_EQ(whole_characters("abc"), 3U);
  EXPECT_EQ(whole_characters("ab\xc3"), 2U);
  EXPECT_EQ(whole_characters("ab\xc3\xa4"), 4U);
  EXPECT_EQ(whole_characters("\xf0\x9f\x98"), 0U);
  EXPECT_EQ(whole_characters("\xf0\x9f\x98\x80"), 4U);
  EXPECT_EQ(whole_characters("\x80\x80\x80\x80\x80"), 5U); // no character at all: as it is
  EXPECT_EQ(whole_characters(""), 0U);
}

} // namespace faultline::serve
