#include "base/format.hpp"
#include "base/text.hpp"
#include "cli/command.hpp"
#include "cli/explain_search.hpp"
#include "cli/operator_pages.hpp"
#include "inject/operator.hpp"
#include "report/readable_page.hpp"
#include "report/text_table.hpp"
#include "rules/selection.hpp"
#include "trace/symptom.hpp"

#include <algorithm>
#include <cctype>

namespace faultline::cli {

namespace {

bool same_letter(char a, char b)
{
  return std::tolower(static_cast<unsigned char>(a)) == std::tolower(static_cast<unsigned char>(b));
}

std::string shares(const std::array<int, 3>& values, const char* names)
{
  return format("{}/{}/{} % ({})", values[0], values[1], values[2], names);
}

std::string print_label(const catalog::Scheme& scheme,
                        const catalog::Label& label,
                        const catalog::Catalog& all,
                        const Painter& paint)
{
  std::string text = paint(Colour::bold, label.name) + format("  ({} {})\n", scheme.name, label.id);
  text += wrap(label.definition, 100, 0) + "\n";
  for (const auto& [what, count] : label.counts) {
    text += format("  {}: {} as published\n", replace_all(what, "_", " "), count);
  }
  if (label.survey) {
    text += format("  seen by {} % of practitioners; severity {}; effort {}\n",
                   label.survey->met,
                   shares(label.survey->severity, "minor/major/critical"),
                   shares(label.survey->effort, "low/medium/high"));
  }
  std::vector<std::string> ids;
  for (const catalog::Fault& fault : all.faults) {
    if (std::ranges::any_of(fault.parts, [&](const catalog::Part& part) {
          return catalog::is_within(part.labels.get(scheme.name), label.id);
        })) {
      ids.push_back(fault.id);
    }
  }
  text += format(
      "  {} here{}{}\n", count_of(ids.size(), "fault"), ids.empty() ? "" : ": ", join(ids, ", "));
  return text + paint(Colour::dim, "  " + scheme.source) + "\n";
}

// Markdown is printed as it is, with colour.
std::string print_page(std::string_view page, const Painter& paint)
{
  std::string text;
  bool code = false;
  const std::string readable = report::readable_page(page);
  for (const std::string_view line : split_lines(readable)) {
    const bool fence = line.starts_with("```");
    code = fence ? !code : code;
    const Colour colour = fence                     ? Colour::dim
                          : code                    ? Colour::cyan
                          : line.starts_with("## ") ? Colour::bold
                                                    : Colour::plain;
    text += paint(colour, line) + "\n";
  }
  return text;
}

std::string print_rule(const rules::Rule& rule, const Painter& paint)
{
  return paint(Colour::bold, format("{} {}", rule.code, rule.name)) +
         format("  ({}, confidence {}, applies to {}, {} by default)\n",
                name_of(rule.severity),
                name_of(rule.confidence),
                rule.applies,
                rules::is_default(rule) ? "on" : "off") +
         format("{}.\n\n", rule.summary) + print_page(rules::documentation_of(rule), paint);
}

std::string print_operator(const inject::Operator& op, const Painter& paint)
{
  std::string facts = format("level {}", inject::name_of(op.level));
  if (!op.acronym.empty()) {
    facts = format("{}, {}", op.acronym, facts);
  }
  if (const std::string setting = describe_setting(op); !setting.empty()) {
    facts += ", " + setting;
  }
  if (const std::string_view type = op.type.id(); !type.empty()) {
    facts += format(", {}", type);
  }
  return paint(Colour::bold, format("{} {}", op.code, op.name)) + format("  ({})\n", facts) +
         format("{}.\n\n", op.summary) + print_page(inject::documentation_of(op), paint);
}

std::string print_symptom(const trace::Symptom& symptom, const Painter& paint)
{
  return paint(Colour::bold, format("{} {}", symptom.code, symptom.name)) +
         format("  ({}, confidence {}, seen by `watch`)\n",
                name_of(symptom.severity),
                name_of(symptom.confidence)) +
         format("{}.\n\n", symptom.summary) + print_page(trace::documentation_of(symptom), paint);
}

// The rule with this code or name, ignoring case.
const rules::Rule* rule_of(const std::string& name)
{
  for (const rules::Rule* rule : rules::all_rules()) {
    if (std::ranges::equal(name, rule->code, same_letter) ||
        std::ranges::equal(name, rule->name, same_letter)) {
      return rule;
    }
  }
  return nullptr;
}

// The symptom with this code or name, ignoring case.
const trace::Symptom* symptom_of(const std::string& name)
{
  for (const trace::Symptom* symptom : trace::all_symptoms()) {
    if (std::ranges::equal(name, symptom->code, same_letter) ||
        std::ranges::equal(name, symptom->name, same_letter)) {
      return symptom;
    }
  }
  return nullptr;
}

// The operator with this code, name or acronym, ignoring case.
const inject::Operator* operator_of(const std::string& name)
{
  for (const inject::Operator* op : inject::all_operators()) {
    for (const std::string_view known : {op->code, op->name, op->acronym}) {
      if (!known.empty() && std::ranges::equal(name, known, same_letter)) {
        return op;
      }
    }
  }
  return nullptr;
}

// The page of what has this code, name or acronym; nothing if nothing has.
std::optional<std::string> page_about(const std::string& name, const Painter& paint)
{
  if (const rules::Rule* rule = rule_of(name)) {
    return print_rule(*rule, paint);
  }
  if (const trace::Symptom* symptom = symptom_of(name)) {
    return print_symptom(*symptom, paint);
  }
  if (const inject::Operator* op = operator_of(name)) {
    return print_operator(*op, paint);
  }
  return std::nullopt;
}

std::string print_topics(const std::vector<Topic>& topics, const Painter& paint)
{
  constexpr size_t k_most = 20;
  report::TextTable table(
      {{"CODE", report::Align::left, Colour::bold}, {"KIND"}, {"NAME"}, {"WHAT"}});
  for (size_t i = 0; i < std::min(topics.size(), k_most); ++i) {
    const Topic& topic = topics[i];
    table.add({std::string(topic.code),
               std::string(topic.kind),
               std::string(topic.name),
               std::string(topic.summary)});
  }
  const std::string more =
      topics.size() > k_most ? format("{} more match; add a word. ", topics.size() - k_most) : "";
  return table.print(paint, 100) +
         format("{}Read one with `faultline explain {}`.\n", more, topics.front().code);
}

Result<int> run(Session& session, const std::string& name)
{
  if (const std::optional<std::string> page = page_about(name, session.out())) {
    session.print(*page);
    return k_exit_ok;
  }
  FL_TRY(const catalog::Catalog* all, session.catalog());
  std::string text;
  std::vector<std::string> known;
  for (const catalog::Scheme& scheme : all->schemes.all) {
    for (const catalog::Label& label : scheme.labels) {
      known.push_back(label.id);
      // A leaf may be named by the last step of its path alone.
      if (label.id == name || label.id.ends_with("/" + name)) {
        text += (text.empty() ? "" : "\n") + print_label(scheme, label, *all, session.out());
      }
    }
  }
  const std::vector<Topic> topics = all_topics();
  const std::vector<Topic> found = text.empty() ? find_topics(topics, name) : std::vector<Topic>();
  if (found.size() == 1) {
    text = *page_about(std::string(found.front().code), session.out());
  } else if (!found.empty()) {
    text = print_topics(found, session.out());
  }
  if (text.empty()) {
    for (const Topic& topic : topics) {
      known.emplace_back(topic.code);
      known.emplace_back(topic.name);
    }
    return Error{
        ErrorKind::not_found,
        format("unknown rule, symptom, operator or label `{}`{}", name, did_you_mean(name, known))};
  }
  session.print(text);
  return k_exit_ok;
}

} // namespace

Action declare_explain(Arguments& arguments, Session& session)
{
  auto name = std::make_shared<std::string>();
  arguments
      .option("name",
              *name,
              "a rule, symptom or operator, a label of any scheme, or words to search for")
      .required()
      .named("NAME");
  return [name, &session] { return run(session, *name); };
}

} // namespace faultline::cli
