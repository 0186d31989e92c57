#include "catalog/fault_fixture.hpp"
#include "catalog/fault_json.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace faultline::catalog {

namespace {

class FaultJson : public ProjectTest {};

std::vector<std::string> keys_of(const Json& json)
{
  std::vector<std::string> keys;
  for (const auto& [key, value] : json.items()) {
    keys.push_back(key);
  }
  return keys;
}

} // namespace

TEST_F(FaultJson, ASummaryHasTheShapeThatOtherProgramsReadIn)
{
  EXPECT_EQ(summary_json(loaded(minimal_fault()), 3), parse_json(R"({
    "id": "pytorch-flat-loss",
    "title": "Loss stays flat",
    "framework": "pytorch",
    "language": "python",
    "split": "dev",
    "status": "active",
    "origin": {"kind": "stack_overflow", "url": "https://stackoverflow.com/questions/1"},
    "labels": {
      "type": "api/missing-api-call",
      "category": "api-misuse",
      "fix_pattern": "api-contract",
      "symptom": "bad-performance",
      "property": "correctness",
      "phase": "learning",
      "level": "ml-component"
    },
    "location": {"file": "train.py", "lines": [4]},
    "support": 3,
    "silent": true,
    "parts": 1
  })"));
}

TEST_F(FaultJson, EveryFaultOfTheProjectHasTheShape)
{
  const Result<Catalog> all = load_catalog(FL_SOURCE_DIR);
  ASSERT_TRUE(all) << all.error().line();
  for (const Fault& fault : all->faults) {
    const Json json = summary_json(fault, 1);
    EXPECT_THAT(keys_of(json),
                testing::IsSupersetOf({"id",
                                       "title",
                                       "framework",
                                       "language",
                                       "split",
                                       "status",
                                       "origin",
                                       "labels",
                                       "location",
                                       "support"}));
    EXPECT_THAT(keys_of(json["origin"]), testing::IsSupersetOf({"kind", "url"}));
    EXPECT_THAT(keys_of(json["labels"]), testing::ElementsAreArray(k_scheme_names));
    EXPECT_THAT(keys_of(json["location"]), testing::IsSupersetOf({"file", "lines"}));
  }
}

TEST_F(FaultJson, AWithdrawnFaultSaysSo)
{
  FileTree files = minimal_fault();
  files["fault.toml"] +=
      "\n[withdrawn]\nversion = \"1.2\"\ndate = \"2026-03-01\"\nreason = \"Same as another.\"\n";
  const Fault fault = loaded(files);
  EXPECT_EQ(summary_json(fault, 0)["status"], "withdrawn");
  EXPECT_EQ(
      full_json(fault, 0)["withdrawn"],
      parse_json(R"({"version": "1.2", "date": "2026-03-01", "reason": "Same as another."})"));
}

TEST_F(FaultJson, AllOfAFaultIsItsSummaryAndMore)
{
  const Json json = full_json(loaded(minimal_fault()), 3);
  EXPECT_THAT(keys_of(json),
              testing::ElementsAre("id",
                                   "title",
                                   "framework",
                                   "language",
                                   "split",
                                   "status",
                                   "origin",
                                   "labels",
                                   "location",
                                   "support",
                                   "silent",
                                   "parts",
                                   "summary",
                                   "general",
                                   "accepted",
                                   "oracle",
                                   "run",
                                   "environment",
                                   "realism"));
  EXPECT_EQ(json["origin"]["dataset"], "islam2020");
  EXPECT_EQ(json["origin"]["record"], "so-001");
  EXPECT_EQ(json["oracle"], parse_json(R"({"kind": "exit-status", "evidence": "FAIL: loss"})"));
  EXPECT_EQ(json["run"], parse_json(R"({
    "command": ["python3", "train.py"],
    "test": ["python3", "../test.py"],
    "timeout_seconds": 20.0,
    "memory_mib": 512
  })"));
  EXPECT_EQ(json["environment"], parse_json(R"({"in": ["torch1"], "not_in": [], "data": []})"));
  EXPECT_EQ(json["realism"], parse_json(R"({
    "api": "same", "data": "stand-in", "fix": "accepted", "note": "As reported."
  })"));
}

TEST_F(FaultJson, APartHasItsOwnLabelsPlaceAndPatch)
{
  const Json parts = full_json(loaded(two_part_fault()), 1)["parts"];
  ASSERT_EQ(parts.size(), 2);
  EXPECT_EQ(parts[1]["name"], "print");
  EXPECT_EQ(parts[1]["title"], "Part print");
  EXPECT_EQ(parts[1]["patch"], "print.patch");
  EXPECT_EQ(parts[1]["published"], parse_json(R"(["fix_pattern"])"));
  EXPECT_EQ(parts[1]["labels"]["type"], "api/missing-api-call");
  EXPECT_EQ(parts[1]["location"], parse_json(R"({"file": "train.py", "lines": [7]})"));
}

TEST_F(FaultJson, AnAcceptedFixIsThereWithItsDiff)
{
  const Json accepted = full_json(loaded(two_part_fault()), 1)["accepted"];
  ASSERT_EQ(accepted.size(), 1);
  EXPECT_EQ(accepted[0]["part"], "gradients");
  EXPECT_EQ(accepted[0]["patch"], "accepted/clear-after.patch");
  EXPECT_EQ(accepted[0]["why"], "Clearing after the step is as good.");
  EXPECT_THAT(accepted[0]["diff"].get<std::string>(),
              testing::EndsWith(
                  "     loss.backward()\n     optimizer.step()\n+    optimizer.zero_grad()\n"));
  EXPECT_FALSE(accepted[0].contains("location"));
  EXPECT_FALSE(accepted[0].contains("fix_pattern"));
}

TEST_F(FaultJson, AnAcceptedTypeIsALeafAndMayStandAlone)
{
  FileTree files = two_part_fault();
  files["fault.toml"] += "\n[[accepted]]\npart = \"print\"\ntype = \"api/deprecated-api\"\n"
                         "why = \"The old name of the call.\"\n";
  const Json accepted = full_json(loaded(files), 1)["accepted"];
  ASSERT_EQ(accepted.size(), 2);
  EXPECT_EQ(accepted[1]["type"], "api/deprecated-api");
  EXPECT_FALSE(accepted[0].contains("type"));
}

TEST_F(FaultJson, AStatisticalOracleIsThereInFull)
{
  FileTree files = minimal_fault();
  change(
      files,
      "fault.toml",
      "evidence = \"FAIL: loss\"\n",
      "evidence = \"FAIL: loss\"\nmetric = \"accuracy\"\ndirection = \"higher\"\nthreshold = 0.5\n"
      "seeds = 10\ntest = \"welch\"\nalpha = 0.25\neffect = 2\n");
  EXPECT_EQ(full_json(loaded(files), 1)["oracle"], parse_json(R"({
    "kind": "statistical",
    "evidence": "FAIL: loss",
    "metric": "accuracy",
    "direction": "higher",
    "threshold": 0.5,
    "seeds": 10,
    "test": "welch",
    "alpha": 0.25,
    "effect": 2.0
  })"));
}

TEST_F(FaultJson, LocationsAreThoseOfThePartsAndOtherPlacesToBlame)
{
  FileTree files = two_part_fault();
  files["fault.toml"] += "\n[[accepted]]\npart = \"print\"\nfile = \"train.py\"\nlines = [4, 5]\n"
                         "why = \"Where the loss comes from.\"\n";
  EXPECT_EQ(locations_json(loaded(files)), parse_json(R"({
    "id": "pytorch-flat-loss",
    "locations": [
      {"file": "train.py", "lines": [4], "part": "gradients", "type": "api/missing-api-call"},
      {"file": "train.py", "lines": [7], "part": "print", "type": "api/missing-api-call"}
    ],
    "accepted": [
      {"file": "train.py", "lines": [4, 5], "part": "print", "why": "Where the loss comes from."}
    ]
  })"));
}

TEST_F(FaultJson, BytesThatAreNoTextDoNotStopThePrinting)
{
  Fault fault = loaded(minimal_fault());
  fault.title = "caf\xE9";
  EXPECT_THAT(print_json(summary_json(fault, 1)), testing::HasSubstr("\"title\": \"caf\uFFFD\""));
}

} // namespace faultline::catalog
