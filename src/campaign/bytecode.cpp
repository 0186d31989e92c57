#include "campaign/bytecode.hpp"

#include "base/format.hpp"
#include "base/json.hpp"
#include "base/text.hpp"
#include "run/cold_start.hpp"

#include <map>

namespace faultline::campaign {

// What probes/same_bytecode.py reads.
static run::Job job_for(const std::vector<inject::Variant>& variants,
                        const FileTree& files,
                        const run::Environment& environment,
                        std::string probe)
{
  run::Job job;
  job.files["same_bytecode.py"] = std::move(probe);
  std::map<std::string, size_t> numbers;
  Json batch{{"files", Json::array()}, {"variants", Json::array()}};
  for (const inject::Variant& variant : variants) {
    const auto [number, is_new] = numbers.try_emplace(variant.file, numbers.size());
    if (is_new) {
      const std::string path = format("text/{}.py", number->second);
      job.files[path] = files.at(variant.file);
      batch["files"].push_back(path);
    }
    Json edits = Json::array();
    for (const source::Edit& edit : variant.edits) {
      edits.push_back(Json::array({edit.begin, edit.end, edit.text}));
    }
    batch["variants"].push_back({{"file", number->second}, {"edits", std::move(edits)}});
  }
  job.files["batch.json"] = print_json_line(batch);
  job.command = {environment.python->path.string(), "same_bytecode.py", "batch.json"};
  run::place_in(environment, job);
  // A class of a thousand lines takes some twenty milliseconds.
  job.limits.wall_seconds = 60 + 0.2 * static_cast<double>(variants.size());
  job.limits.cpu_seconds = job.limits.wall_seconds;
  job.limits.memory_mib = 2048;
  job.limits.disk_mib = 1024;
  job.returns_result = true;
  return job;
}

Result<Compiled> compile_variants(std::vector<inject::Variant> variants,
                                  const FileTree& files,
                                  const run::Environment& environment)
{
  Compiled compiled;
  if (variants.empty()) {
    return compiled;
  }
  if (!environment.python) {
    return Error{ErrorKind::machine, *environment.missing("pytorch")};
  }
  for (const inject::Variant& variant : variants) {
    FL_CHECK(inject::changed_text(variant, files));
  }
  FL_TRY(std::string probe, read_file(environment.probes / "same_bytecode.py"));
  const run::RunOutcome outcome = run::run_cold(
      job_for(variants, files, environment, std::move(probe)), run::Isolation::sandbox);
  const Json words = parse_json(outcome.result);
  if (!outcome.succeeded() || !words.is_array() || words.size() != variants.size()) {
    return Error{ErrorKind::machine,
                 format("cannot compile the variants: {}{}{}",
                        run::describe(outcome),
                        outcome.reason.empty() ? "" : ": " + outcome.reason,
                        outcome.log.empty() ? "" : ": " + std::string(trim(outcome.log)))};
  }
  for (size_t i = 0; i < variants.size(); ++i) {
    std::vector<inject::Variant>& kind = words[i] == "different"    ? compiled.different
                                         : words[i] == "equivalent" ? compiled.equivalent
                                                                    : compiled.broken;
    kind.push_back(std::move(variants[i]));
  }
  return compiled;
}

Result<std::vector<inject::Variant>> without_equivalent(std::vector<inject::Variant> variants,
                                                        const FileTree& files,
                                                        const run::Environment& environment)
{
  FL_TRY(Compiled compiled, compile_variants(std::move(variants), files, environment));
  return std::move(compiled.different);
}

} // namespace faultline::campaign
