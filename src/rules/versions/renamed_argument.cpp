#include "rules/reporter.hpp"
#include "rules/versions/changes.hpp"

namespace faultline::rules {

static void check(const Program& program, Reporter& report)
{
  for (const Call& call : program.calls()) {
    if (call.layer != nullptr) {
      continue; // the arguments were written at the constructor
    }
    for (const ArgumentChange& change : argument_changes()) {
      if (!call.name.starts_with(change.callee)) {
        continue;
      }
      const program::Argument* argument = call.keyword(change.old);
      if (argument == nullptr) {
        argument = call.given(change.old);
      }
      // By position an argument has no name that could be old.
      if (argument == nullptr || argument->span.begin < change.old.size() + 1) {
        continue;
      }
      Span before = argument->span;
      before.end = before.begin;
      before.begin = before.end - static_cast<uint32_t>(change.old.size()) - 1;
      const bool named = program.text(before) == std::string(change.old) + "=";
      Span spaced = argument->span;
      spaced.end = spaced.begin;
      spaced.begin = spaced.end >= change.old.size() + 3
                         ? spaced.end - static_cast<uint32_t>(change.old.size()) - 3
                         : 0;
      const bool named_spaced = program.text(spaced) == std::string(change.old) + " = ";
      if (!named && !named_spaced) {
        continue;
      }
      const auto severity =
          severity_of(known_version(program, change.library), change.deprecated, change.gone);
      if (!severity) {
        continue;
      }
      Span name = named ? before : spaced;
      name.end = name.begin + static_cast<uint32_t>(change.old.size());
      Draft& draft = report
                         .add(name,
                              format("argument `{}` was renamed in {} {}",
                                     change.old,
                                     change.library,
                                     change.deprecated))
                         .help(format("write `{}`", change.now))
                         .severity(*severity);
      if (change.now.find(' ') == std::string_view::npos) {
        draft.replace(name, std::string(change.now)).unsafe("rename the argument");
      }
    }
  }
}

extern const Rule renamed_argument{
    .name = "renamed-argument",
    .summary = "Finds arguments that a library has renamed",
    .applies = "any",
    .type = "api/deprecated-api",
    .fix_pattern = "versioning",
    .severity = Severity::warning,
    .confidence = Confidence::high,
    .check = check,
};

} // namespace faultline::rules
