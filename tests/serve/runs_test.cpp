// Runs that are asked for over the API, in the real sandbox.

#include "base/clock.hpp"
#include "proof/prover.hpp"
#include "serve/small_project.hpp"

namespace faultline::serve {

class Runs : public SmallProject {};

static Json test_of(const std::string& fault, const std::string& version = "buggy")
{
  return {{"kind", "test"}, {"fault", "pytorch-" + fault}, {"version", version}, {"seed", 2}};
}

TEST_F(Runs, ATestGivesItsVerdictAndCountsForProofs)
{
  const Reply reply = call("POST", "/runs", test_of("answer"));
  ASSERT_EQ(reply.status, 202) << reply.body;
  const std::string id = parse_json(reply.body)["id"].get<std::string>();
  EXPECT_EQ(reply.headers.at("Location"), "/api/v1/runs/" + id);
  const std::string fixed = start_run(test_of("answer", "fixed"));
  const Json run = wait_for(id);
  EXPECT_EQ(run["state"], "finished");
  EXPECT_EQ(run["verdict"], "fail");
  EXPECT_EQ(run["why"], "wrong answer");
  EXPECT_EQ(run["seed"], 2);
  EXPECT_GT(run["wall_seconds"].get<double>(), 0);
  EXPECT_TRUE(run["yours"].get<bool>());
  EXPECT_EQ(call("GET", "/runs/" + id + "/log").body, "answer 41\nFAIL: wrong answer\n");
  EXPECT_EQ(wait_for(fixed)["verdict"], "pass");

  // What `verify` would look up is there.
  const Result<catalog::Fault> fault = m_knowledge->fault("pytorch-answer");
  ASSERT_TRUE(fault);
  const proof::PlannedRun planned{proof::Purpose::buggy, 2, 0, fault->program, "torch1"};
  const auto stored = proof::stored_outcome(*fault, planned, environments(), *m_store);
  ASSERT_TRUE(stored && *stored);
  EXPECT_EQ((*stored)->outcome.code, 1);

  const Json list = get("/runs");
  EXPECT_EQ(list["runs"].size(), 2U);
  EXPECT_EQ(list["runs"][0]["id"], fixed);
  EXPECT_EQ(list["per_user"], 8);
}

TEST_F(Runs, TheLogArrivesBeforeTheEndAndCancellingKills)
{
  const std::string id = start_run(test_of("slow"));
  const Reply stream = call("GET", "/runs/" + id + "/events");
  ASSERT_TRUE(stream.events);
  std::string log;
  const double start = monotonic_seconds();
  while (log.empty() && monotonic_seconds() - start < 60) {
    for (const Event& event : stream.events(1).events) {
      log += event.name == "log" ? event.data["text"].get<std::string>() : std::string();
    }
  }
  EXPECT_EQ(log, "begun\n");
  EXPECT_EQ(get("/runs/" + id)["state"], "running");
  const double asked = monotonic_seconds();
  const Json run = json("DELETE", "/runs/" + id);
  EXPECT_EQ(run["state"], "cancelled");
  EXPECT_EQ(run["why"], "cancelled while it ran");
  EXPECT_LT(monotonic_seconds() - asked, 4);
  EventBatch batch;
  while (!batch.end) {
    batch = stream.events(1);
  }
  EXPECT_EQ(batch.events.back().name, "end");
  EXPECT_EQ(batch.events.back().data["state"], "cancelled");
  // The worker is free for the next one.
  EXPECT_EQ(wait_for(start_run(test_of("answer")))["verdict"], "fail");
}

TEST_F(Runs, AStreamResumesByLastEventId)
{
  const std::string id = start_run(test_of("answer"));
  wait_for(id);
  const Reply stream = call("GET", "/runs/" + id + "/events", {}, {{"last-event-id", "7"}});
  std::string log;
  for (EventBatch batch; !batch.end;) {
    batch = stream.events(1);
    for (const Event& event : batch.events) {
      log += event.name == "log" ? event.data["text"].get<std::string>() : std::string();
    }
  }
  EXPECT_EQ(log, "41\nFAIL: wrong answer\n");
}

TEST_F(Runs, AHostileLogIsBoundedAndShownAsText)
{
  const std::string id = start_run(test_of("loud"));
  const Json run = wait_for(id);
  EXPECT_EQ(run["state"], "finished");
  EXPECT_EQ(run["verdict"], "fail");
  EXPECT_LE(run["log_bytes"].get<size_t>(), LiveRun::k_most_log + 100);
  const Reply log = call("GET", "/runs/" + id + "/log");
  EXPECT_EQ(log.type, "text/plain; charset=utf-8");
  EXPECT_TRUE(log.body.starts_with("<script>alert(1)</script>\xEF\xBF\xBD"));
}

TEST_F(Runs, SaysWhyARunCannotBe)
{
  EXPECT_EQ(error("POST", "/runs", test_of("answr"), 404),
            "unknown fault `pytorch-answr`, did you mean `pytorch-answer`?");
  EXPECT_EQ(error("POST", "/runs", {{"kind", "dance"}}, 400), "`kind` is not `test` or `tool`");
  EXPECT_EQ(error("POST", "/runs", {{"kind", "test"}}, 400), "`fault` is missing");
  EXPECT_EQ(error("POST", "/runs", test_of("answer", "best"), 400),
            "`version` is not `buggy` or `fixed`");
  Json more = test_of("answer");
  more["command"] = "rm";
  EXPECT_EQ(error("POST", "/runs", more, 400), "unknown key `command`");
  more = test_of("answer");
  more["seed"] = -1;
  EXPECT_EQ(error("POST", "/runs", more, 400), "`seed` is not a whole number from 0 to 1000000");
  EXPECT_EQ(error("POST", "/runs", "text", 400), "the body is not a JSON object");
  const auto tool = [](const std::string& name) {
    return Json{{"kind", "tool"}, {"fault", "pytorch-answer"}, {"tool", name}};
  };
  EXPECT_EQ(error("POST", "/runs", tool("scripts"), 409),
            "scripts cannot be run on pytorch-answer: scripts: not for python");
  EXPECT_EQ(error("POST", "/runs", tool("findr"), 404),
            "there is no tool `findr`, did you mean `finder`?");
  // A path to a description would be a command of the client's own.
  const std::string path = (m_context.root / "tools/finder.toml").string();
  EXPECT_EQ(error("POST", "/runs", tool(path), 404), "there is no tool `" + path + "`");
  EXPECT_EQ(error("GET", "/runs/x", {}, 404), "there is no run `x`");
  EXPECT_EQ(error("GET", "/runs/99/log", {}, 404), "there is no run `99`");
  EXPECT_EQ(error("DELETE", "/runs/99", {}, 404), "there is no run `99`");
  EXPECT_EQ(get("/runs")["runs"].size(), 0U);
}

TEST_F(Runs, TheLimitIsPerUser)
{
  for (int i = 0; i < 8; ++i) {
    start_run(test_of("slow"));
  }
  EXPECT_EQ(error("POST", "/runs", test_of("slow"), 429),
            "you have 8 runs waiting or running already: wait for one to end, or cancel one");
  const Json list = get("/runs");
  EXPECT_EQ(list["running"].get<int>() + list["waiting"].get<int>(), 8);
  EXPECT_EQ(list["runs"][0]["position"].get<size_t>(), list["waiting"].get<size_t>());
}

TEST_F(Runs, ARestartInterruptsWhatRanAndRunsWhatWaited)
{
  const std::string slow = start_run(test_of("slow"));
  for (int i = 0; i < 400 && get("/runs/" + slow)["state"] == "waiting"; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  const std::string quick = start_run(test_of("answer"));
  start();
  EXPECT_EQ(get("/runs/" + slow)["state"], "interrupted");
  EXPECT_EQ(wait_for(quick)["verdict"], "fail");
}

TEST_F(Runs, WhatAToolSaysIsStoredForFindingsAndScores)
{
  const auto verdict_of = [this](const std::string& tool) {
    const Json findings = get("/faults/pytorch-answer/findings");
    for (const Json& entry : findings["tools"]) {
      if (entry["name"] == tool) {
        return entry["verdict"].get<std::string>();
      }
    }
    return std::string("?");
  };
  EXPECT_EQ(verdict_of("finder"), "not run");
  EXPECT_EQ(verdict_of("scripts"), "not applicable");
  EXPECT_EQ(verdict_of("all"), "not run");
  EXPECT_EQ(get("/runs")["runs"].size(), 0U); // looking ran nothing

  const Json tool = {{"kind", "tool"}, {"fault", "pytorch-answer"}, {"tool", "finder"}};
  const std::string id = start_run(tool);
  const Json run = wait_for(id);
  EXPECT_EQ(run["state"], "finished") << run;
  EXPECT_EQ(run["verdict"], "right place") << run;
  EXPECT_EQ(run["findings"].size(), 1U);
  EXPECT_EQ(run["findings"][0]["message"], "<b>41</b>");
  EXPECT_TRUE(run["findings"][0]["right_line"].get<bool>());
  EXPECT_TRUE(run["version"].is_null());
  const std::string log = call("GET", "/runs/" + id + "/log").body;
  EXPECT_NE(log.find("looking\n"), std::string::npos) << log;
  EXPECT_NE(log.find("finder on the buggy version: ended after"), std::string::npos) << log;
  EXPECT_TRUE(run["wall_seconds"].is_number());
  EXPECT_TRUE(run["cpu_seconds"].is_null()) << "nobody measures it";
  EXPECT_EQ(verdict_of("finder"), "right place");
  EXPECT_EQ(verdict_of("blind"), "not run");

  Json other = tool;
  other["tool"] = "all"; // a union runs its members
  EXPECT_EQ(wait_for(start_run(other))["verdict"], "right place");
  EXPECT_EQ(verdict_of("blind"), "said nothing");

  const Json board = get("/scoreboard");
  ASSERT_EQ(board["tools"].size(), 4U);
  for (const Json& entry : board["tools"]) {
    if (entry["name"] == "finder") {
      EXPECT_EQ(entry["right"], 1);
      EXPECT_EQ(entry["applicable"], 1);
      EXPECT_EQ(entry["faults"].size(), 3U);
      EXPECT_EQ(entry["verdicts"]["not run"], 2);
    }
  }
  EXPECT_EQ(get("/scoreboard?split=test")["tools"][0]["faults"].size(), 0U);
  EXPECT_EQ(error("GET", "/scoreboard?split=x", {}, 400),
            "unknown split `x`; it is one of dev, test");
  const Json compared = get("/scoreboard/compare?a=finder&b=blind");
  EXPECT_EQ(compared["only_a"]["ids"], Json::array({"pytorch-answer"}));
  EXPECT_EQ(compared["only_b"]["count"], 0);
  EXPECT_EQ(compared["mcnemar"]["p"], 1.0);

  const Json taxonomy = get("/taxonomy");
  size_t nodes = 0;
  for (const Json& node : taxonomy["nodes"]) {
    if (node["id"] == "api" || node["id"] == "api/wrong-api-usage") {
      EXPECT_EQ(node["faults"], 3);
      EXPECT_EQ(node["dev"], 3);
      EXPECT_EQ(node["test"], 0);
      EXPECT_EQ(node["recall"]["finder"]["hits"], 1);
      EXPECT_EQ(node["recall"]["blind"]["of"], 1);
      ++nodes;
    }
  }
  EXPECT_EQ(nodes, 2U);
  const Json criteria = get("/criteria");
  size_t measures = 0;
  for (const Json& criterion : criteria["criteria"]) {
    for (const Json& measure : criterion["measures"]) {
      if (measure["name"] == "tools evaluated") {
        EXPECT_EQ(measure["value"], 3);
        ++measures;
      }
      if (measure["name"] == "flaky") {
        EXPECT_EQ(measure["value"], "not known") << "nothing was proved";
        EXPECT_FALSE(measure.contains("of"));
        ++measures;
      }
    }
  }
  EXPECT_EQ(measures, 2U);
}

} // namespace faultline::serve
