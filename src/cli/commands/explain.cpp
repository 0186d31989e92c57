#include "base/format.hpp"
#include "base/text.hpp"
#include "cli/command.hpp"

#include <algorithm>

namespace faultline::cli {

namespace {

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

Result<int> run(Session& session, const std::string& name)
{
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
    return Error{ErrorKind::not_found,
                 format("unknown label `{}`{}", name, did_you_mean(name, known))};
  }
  session.print(text);
  return k_exit_ok;
}

} // namespace

Action declare_explain(CLI::App& app, Session& session)
{
  auto name = std::make_shared<std::string>();
  app.add_option("label", *name, "a label of any scheme")->required()->type_name("LABEL");
  return [name, &session] { return run(session, *name); };
}

} // namespace faultline::cli
