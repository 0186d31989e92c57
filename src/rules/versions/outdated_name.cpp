#include "rules/reporter.hpp"
#include "rules/versions/changes.hpp"

#include <map>

namespace faultline::rules {

static bool means(const NameChange& change, std::string_view written)
{
  if (change.library == "keras" && written.starts_with("tensorflow.keras.")) {
    written.remove_prefix(std::string_view("tensorflow.").size());
  }
  return written == change.old ||
         (change.prefix && written.starts_with(change.old) && written[change.old.size()] == '.');
}

static std::string history(const NameChange& change)
{
  return change.gone.empty() ? format("{} {} deprecated it", change.library, change.deprecated)
                             : format("{} {} deprecated it, {} {} removed it",
                                      change.library,
                                      change.deprecated,
                                      change.library,
                                      change.gone);
}

static void check(const Program& program, Reporter& report)
{
  std::map<std::string_view, std::optional<program::Version>> versions;
  const auto look = [&](std::string_view written, Span span, const void* cause) {
    for (const NameChange& change : name_changes()) {
      if (!means(change, written)) {
        continue;
      }
      const auto known = versions.try_emplace(change.library).first;
      if (!known->second) {
        known->second = known_version(program, change.library);
      }
      const auto severity = severity_of(known->second, change.deprecated, change.gone);
      if (!severity) {
        return;
      }
      const bool removed = *severity == Severity::error;
      report
          .add(span,
               format("`{}` is {} since {} {}",
                      change.old.substr(change.old.rfind('.') + 1),
                      removed ? "gone" : "outdated",
                      change.library,
                      removed ? change.gone : change.deprecated))
          .note(history(change))
          .help(format("write `{}`", change.now))
          .severity(*severity)
          .cause(cause);
      return;
    }
  };
  for (const program::NameUse& use : program.name_uses()) {
    look(use.written, use.span, &use);
  }
  for (const Call& call : program.calls()) {
    if (call.self != nullptr) {
      look(call.name, call.callee, &call);
    }
  }
}

extern const Rule outdated_name{
    .name = "outdated-name",
    .summary = "Finds names that a library has deprecated or removed",
    .applies = "any",
    .type = "api/deprecated-api",
    .fix_pattern = "versioning",
    .severity = Severity::warning,
    .confidence = Confidence::high,
    .check = check,
};

} // namespace faultline::rules
