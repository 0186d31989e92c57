#include "campaign/probe_order.hpp"

#include "base/format.hpp"
#include "campaign/cold_run.hpp"
#include "run/sandbox.hpp"

namespace faultline::campaign {

// Inside the sandbox: what a program may write to, and its own folder in there.
constexpr std::string_view k_program_folder = "/fault/program";

static bool is_source_level(const inject::Variant& variant)
{
  const inject::Operator* op = inject::find_operator(variant.op);
  return op != nullptr && op->level == inject::Level::source;
}

Json order_of(const inject::Variant& variant)
{
  Json edits = Json::array();
  for (const source::Edit& edit : variant.edits) {
    edits.push_back({edit.begin, edit.end, edit.text});
  }
  return {{"file", variant.file},
          {"own", variant.library.empty()},
          {"edits", std::move(edits)},
          {"early", is_source_level(variant)}};
}

Json segments_json(const Coverage& coverage, const std::vector<VariantRecord>& variants)
{
  Json files = Json::object();
  for (const VariantRecord& record : variants) {
    const auto found = coverage.segments.find(record.variant.file);
    if (found == coverage.segments.end() || files.contains(record.variant.file)) {
      continue;
    }
    Json& lines = files[record.variant.file] = Json::object();
    for (const auto& [line, segments] : found->second) {
      lines[format("{}", line)] = segments;
    }
  }
  return files;
}

Json order_json(const Spec& spec, const FileTree& program, const run::Job& job, int repeat)
{
  Json order;
  order["root"] = k_program_folder;
  order["scratch"] = run::k_folder;
  order["files"] = program;
  const std::vector<std::string> words = command_of(spec, repeat);
  order["arguments"] = std::vector<std::string>(words.begin() + 1, words.end());
  order["variables"] = job.variables;
  order["checkpoint"] = spec.checkpoint;
  order["json"] = Json::array();
  for (const Metric& metric : spec.metrics) {
    if (!metric.json.empty()) {
      order["json"].push_back(metric.json);
    }
  }
  order["variants"] = Json::array();
  return order;
}

} // namespace faultline::campaign
