#include "study/injected_logs/study.hpp"

#include "base/format.hpp"
#include "base/text.hpp"
#include "stats/box_plot.hpp"
#include "study/injected_logs/explain.hpp"

#include <algorithm>
#include <cmath>
#include <set>

namespace faultline::study::injected {

namespace {

bool is_complete(Library library, const StudyData& data, const Published& published)
{
  const auto of_library = [library](const auto& one) { return one.library == library; };
  const auto has_log = [&](const MutantRun& run) {
    return run.library == library && data.logs.contains(run.log_file);
  };
  return static_cast<size_t>(std::ranges::count_if(data.runs, has_log)) ==
             published.logs.at(library) &&
         static_cast<size_t>(std::ranges::count_if(data.entries, of_library)) ==
             published.entries.at(library);
}

// Of a run of which only the authors' list speaks: it gave a time or it did not.
LogSymptom application_symptom(const ListEntry& entry)
{
  return entry.training_seconds ? LogSymptom::normal : LogSymptom::crash;
}

// Fills the counts of `row`, which names a library and perhaps an operator.
void count(SymptomRow& row, const StudyData& data)
{
  const auto belongs = [&row](const auto& mutant) {
    return mutant.library == row.library &&
           (row.mutation_operator.empty() || mutant.mutation_operator == row.mutation_operator);
  };
  for (const MutantRun& run : data.runs) {
    const auto log = data.logs.find(run.log_file);
    if (belongs(run) && log != data.logs.end()) {
      row.logs.add(log->second.symptom);
    }
  }
  row.recomputed = row.logs;
  for (const ListEntry& entry : data.entries) {
    const auto log = data.logs.find(entry.log_file);
    if (!belongs(entry)) {
      continue;
    }
    if (log == data.logs.end() && !entry.is_application) {
      ++row.without_log;
      continue;
    }
    if (entry.is_application) {
      row.recomputed.add(application_symptom(entry));
    }
    // The lists know no hang; a run that hung is not a crash for that.
    const bool hung = log != data.logs.end() && log->second.symptom == LogSymptom::hang;
    row.lists.add(entry.accuracy ? LogSymptom::normal
                  : hung         ? LogSymptom::hang
                                 : LogSymptom::crash);
  }
}

void count_symptoms(InjectedStudy& study, const StudyData& data, const Published& published)
{
  for (const Library library : k_libraries) {
    const bool complete = is_complete(library, data, published);
    for (const std::string_view mutation_operator : k_operators) {
      SymptomRow row;
      row.library = library;
      row.mutation_operator = mutation_operator;
      row.published = published.operators.at(library).find(mutation_operator)->second;
      row.complete = complete;
      count(row, data);
      row.difference = explain_operator(row, published);
      study.operators.push_back(std::move(row));
    }
    SymptomRow others;
    others.library = library;
    others.mutation_operator = "other";
    count(others, data);
    if (others.recomputed.total() > 0) {
      others.difference = {false, "not in table V"};
      study.outside.push_back(std::move(others));
    }
  }
  for (const Library library : k_libraries) {
    SymptomRow row;
    row.library = library;
    row.published = published.symptoms.at(library);
    count(row, data);
    row.difference = explain_library(row, study.operators, study.outside);
    study.symptoms.push_back(std::move(row));
  }
}

OutlierCounts outliers_of(const stats::BoxPlot& box)
{
  return {box.below.size(), box.above.size()};
}

// The value that a box is drawn from; an accuracy that is none is left out, as the paper does.
std::optional<double>
measured(Measure measure, std::optional<double> accuracy, std::optional<double> seconds)
{
  if (measure == Measure::time) {
    return seconds;
  }
  return accuracy && *accuracy >= 0 && *accuracy <= 1 ? accuracy : std::nullopt;
}

void count_outliers(InjectedStudy& study, const StudyData& data, const Published& published)
{
  for (const Library library : k_libraries) {
    for (const Measure measure : k_measures) {
      std::vector<double> in_lists;
      std::vector<double> in_logs;
      for (const ListEntry& entry : data.entries) {
        const std::optional<double> value =
            measured(measure, entry.accuracy, entry.training_seconds);
        if (entry.library == library && value) {
          in_lists.push_back(*value);
          if (entry.is_application) {
            in_logs.push_back(*value);
          }
        }
      }
      for (const MutantRun& run : data.runs) {
        const auto log = data.logs.find(run.log_file);
        if (run.library != library || log == data.logs.end() ||
            log->second.symptom != LogSymptom::normal) {
          continue;
        }
        if (const std::optional<double> value =
                measured(measure, log->second.accuracy, log->second.training_seconds)) {
          in_logs.push_back(*value);
        }
      }
      OutlierRow row;
      row.library = library;
      row.measure = measure;
      row.complete = is_complete(library, data, published);
      row.published = published.outliers.at(library).at(measure);
      row.values = in_lists.size();
      if (!in_lists.empty()) {
        const stats::BoxPlot box = stats::box_plot(in_lists);
        row.lists = outliers_of(box);
        row.lower_quartile = box.lower_quartile;
        row.upper_quartile = box.upper_quartile;
      }
      if (!in_logs.empty()) {
        row.logs = outliers_of(stats::box_plot(in_logs));
      }
      row.difference = explain_outliers(row, published);
      study.outliers.push_back(std::move(row));
    }
  }
}

void count_peculiar(InjectedStudy& study, const StudyData& data, const Published& published)
{
  CountsByLibrary syntax;
  CountsByLibrary environment;
  CountsByLibrary handled;
  CountsByLibrary repeated;
  CountsByLibrary without_accuracy;
  bool named = false;
  for (const MutantRun& run : data.runs) {
    const auto found = data.logs.find(run.log_file);
    if (found == data.logs.end()) {
      continue;
    }
    const LogFacts& log = found->second;
    const bool normal = log.symptom == LogSymptom::normal;
    syntax[run.library] += log.is_syntax_error() ? 1 : 0;
    environment[run.library] += log.rule == LogRule::environment_failure ? 1 : 0;
    handled[run.library] += log.handled_tracebacks > 0 ? 1 : 0;
    repeated[run.library] += log.repeated_epochs ? 1 : 0;
    without_accuracy[run.library] += normal && !log.accuracy ? 1 : 0;
    if (log.symptom == LogSymptom::crash) {
      ++study.crashes[log.exception.empty() ? "(no name)" : log.exception][run.library];
    }
    if (normal && log.is_invalid_accuracy()) {
      study.invalid.push_back({run.id, *log.accuracy});
      named = named || *log.accuracy == published.named_invalid_accuracy;
    }
  }
  study.peculiar = {{"crash by a syntax error", syntax},
                    {"crash by the machine, not the mutant", environment},
                    {"normal, though with tracebacks", handled},
                    {"normal, without an accuracy", without_accuracy},
                    {"epochs of another run at the end", repeated}};
  study.invalid_published = published.invalid_accuracies;
  study.invalid_difference.equal = named && study.invalid.size() == published.invalid_accuracies;
}

void check_findings(InjectedStudy& study)
{
  SymptomCounts all;
  std::map<std::string, SymptomCounts> by_operator;
  const auto add = [](SymptomCounts& sum, const SymptomCounts& counts) {
    sum.normal += counts.normal;
    sum.crash += counts.crash;
    sum.hang += counts.hang;
  };
  bool more_than_half = true;
  for (const SymptomRow& row : study.symptoms) {
    add(all, row.recomputed);
    more_than_half = more_than_half && 2 * row.recomputed.normal > row.recomputed.total() &&
                     2 * row.recomputed.crash < row.recomputed.total();
  }
  for (const SymptomRow& row : study.operators) {
    add(by_operator[row.mutation_operator], row.recomputed);
  }
  const auto share = [](size_t part, const SymptomCounts& counts) {
    return counts.total() == 0
               ? 0.0
               : 100 * static_cast<double>(part) / static_cast<double>(counts.total());
  };
  study.findings.push_back(
      {1,
       "more than half of the mutants run normally and fewer than half crash, in each library",
       more_than_half,
       format("{:.2f} % normal, {:.2f} % crash", share(all.normal, all), share(all.crash, all))});
  bool held = true;
  std::vector<std::string> numbers;
  for (const char* name : {"ComOR", "MemOR", "LogOR"}) {
    const SymptomCounts& counts = by_operator[name];
    held = held && share(counts.crash, counts) > share(all.crash, all);
    numbers.push_back(format("{} {:.1f} % crash", name, share(counts.crash, counts)));
  }
  for (const char* name : {"BVR", "NVR"}) {
    const SymptomCounts& counts = by_operator[name];
    held = held && share(counts.normal, counts) > share(all.normal, all);
    numbers.push_back(format("{} {:.1f} % normal", name, share(counts.normal, counts)));
  }
  study.findings.push_back({5,
                            "ComOR, MemOR and LogOR crash more often than all mutants do, BVR and "
                            "NVR run normally more often",
                            held,
                            join(numbers, ", ")});
}

std::string print_number(std::optional<double> value)
{
  return value ? format("{}", *value) : "none";
}

// Times in the file are rounded to milliseconds or to hundredths of a second.
bool same_time(std::optional<double> a, std::optional<double> b)
{
  return a.has_value() == b.has_value() && (!a || std::abs(*a - *b) < 1e-3);
}

void compare(InjectedStudy& study, const StudyData& data)
{
  study.agreement = {{"symptom"},
                     {"rule"},
                     {"exception"},
                     {"accuracy"},
                     {"training time"},
                     {"handled tracebacks"}};
  std::set<std::string_view> listed;
  for (const MutantRun& run : data.runs) {
    listed.insert(run.log_file);
    const RecordedFacts& recorded = run.recorded;
    const auto found = data.logs.find(run.log_file);
    const bool missing = found == data.logs.end();
    const LogFacts log = missing ? LogFacts() : found->second;
    const auto one =
        [&](size_t field, bool same, const std::string& ours, const std::string& theirs) {
          Agreement& agreement = study.agreement[field];
          ++agreement.total;
          if (same && !missing) {
            ++agreement.agreed;
          } else if (!missing || field == 0) {
            study.disagreements.push_back(
                {run.id, agreement.field, missing ? "no log" : ours, theirs, log.last_line});
          }
        };
    const auto text = [&](size_t field, const std::string& ours, const std::string& theirs) {
      one(field, ours == theirs, ours, theirs);
    };
    text(0, std::string(name_of(log.symptom)), recorded.symptom);
    text(1, std::string(name_of(log.rule)), recorded.rule);
    text(2, log.exception, recorded.exception);
    one(3,
        log.accuracy == recorded.accuracy,
        print_number(log.accuracy),
        print_number(recorded.accuracy));
    one(4,
        same_time(log.training_seconds, recorded.training_seconds),
        print_number(log.training_seconds),
        print_number(recorded.training_seconds));
    text(5,
         format("{} {}", log.handled_tracebacks, log.handled_exception),
         format("{} {}", recorded.handled_tracebacks, recorded.handled_exception));
  }
  for (const auto& [path, log] : data.logs) {
    if (!listed.contains(path)) {
      study.disagreements.push_back(
          {path, "symptom", std::string(name_of(log.symptom)), "no row", log.last_line});
    }
  }
}

} // namespace

size_t InjectedStudy::unexplained() const
{
  const auto open = [](const auto& row) { return row.difference.unexplained(); };
  const auto count_in = [&open](const auto& rows) {
    return static_cast<size_t>(std::ranges::count_if(rows, open));
  };
  return count_in(symptoms) + count_in(operators) + count_in(outliers) +
         (invalid_difference.unexplained() ? 1 : 0) + disagreements.size();
}

InjectedStudy recompute(const StudyData& data, const Published& published)
{
  InjectedStudy study;
  count_symptoms(study, data, published);
  count_outliers(study, data, published);
  count_peculiar(study, data, published);
  check_findings(study);
  compare(study, data);
  return study;
}

} // namespace faultline::study::injected
