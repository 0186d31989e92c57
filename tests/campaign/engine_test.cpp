// Whatever shortcut the engine takes, a variant comes out as it does from nothing.

#include "base/format.hpp"
#include "base/json.hpp"
#include "campaign/engine.hpp"
#include "campaign/judge.hpp"
#include "campaign/plan.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <mutex>

namespace faultline::campaign {

namespace {

namespace fs = std::filesystem;

const run::Environment& machine()
{
  static const run::Environment k_machine = run::discover_environment(FL_SOURCE_DIR, {});
  return k_machine;
}

// A subject of tests/data/campaign, planned once.
struct Subject {
  Spec spec;
  Plan plan;
  std::string reference;
  std::vector<const VariantRecord*> variants;

  static std::unique_ptr<Subject> plan_it(const std::string& name, size_t most)
  {
    auto subject = std::make_unique<Subject>();
    Result<Spec> spec = load_spec(fs::path(FL_TEST_DATA) / "campaign" / name / "campaign.toml");
    EXPECT_TRUE(spec) << spec.error().line();
    subject->spec = *std::move(spec);
    Engine engine(subject->spec, machine(), {});
    PlanOptions options;
    options.most_variants = most;
    Result<Plan> plan = make_plan(
        subject->spec, machine(), engine, [](std::string_view) {}, options);
    EXPECT_TRUE(plan) << plan.error().line();
    subject->plan = *std::move(plan);
    Result<std::string> reference =
        engine.measure_reference(subject->plan.data.variants, subject->plan.coverage, 0);
    EXPECT_TRUE(reference) << reference.error().line();
    subject->reference = *std::move(reference);
    for (const VariantRecord& record : subject->plan.data.variants) {
      subject->variants.push_back(&record);
    }
    return subject;
  }

  std::map<std::string, Run> run(EngineConfig config, double limit_seconds) const
  {
    Engine engine(spec, machine(), config);
    std::map<std::string, Run> runs;
    std::mutex mutex;
    const Bounds bounds = bounds_of(plan.data.clean, spec);
    const Result<void> done =
        engine.run_all(variants, 0, reference, limit_seconds, 2, [&](Observed observed) {
          const std::lock_guard lock(mutex);
          observed.run.symptom = judge(observed.run, bounds, spec);
          EXPECT_TRUE(runs.emplace(observed.run.variant, observed.run).second)
              << observed.run.variant << " ended twice";
        });
    EXPECT_TRUE(done) << done.error().line();
    EXPECT_EQ(runs.size(), variants.size());
    return runs;
  }

  std::string describe(const std::string& id) const
  {
    for (const VariantRecord& record : plan.data.variants) {
      const inject::Variant& v = record.variant;
      if (v.id == id) {
        return format("{} {}:{} {} -> {}", id, v.file, v.line, v.before, v.after);
      }
    }
    return id;
  }
};

// Speed is not compared: it is the machine's as much as the variant's.
Symptom without_speed(Symptom symptom)
{
  return symptom == Symptom::slower || symptom == Symptom::faster ? Symptom::normal : symptom;
}

void expect_same(const Subject& subject,
                 const std::map<std::string, Run>& warm,
                 const std::map<std::string, Run>& cold)
{
  for (const auto& [id, run] : warm) {
    const Run& from_nothing = cold.at(id);
    const std::string what =
        format("{} ({}, {})", subject.describe(id), name_of(run.start), name_of(run.decision));
    EXPECT_EQ(name_of(without_speed(run.symptom)), name_of(without_speed(from_nothing.symptom)))
        << what;
    EXPECT_EQ(run.metrics.size(), from_nothing.metrics.size()) << what;
    for (const auto& [name, value] : run.metrics) {
      const auto other = from_nothing.metrics.find(name);
      ASSERT_NE(other, from_nothing.metrics.end()) << what;
      EXPECT_TRUE(value == other->second || (std::isnan(value) && std::isnan(other->second)))
          << what << " " << name << ": " << value << " instead of " << other->second;
    }
    ASSERT_EQ(run.crash.has_value(), from_nothing.crash.has_value()) << what;
    if (run.crash) {
      EXPECT_EQ(run.crash->exception, from_nothing.crash->exception) << what;
      EXPECT_EQ(run.crash->file, from_nothing.crash->file) << what;
      EXPECT_EQ(run.crash->line, from_nothing.crash->line) << what;
      EXPECT_EQ(run.crash->statement, from_nothing.crash->statement) << what;
    }
  }
}

size_t count(const std::map<std::string, Run>& runs, auto predicate)
{
  return static_cast<size_t>(
      std::ranges::count_if(runs, [&](const auto& entry) { return predicate(entry.second); }));
}

} // namespace

TEST(Engine, WarmAndColdGiveTheSameOutcome)
{
  const auto subject = Subject::plan_it("toy", 90);
  const auto cold = subject->run({.mode = Mode::cold}, 30);
  const auto fast = subject->run({.mode = Mode::fast}, 30);
  expect_same(*subject, fast, cold);
  const auto exact = subject->run({.mode = Mode::exact}, 30);
  expect_same(*subject, exact, cold);

  // The test must have seen every way to start and every shortcut.
  for (const Start start : {Start::function, Start::defaults, Start::module, Start::none}) {
    EXPECT_GT(count(fast, [start](const campaign::Run& run) { return run.start == start; }), 0U)
        << name_of(start);
  }
  for (const Decision decision : {Decision::ran, Decision::same_value, Decision::same_state}) {
    EXPECT_GT(
        count(fast, [decision](const campaign::Run& run) { return run.decision == decision; }), 0U)
        << name_of(decision);
  }
  EXPECT_EQ(count(exact, [](const campaign::Run& run) { return run.decision != Decision::ran; }),
            0U);
  EXPECT_EQ(count(cold, [](const campaign::Run& run) { return run.start != Start::cold; }), 0U);
}

TEST(Engine, HostileVariantsEndAsTheirOwnSymptomAndTheRestCompletes)
{
  const auto subject = Subject::plan_it("hostile", 1000);
  const Json expected =
      parse_json(*read_file(fs::path(FL_TEST_DATA) / "campaign" / "hostile" / "expected.json"));
  const std::string switches =
      *read_file(fs::path(FL_TEST_DATA) / "campaign" / "hostile" / "switches.py");
  const auto runs = subject->run({.mode = Mode::fast}, 6);
  size_t hostile = 0;
  for (const VariantRecord& record : subject->plan.data.variants) {
    const campaign::Run& run = runs.at(record.variant.id);
    if (record.variant.file != "switches.py" || record.variant.op != "MU007") {
      continue;
    }
    // The function that the changed line stands in.
    const size_t begin = record.variant.edits.front().begin;
    const size_t def = switches.rfind("\ndef ", begin) + 5;
    const std::string name = switches.substr(def, switches.find('(', def) - def);
    if (expected.contains(name)) {
      ++hostile;
      EXPECT_EQ(name_of(without_speed(run.symptom)), expected[name].get<std::string>()) << name;
    }
  }
  EXPECT_GE(hostile, expected.size());
  EXPECT_GE(hostile * 10, subject->variants.size()) << "a tenth of the campaign is hostile";
}

} // namespace faultline::campaign
