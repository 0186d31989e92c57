#include "rules/facts.hpp"
#include "rules/reporter.hpp"
#include "rules/tf1/graph.hpp"

namespace faultline::rules {

using namespace tf1;

static const Call* global_initialiser(const Run& run)
{
  return first_of(run.needs, [](const Call& call) {
    return is_global_initialiser(call) && call.arguments.empty();
  });
}

// A loop over folds or settings starts afresh each time on purpose; one over epochs does not. Where
// training happens in the same loop there is no doubt.
static const Run* undone_training(const Graph& graph, const Run& initialising, const Context& loop)
{
  for (const Run& run : graph.runs()) {
    const bool is_undone = run.session == initialising.session &&
                           first_of(run.needs, is_training) != nullptr &&
                           is_inside(run.call->context, loop.syntax);
    if (!is_undone) {
      continue;
    }
    const Context* innermost = loop_of(*run.call);
    const bool in_same_loop = innermost != nullptr && innermost->syntax == loop.syntax;
    const std::string_view head = first_line(graph.program(), loop.span);
    if (in_same_loop || head.find("epoch") != std::string_view::npos) {
      return &run;
    }
  }
  return nullptr;
}

static void check(const Graph& graph, Reporter& report)
{
  for (const Run& run : graph.runs()) {
    const Context* loop = loop_of(*run.call);
    if (loop == nullptr || run.session == nullptr || global_initialiser(run) == nullptr ||
        run.call->within(Context::Kind::branch) != nullptr) {
      continue;
    }
    const Call* made = run.session->made_by;
    if (made == nullptr || is_inside(made->context, loop->syntax)) {
      continue; // a new session needs new values
    }
    if (const Run* training = undone_training(graph, run, *loop)) {
      report.add(run.call->span, "every trip round the loop sets all variables back to their start")
          .note(training->call->span, "what this step learns is lost")
          .help("run the initialiser once, before the loop")
          .cause(run.call);
    }
  }
}

extern const Rule initialiser_in_loop{
    .name = "initialiser-in-loop",
    .summary = "Finds variables that are initialised again in every step of the training loop",
    .applies = "tf1",
    .type = "model/model-type-and-properties/multiple-initialisations-of-cnn",
    .fix_pattern = "neural-connection",
    .severity = Severity::error,
    .confidence = Confidence::high,
    .check = check_graph<check>,
};

} // namespace faultline::rules
