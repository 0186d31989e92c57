#include "rules/facts.hpp"
#include "rules/reporter.hpp"
#include "rules/tf1/graph.hpp"

#include <algorithm>

namespace faultline::rules {

using namespace tf1;

namespace {

bool is_plain_placeholder(const Call& call)
{
  return call.is("placeholder") && call.name.find("with_default") == std::string::npos;
}

// The expression of a fed value where it is written in the call, else the whole dictionary.
Span feed_place(const Run& run, Ref value)
{
  const program::Argument* feeds = run.call->given("feed_dict");
  if (feeds == nullptr) {
    return run.call->span;
  }
  const bool is_inside = !value->origin.empty() && feeds->span.contains(value->origin);
  return is_inside                              ? value->origin
         : run.call->span.contains(feeds->span) ? feeds->span
                                                : run.call->span;
}

std::string name_of(const Call& placeholder)
{
  const auto* name = program::as<program::Constant>(placeholder.arg("name"));
  const auto* text = name != nullptr ? std::get_if<std::string>(&name->value) : nullptr;
  return text != nullptr ? format("the placeholder `{}`", *text) : "a placeholder";
}

void check_fed_tensors(const Run& run, Reporter& report)
{
  for (const Feed& feed : run.feeds) {
    const Call* holder = maker(feed.placeholder);
    if (!is_tensor(feed.value) || holder == nullptr) {
      continue;
    }
    Draft& draft = report.add(feed_place(run, feed.value), "a tensor is fed where data is expected")
                       .label("a tensor has no value until a session runs it")
                       .help("run it first and feed the array, or build the model on the tensor")
                       .cause(run.call);
    draft.note(holder->span, "fed to this placeholder");
  }
}

void check_unfed(const Run& run, Reporter& report)
{
  if (!run.feeds_known) {
    return;
  }
  // A tensor in the middle of the graph may be fed too: then what lies before it is not needed.
  const bool only_placeholders = std::ranges::all_of(run.feeds, [](const Feed& feed) {
    const Call* made = maker(feed.placeholder);
    return made != nullptr && made->is("placeholder");
  });
  if (!only_placeholders) {
    return;
  }
  const Call* missing = first_of(run.needs, [&run](const Call& call) {
    return is_plain_placeholder(call) && std::ranges::none_of(run.feeds, [&call](const Feed& feed) {
             return maker(feed.placeholder) == &call;
           });
  });
  if (missing != nullptr) {
    report.add(run.call->span, format("{} that this run needs is not fed", name_of(*missing)))
        .note(missing->span, "has no value of its own")
        .help("add it to `feed_dict`")
        .cause(run.call);
  }
}

// Something that is no node of the graph: None, or the result of an earlier run under the same
// name.
void check_fetches(const Run& run, Reporter& report)
{
  const program::Argument* fetches = run.call->given("fetches");
  if (fetches == nullptr) {
    return;
  }
  for (const Ref fetch : run.fetches) {
    const auto* tensor = program::as<Tensor>(fetch);
    const Call* made = maker(fetch);
    const bool is_result = tensor != nullptr && tensor->library == program::Library::numpy &&
                           made != nullptr && is_run(*made);
    if (is_result) {
      report.add(fetches->span, "the result of an earlier run is fetched as if it were a tensor")
          .note(made->span, "this run replaced the tensor by its value")
          .help("give the value a different name from the tensor")
          .cause(run.call);
      return;
    }
    if (fetch->kind == program::Kind::none) {
      report.add(fetches->span, "`None` is fetched")
          .help("fetch a tensor or an operation")
          .cause(run.call);
      return;
    }
  }
}

// Each run takes a new element: parts fetched one after the other do not belong together.
const Call* element_of(Ref fetch)
{
  const Call* made = maker(fetch);
  while (made != nullptr && made->is("slice") && made->input() != nullptr) {
    made = made->input()->producer;
  }
  const bool takes =
      made != nullptr && (made->is("input_queue") || made->name.ends_with(".dequeue") ||
                          made->name.ends_with(".get_next"));
  return takes ? made : nullptr;
}

void check_torn(const Graph& graph, const Run& run, Reporter& report)
{
  if (run.fetches.size() != 1 || !is_tensor(run.fetches.front())) {
    return;
  }
  const Call* element = element_of(run.fetches.front());
  for (const Run& earlier : graph.runs()) {
    if (element == nullptr || earlier.call->order >= run.call->order) {
      return;
    }
    const bool is_other_part = earlier.call->context == run.call->context &&
                               earlier.fetches.size() == 1 &&
                               earlier.fetches.front() != run.fetches.front() &&
                               element_of(earlier.fetches.front()) == element;
    if (is_other_part) {
      report.add(run.call->span, "fetches the second part of an element from another element")
          .label("every run takes a new one")
          .note(earlier.call->span, "the first part is fetched here")
          .help("fetch both in one run: `a, b = sess.run([a, b])`")
          .severity(Severity::warning)
          .type("api/wrong-api-usage")
          .cause(run.call->context->syntax);
      return;
    }
  }
}

// --- Tensors where something else is meant. ---

void check_assignment(const Call& call, Reporter& report)
{
  const program::Argument* target = call.argument("ref");
  const Call* made = target != nullptr ? maker(target->value) : nullptr;
  if (made == nullptr || !is_tensor(target->value) || made->is("variable") || made->is("slice") ||
      is_assignment(*made) || !adds_node(*made)) {
    return;
  }
  const bool is_source =
      made->has(program::k_source) || made->is("zeros") || made->is("ones") || made->is("constant");
  if (!is_source) {
    return;
  }
  report.add(target->span, "a value is assigned to a tensor that is not a variable")
      .note(made->span, format("made by `{}`", made->op()))
      .help("make it a `tf.Variable`")
      .type("api/wrong-api-usage")
      .cause(&call);
}

void check_constant(const Call& call, Reporter& report)
{
  const program::Argument* value = call.argument("value");
  if (call.name != "tensorflow.constant" || value == nullptr || !is_tensor(value->value)) {
    return;
  }
  report.add(value->span, "`tf.constant` takes a value, but gets a tensor")
      .label("has no value until a session runs it")
      .help("use the tensor itself, `tf.identity`, or a `tf.Variable` that starts from it")
      .type("api/wrong-api-usage")
      .cause(&call);
}

void check_name(const Call& call, Reporter& report)
{
  const program::Argument* name = call.argument("name");
  const auto* constant = name != nullptr ? program::as<program::Constant>(name->value) : nullptr;
  const auto* text = constant != nullptr ? std::get_if<std::string>(&constant->value) : nullptr;
  if (!call.name.ends_with(".get_tensor_by_name") || text == nullptr || text->empty() ||
      text->find(':') != std::string::npos) {
    return;
  }
  Draft& draft = report.add(name->span, format("`{}` names an operation, not a tensor", *text))
                     .help(format("its first output is `{}:0`", *text))
                     .cause(&call);
  const bool is_literal = !name->span.empty() && call.span.contains(name->span) &&
                          name->span.end - name->span.begin == text->size() + 2;
  if (is_literal) {
    draft.insert(last_character(name->span), ":0").safe("name the first output of the operation");
  }
}

// `if placeholder == 0:` is decided while the graph is built.
void check_conditions(const Program& program, Reporter& report)
{
  const Context* last = nullptr;
  for (const Call& call : program.calls()) {
    for (const Context* context = call.context; context != nullptr; context = context->parent) {
      if (context->kind != Context::Kind::branch || context->syntax == nullptr ||
          (last != nullptr && context->syntax == last->syntax) || !is_tensor(context->subject)) {
        continue;
      }
      const Call* made = maker(context->subject);
      if (made == nullptr || !adds_node(*made)) {
        continue;
      }
      last = context;
      report.add(made->span, "a tensor decides an `if`, but has no value while the graph is built")
          .label(made->is("equal") ? "compares the objects, so it is always false"
                                   : "cannot be used as a Python `bool`")
          .help("choose with `tf.cond` or `tf.where`, which look at the value when run")
          .type("api/wrong-api-usage")
          .cause(context->syntax);
    }
  }
}

} // namespace

static void check(const Graph& graph, Reporter& report)
{
  const Program& program = graph.program();
  for (const Run& run : graph.runs()) {
    check_fed_tensors(run, report);
    check_unfed(run, report);
    check_fetches(run, report);
    check_torn(graph, run, report);
  }
  for (const Call& call : program.calls()) {
    if (is_assignment(call)) {
      check_assignment(call, report);
    }
    check_constant(call, report);
    check_name(call, report);
  }
  check_conditions(program, report);
}

extern const Rule wrong_feed{
    .name = "wrong-feed",
    .summary =
        "Finds placeholders that are not fed or fed with tensors, and tensors where a value or "
        "variable is meant",
    .applies = "tf1",
    .type = "api/wrong-usage-of-placeholder-restoration-api",
    .fix_pattern = "api-contract",
    .severity = Severity::error,
    .confidence = Confidence::high,
    .check = check_graph<check>,
};

} // namespace faultline::rules
