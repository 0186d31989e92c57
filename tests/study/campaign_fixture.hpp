#pragma once

// Made-up campaigns: a small one whose tables can be checked by hand, and a large one that looks
// like a real one. Neither is a result.

#include "base/format.hpp"
#include "campaign/data.hpp"

#include <cmath>
#include <limits>
#include <random>

namespace faultline::study {

// Builds a campaign variant by variant.
struct Fixture {
  campaign::Data data;

  Fixture()
  {
    data.spec.name = "Sentence classifier";
    data.spec.text = "name = \"Sentence classifier\"\n";
    campaign::Metric accuracy;
    accuracy.name = "accuracy";
    accuracy.least = 0;
    accuracy.most = 1;
    data.spec.metrics = {accuracy};
    data.spec.phases = {{"preprocessing", {}}, {"learning", {}}};
    data.started = "2026-01-02T03:04:05Z";
    data.finished = "2026-01-02T04:04:05Z";
    data.machine = "2 × made-up processor";
    data.versions = {{"python", "3.11.2"}, {"torch", "1.13.1"}};
    data.settings = {{"executor", "local"}};
  }

  void clean(double accuracy, double seconds)
  {
    campaign::Run run;
    run.repeat = static_cast<int>(data.clean.size());
    run.metrics["accuracy"] = accuracy;
    run.seconds = run.cpu_seconds = run.spent_seconds = seconds;
    data.clean.push_back(run);
  }

  campaign::VariantRecord&
  variant(const std::string& id, const std::string& op, std::vector<std::string> phases)
  {
    campaign::VariantRecord record;
    record.variant.id = id;
    record.variant.op = op;
    record.variant.file = "model.py";
    record.variant.line = data.variants.size() + 1;
    record.variant.before = "+";
    record.variant.after = "-";
    record.phases = std::move(phases);
    data.variants.push_back(record);
    return data.variants.back();
  }

  // A run of the variant that was added last.
  campaign::Run& run(campaign::Symptom symptom, double accuracy = 0, double seconds = 10)
  {
    campaign::Run made;
    made.variant = data.variants.back().variant.id;
    for (const campaign::Run& before : data.runs) {
      made.repeat += before.variant == made.variant ? 1 : 0;
    }
    made.symptom = symptom;
    made.start = campaign::Start::function;
    made.seconds = made.cpu_seconds = seconds;
    made.spent_seconds = seconds / 2;
    if (symptom != campaign::Symptom::crash && symptom != campaign::Symptom::hang) {
      made.metrics["accuracy"] = accuracy;
    }
    data.runs.push_back(made);
    return data.runs.back();
  }

  void crash(const std::string& exception, const std::string& file, size_t line)
  {
    campaign::Crash what;
    what.exception = exception;
    what.message = "it went wrong";
    what.file = file;
    what.line = line;
    what.function = "forward";
    what.statement = "x = x + y";
    run(campaign::Symptom::crash, 0, 1).crash = what;
  }
};

// Four clean runs and ten variants:
//
//   id   operator  phase          library   symptom        accuracy  seconds
//   a1   MU001     preprocessing            normal         0.80      10
//   a2   MU001     preprocessing            normal         0.82      11
//   a3   MU001     learning                 degraded       0.20      10
//   a4   MU001     learning                 crash ValueError model.py:7
//   c1   ComOR     learning       torch.nn  crash ValueError model.py:7
//   c2   ComOR     learning       torch.nn  crash TypeError conv.py:9
//   c3   ComOR     learning       torch.nn  hang
//   c4   ComOR     learning       torch.nn  slower         0.81      40
//   c5   ComOR     both           torch.nn  not-a-number   NaN
//   c6   ComOR     preprocessing            invalid        7
//   n1   planned, never run
inline campaign::Data small_campaign()
{
  using campaign::Symptom;
  Fixture f;
  for (const auto& [accuracy, seconds] : {std::pair(0.80, 9.0),
                                          std::pair(0.82, 10.0),
                                          std::pair(0.84, 10.0),
                                          std::pair(0.86, 11.0)}) {
    f.clean(accuracy, seconds);
  }
  f.variant("a1", "MU001", {"preprocessing"});
  campaign::Run& skipped = f.run(Symptom::normal, 0.80, 10);
  skipped.start = campaign::Start::none;
  skipped.decision = campaign::Decision::same_value;
  skipped.spent_seconds = 0;
  f.variant("a2", "MU001", {"preprocessing"});
  f.run(Symptom::normal, 0.82, 11).decision = campaign::Decision::same_state;
  f.variant("a3", "MU001", {"learning"});
  f.run(Symptom::degraded, 0.20, 10);
  f.variant("a4", "MU001", {"learning"});
  f.crash("ValueError", "model.py", 7);
  const auto library_variant = [&f](const char* id, std::vector<std::string> phases) {
    f.variant(id, "ComOR", std::move(phases)).variant.library = "torch.nn";
  };
  library_variant("c1", {"learning"});
  f.crash("ValueError", "model.py", 7);
  library_variant("c2", {"learning"});
  f.crash("TypeError", "conv.py", 9);
  library_variant("c3", {"learning"});
  f.run(Symptom::hang, 0, 50);
  library_variant("c4", {"learning"});
  f.run(Symptom::slower, 0.81, 40).start = campaign::Start::cold;
  library_variant("c5", {"preprocessing", "learning"});
  f.run(Symptom::not_a_number, std::numeric_limits<double>::quiet_NaN());
  f.variant("c6", "ComOR", {"preprocessing"});
  f.run(Symptom::invalid_metric, 7);
  f.variant("n1", "ComOR", {"preprocessing"});
  return f.data;
}

// `variants` variants of the eight operators of the study, with shares much like its.
inline campaign::Data large_campaign(size_t variants)
{
  using campaign::Symptom;
  std::mt19937 random(7);
  // Not std::uniform_real_distribution: its numbers differ between libraries.
  const auto chance = [&random] { return static_cast<double>(random()) / 4294967296.0; };
  const auto normal = [&] {
    return std::sqrt(-2 * std::log(chance() + 1e-12)) * std::cos(6.283185307 * chance());
  };
  Fixture f;
  f.data.spec.phases = {{"preprocessing", {}}, {"constructing", {}}, {"learning", {}}};
  for (int i = 0; i < 10; ++i) {
    f.clean(0.965 + 0.006 * normal(), 5.1 + 0.12 * normal());
  }
  struct Kind {
    const char* op;
    double crash;
    const char* before;
    const char* after;
  };
  const Kind kinds[] = {{"ArOR", 0.40, "a + b", "a - b"},
                        {"ComOR", 0.50, "n == 3", "n != 3"},
                        {"LogOR", 0.50, "a and b", "a or b"},
                        {"AsOR", 0.25, "n += 1", "n = 1"},
                        {"MemOR", 0.60, "k in seen", "k not in seen"},
                        {"BVR", 0.15, "True", "False"},
                        {"NVR", 0.20, "1", "2"}};
  const char* const files[] = {"model.py",
                               "data.py",
                               "torch/nn/modules/conv.py",
                               "torch/nn/functional.py",
                               "torch/optim/adam.py"};
  const std::vector<std::string> phases[] = {
      {"constructing", "learning"}, {"preprocessing"}, {"constructing"}, {"learning"}};
  const char* const exceptions[] = {"RuntimeError", "TypeError", "ValueError", "AttributeError"};
  for (size_t i = 0; i < variants; ++i) {
    const Kind& kind = kinds[random() % 7];
    campaign::VariantRecord& record =
        f.variant(format("{}-{:08x}", kind.op, random()), kind.op, phases[random() % 4]);
    record.variant.file = files[random() % 5];
    record.variant.library = record.variant.file.starts_with("torch") ? "torch.nn" : "";
    record.variant.line = 1 + random() % 400;
    record.variant.before = kind.before;
    record.variant.after = kind.after;
    const double dice = chance();
    if (dice < kind.crash) {
      f.crash(exceptions[random() % 4], files[2 + random() % 3], 10 * (1 + random() % 9));
    } else if (dice > 0.995) {
      f.run(Symptom::hang, 0, 26);
    } else if (dice > 0.985) {
      f.run(Symptom::not_a_number, std::numeric_limits<double>::quiet_NaN());
    } else if (dice > 0.93) {
      f.run(Symptom::degraded, 0.5 + 0.44 * chance(), 5.1 + 0.15 * normal());
    } else if (dice > 0.915) {
      f.run(Symptom::slower, 0.965 + 0.004 * normal(), 8 + 5 * chance());
    } else if (dice > 0.905) {
      f.run(Symptom::faster, 0.961 + 0.004 * normal(), 2 + chance());
    } else if (dice > 0.9) {
      f.run(Symptom::improved, 0.982 + 0.003 * chance(), 5.2 + 0.1 * normal());
    } else {
      campaign::Run& run =
          f.run(Symptom::normal,
                chance() < 0.6 ? f.data.clean[0].metrics["accuracy"] : 0.965 + 0.006 * normal(),
                5.1 + 0.12 * normal());
      run.decision = chance() < 0.5 ? campaign::Decision::same_state : campaign::Decision::ran;
    }
  }
  return f.data;
}

} // namespace faultline::study
