#include "base/format.hpp"
#include "base/text.hpp"
#include "cli/command.hpp"
#include "rules/selection.hpp"

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
    text += format("  met by {} % of practitioners; severity {}; effort {}\n",
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

// A rule's page. Its Markdown is left as it is but for colour.
std::string print_rule(const rules::Rule& rule, const Painter& paint)
{
  std::string text = paint(Colour::bold, format("{} {}", rule.code, rule.name)) +
                     format("  ({}, confidence {}, applies to {}, {} by default)\n",
                            name_of(rule.severity),
                            name_of(rule.confidence),
                            rule.applies,
                            rules::is_default(rule) ? "on" : "off");
  text += format("{}.\n\n", rule.summary);
  bool code = false;
  for (const std::string_view line : split_lines(rules::documentation_of(rule))) {
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

// The rule that is meant by its code or name, in any case.
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

Result<int> run(Session& session, const std::string& name)
{
  if (const rules::Rule* rule = rule_of(name)) {
    session.print(print_rule(*rule, session.out()));
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
  if (text.empty()) {
    for (const rules::Rule* rule : rules::all_rules()) {
      known.emplace_back(rule->code);
      known.emplace_back(rule->name);
    }
    return Error{ErrorKind::not_found,
                 format("unknown rule or label `{}`{}", name, did_you_mean(name, known))};
  }
  session.print(text);
  return k_exit_ok;
}

} // namespace

Action declare_explain(CLI::App& app, Session& session)
{
  auto name = std::make_shared<std::string>();
  app.add_option("name", *name, "a rule, by code or name, or a label of any scheme")
      ->required()
      ->type_name("NAME");
  return [name, &session] { return run(session, *name); };
}

} // namespace faultline::cli
