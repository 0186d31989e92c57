#include "program/machine/machine.hpp"
#include "rules/reporter.hpp"
#include "rules/versions/changes.hpp"

#include <algorithm>

namespace faultline::rules {

static bool is_whole(Ref value)
{
  const auto* constant = program::as<program::Constant>(value);
  return constant != nullptr && std::holds_alternative<int64_t>(constant->value);
}

static bool is_tensors(Ref value)
{
  return program::as<program::Sequence>(value) != nullptr || program::as<Tensor>(value) != nullptr;
}

// The arguments as they were written, in order, without those given by name.
static std::vector<const program::Argument*> written_in_order(const Call& call)
{
  std::vector<const program::Argument*> arguments;
  for (const program::Argument& argument : call.arguments) {
    if (argument.given) {
      arguments.push_back(&argument);
    }
  }
  std::ranges::sort(
      arguments, {}, [](const program::Argument* argument) { return argument->span.begin; });
  return arguments;
}

// Old: resize_images(images, height, width).
static void check_resize(const Program& program, const Call& call, Reporter& report)
{
  const std::vector<const program::Argument*> arguments = written_in_order(call);
  const bool old_order = arguments.size() >= 3 && is_whole(arguments[1]->value) &&
                         is_whole(arguments[2]->value) && call.span.contains(arguments[2]->span);
  if (!old_order) {
    return;
  }
  const Span height = arguments[1]->span;
  const Span width = arguments[2]->span;
  const auto is_named = [&](const program::Argument& argument) {
    return program.text({call.span.file, call.span.begin, argument.span.begin}).ends_with("=");
  };
  if (is_named(*arguments[1]) || is_named(*arguments[2])) {
    return;
  }
  report.add(height, "`resize_images` takes both sizes in one list since tensorflow 0.12")
      .help("write `[height, width]`")
      .replace({height.file, height.begin, width.end},
               format("[{}, {}]", program.text(height), program.text(width)))
      .unsafe("put the sizes into a list")
      .cause(&call);
}

static void check(const Program& program, Reporter& report)
{
  for (const Call& call : program.calls()) {
    if (call.name == "tensorflow.image.resize_images") {
      check_resize(program, call, report);
    }
    const bool concat = call.name == "tensorflow.concat";
    const bool split = call.name == "tensorflow.split";
    if (!concat && !split) {
      continue;
    }
    const std::vector<const program::Argument*> arguments = written_in_order(call);
    if (arguments.size() < 2 || call.span.contains(arguments.front()->span) == false) {
      continue;
    }
    // Old: concat(axis, values), split(axis, number, value).
    const bool old_order =
        is_whole(arguments[0]->value) &&
        is_tensors(arguments[concat ? 1 : arguments.size() - 1]->value) &&
        !program.text({call.span.file, call.span.begin, arguments[0]->span.begin}).ends_with("=");
    if (!old_order) {
      continue;
    }
    Draft& draft = report
                       .add(arguments[0]->span,
                            concat ? "`concat` takes the tensors first and the axis second since "
                                     "tensorflow 1.0"
                                   : "`split` takes the tensor first and the axis last since "
                                     "tensorflow 1.0")
                       .help("name the arguments: `axis=`")
                       .cause(&call);
    if (concat && arguments.size() == 2) {
      draft.replace(arguments[0]->span, std::string(program.text(arguments[1]->span)))
          .replace(arguments[1]->span, std::string(program.text(arguments[0]->span)))
          .unsafe("swap the arguments");
    }
  }
}

extern const Rule reordered_arguments{
    .name = "reordered-arguments",
    .summary = "Finds positional arguments in the order of an older version",
    .applies = "tf1 tf2",
    .type = "api/deprecated-api",
    .fix_pattern = "versioning",
    .severity = Severity::error,
    .confidence = Confidence::high,
    .check = check,
};

} // namespace faultline::rules
