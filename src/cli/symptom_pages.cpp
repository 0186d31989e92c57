#include "cli/symptom_pages.hpp"

#include "base/format.hpp"
#include "report/readable_page.hpp"

namespace faultline::cli {

Json symptom_json(const trace::Symptom& symptom)
{
  Json json;
  json["code"] = symptom.code;
  json["name"] = symptom.name;
  json["group"] = trace::group_of(symptom);
  json["severity"] = name_of(symptom.severity);
  json["confidence"] = name_of(symptom.confidence);
  json["summary"] = symptom.summary;
  json["type"] = symptom.type.id();
  json["fix_pattern"] = symptom.fix_pattern.id();
  return json;
}

static std::string page_of(const trace::Symptom& symptom)
{
  return format("# {}: {}\n\n"
                "{}.\n\n"
                "| severity | confidence | group | fault type | fix pattern |\n"
                "|---|---|---|---|---|\n"
                "| {} | {} | {} | `{}` | `{}` |\n\n"
                "{}",
                symptom.code,
                symptom.name,
                symptom.summary,
                name_of(symptom.severity),
                name_of(symptom.confidence),
                trace::group_of(symptom),
                symptom.type.id(),
                symptom.fix_pattern.id(),
                report::readable_page(trace::documentation_of(symptom)));
}

FileTree symptom_pages()
{
  FileTree pages;
  std::string index = "# Symptoms of `faultline watch`\n\n"
                      "Written by `faultline symptoms --write-docs docs/symptoms`; do not edit.\n\n"
                      "| code | name | group | severity | fault type | what |\n"
                      "|---|---|---|---|---|---|\n";
  for (const trace::Symptom* symptom : trace::all_symptoms()) {
    index += format("| [{0}]({0}.md) | {1} | {2} | {3} | {4} | {5} |\n",
                    symptom->code,
                    symptom->name,
                    trace::group_of(*symptom),
                    name_of(symptom->severity),
                    symptom->type.id(),
                    symptom->summary);
    pages[std::string(symptom->code) + ".md"] = page_of(*symptom);
  }
  pages["index.md"] = index;
  return pages;
}

} // namespace faultline::cli
