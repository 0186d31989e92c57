#include "rules/facts.hpp"
#include "rules/reporter.hpp"
#include "rules/tf1/graph.hpp"
#include "rules/values.hpp"

#include <algorithm>

namespace faultline::rules {

using namespace tf1;

namespace {

bool covers_all(const Call& saver)
{
  const Ref list = saver.arg("var_list");
  return list == nullptr || list->kind == program::Kind::none;
}

const Call* saver_of(const Call& call)
{
  const auto* saver = program::as<Instance>(call.self);
  return saver != nullptr && saver->made_by != nullptr && saver->made_by->is("saver")
             ? saver->made_by
             : nullptr;
}

// Restored weights are overwritten by an initialiser that is run afterwards.
void check_overwritten(const Graph& graph, const Call& restore, Reporter& report)
{
  for (const Run& run : graph.runs()) {
    const Call& call = *run.call;
    const Call* initialiser = first_of(run.needs, [](const Call& node) {
      return is_global_initialiser(node) && node.arguments.empty();
    });
    const bool is_later = call.order > restore.order && call.span.begin > restore.span.begin;
    if (initialiser == nullptr || !is_later || restore.arg("sess") != run.session ||
        are_exclusive(restore, call) || call.within(Context::Kind::branch) != nullptr) {
      continue;
    }
    report.add(call.span, "the initialiser overwrites the weights that were restored before")
        .note(restore.span, "restored here")
        .help("run the initialiser first, or not at all")
        .cause(&restore);
    return;
  }
}

// A saver covers the variables that exist when it is made.
void check_early(const Program& program, const Call& saver, Reporter& report)
{
  const bool is_used = std::ranges::any_of(program.calls(), [&saver](const Call& call) {
    return (call.is("save") || call.is("restore")) && saver_of(call) == &saver;
  });
  if (!is_used || !covers_all(saver) || saver.name != "tensorflow.train.Saver") {
    return;
  }
  const void* graph = graph_of(program, saver);
  const Call* earlier = nullptr;
  const Call* later = nullptr;
  for (const Call& call : program.calls()) {
    const bool is_unknown = call.api == nullptr || call.is("saver") ||
                            call.name.find("import_graph") != std::string::npos;
    if (call.order < saver.order && &call != &saver &&
        (is_unknown || call.has(program::k_learning) || makes_variables(call))) {
      earlier = &call;
    }
    if (!makes_variables(call) || call.order < saver.order || graph_of(program, call) != graph ||
        call.speculative != saver.speculative || are_exclusive(call, saver)) {
      continue;
    }
    later = later == nullptr ? &call : later;
  }
  if (later == nullptr) {
    return;
  }
  report
      .add(saver.span,
           earlier == nullptr ? "the saver is made before there is any variable to save"
                              : "the saver is made before the last variables, which it leaves out")
      .note(later->span, "made later")
      .help("make the saver when the whole graph is built")
      .cause(&saver);
}

// The file was written by a saver of some variables, but all are wanted back.
void check_partial(const Program& program, const Call& restore, Reporter& report)
{
  const Call* reader = saver_of(restore);
  const std::optional<std::string_view> path = text_of(restore.arg("save_path"));
  if (reader == nullptr || !path || !covers_all(*reader)) {
    return;
  }
  const Call* partial = nullptr;
  for (const Call& save : program.calls()) {
    if (save.order < restore.order && save.is("save") && text_of(save.arg("save_path")) == path) {
      const Call* writer = saver_of(save);
      partial = writer != nullptr && !covers_all(*writer) ? writer : nullptr;
    }
  }
  if (partial != nullptr) {
    report
        .add(restore.span,
             format("`{}` holds only some of the variables that this restores", *path))
        .note(partial->span, "written by this saver of some variables")
        .note(reader->span, "read by this saver of all variables")
        .help("restore with a saver of the same variables: `tf.train.Saver(var_list)`")
        .cause(&restore);
  }
}

} // namespace

static void check(const Program& program, Reporter& report)
{
  const Graph graph(program);
  for (const Call& call : program.calls()) {
    if (call.is("restore") && call.name.starts_with("tensorflow.")) {
      check_overwritten(graph, call, report);
      check_partial(program, call, report);
    } else if (call.is("saver")) {
      check_early(program, call, report);
    }
  }
}

extern const Rule checkpoint_misused{
    .name = "checkpoint-misused",
    .summary =
        "Finds savers made too early, restored weights that are initialised again, and files "
        "that do not hold what is restored",
    .applies = "tf1",
    .type = "training/training-process/reference-to-non-existing-checkpoint",
    .fix_pattern = "api-contract",
    .severity = Severity::error,
    .confidence = Confidence::high,
    .check = check,
};

} // namespace faultline::rules
