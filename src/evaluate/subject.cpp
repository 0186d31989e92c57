#include "evaluate/subject.hpp"

#include <algorithm>

namespace faultline::evaluate {

// The file that the command runs, the first that is compiled, or any.
static std::string entry_of(const catalog::Fault& fault)
{
  for (const std::string& word : fault.run.command) {
    if (fault.program.contains(word)) {
      return word;
    }
  }
  if (fault.run.compile && !fault.run.compile->sources.empty()) {
    return fault.run.compile->sources.front();
  }
  return fault.program.begin()->first;
}

Result<Subject> subject_of(const catalog::Fault& fault)
{
  Subject subject;
  subject.id = fault.id;
  subject.title = fault.title;
  subject.framework = fault.framework;
  subject.language = fault.language();
  subject.buggy = fault.program;
  FL_TRY(subject.fixed, catalog::program_of(fault, catalog::Version::fixed));
  subject.entry = entry_of(fault);
  subject.command = fault.run.command;
  subject.timeout_seconds = fault.run.timeout_seconds;
  subject.memory_mib = fault.run.memory_mib;
  subject.data = fault.data;
  subject.environment = fault.environments.front();
  subject.compile = fault.run.compile;
  for (const catalog::Part& part : fault.parts) {
    const std::string& type = part.labels.get("type");
    subject.types.push_back(type);
    subject.places.push_back(part.location);
    subject.groups["taxonomy"].insert(type.substr(0, type.find('/')));
    subject.groups["type"].insert(type);
    subject.groups["symptom"].insert(part.labels.get("symptom"));
    subject.groups["fix_pattern"].insert(part.labels.get("fix_pattern"));
  }
  for (const catalog::Accepted& accepted : fault.accepted) {
    if (!accepted.type.empty()) {
      subject.types.push_back(accepted.type);
    }
    if (accepted.location) {
      subject.places.push_back(*accepted.location);
    }
  }
  subject.groups["framework"].insert(fault.framework);
  subject.groups["origin"].insert(fault.origin.kind);
  subject.groups["silent"].insert(fault.silent ? "silent" : "loud");
  return subject;
}

} // namespace faultline::evaluate
