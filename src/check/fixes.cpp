#include "check/fixes.hpp"

#include "base/format.hpp"

#include <algorithm>
#include <map>

namespace faultline::check {

namespace fs = std::filesystem;

namespace {

// The edits taken so far, by file.
class Accepted {
public:
  // Take all edits of a fix, or none if one of them touches what was taken.
  bool take(const source::Fix& fix, const source::FileSet& files)
  {
    std::map<std::string, std::vector<source::Edit>> extended;
    for (const auto& [file, edits] : fix.edits) {
      std::vector<source::Edit>& all = extended[file];
      all = m_edits.contains(file) ? m_edits.at(file) : std::vector<source::Edit>();
      for (const source::Edit& edit : edits) {
        // Two findings often want the same line inserted, such as an import.
        if (std::ranges::find(all, edit) == all.end()) {
          all.push_back(edit);
        }
      }
      const std::string* text = files.text(file);
      if (text == nullptr || !source::apply_edits(*text, all)) {
        return false;
      }
    }
    for (auto& [file, edits] : extended) {
      m_edits[file] = std::move(edits);
    }
    return true;
  }

  const std::map<std::string, std::vector<source::Edit>>& all() const { return m_edits; }

private:
  std::map<std::string, std::vector<source::Edit>> m_edits;
};

} // namespace

static bool
is_allowed(const source::Fix& fix, FixLevel level, const std::set<std::string>& writable)
{
  return (level == FixLevel::all || fix.safe) &&
         std::ranges::all_of(
             fix.edits, [&writable](const auto& edits) { return writable.contains(edits.first); });
}

Result<FixedFiles>
apply_fixes(const Report& report, FixLevel level, const std::set<std::string>& writable)
{
  FixedFiles fixed;
  Accepted accepted;
  for (const source::Finding& finding : report.findings) {
    if (!finding.fix || !is_allowed(*finding.fix, level, writable)) {
      continue;
    }
    (accepted.take(*finding.fix, report.files) ? fixed.fixed : fixed.postponed) += 1;
  }
  for (const auto& [file, edits] : accepted.all()) {
    const source::Notebook* notebook = report.files.notebook(file);
    const std::string& before = notebook != nullptr ? notebook->json() : *report.files.text(file);
    Result<std::string> after =
        notebook != nullptr ? notebook->apply(edits) : source::apply_edits(before, edits);
    if (!after) {
      return std::move(after).error().in(file);
    }
    if (*after != before) {
      fixed.before[file] = before;
      fixed.after[file] = *std::move(after);
    }
  }
  return fixed;
}

Result<void> write_fixes(const FixedFiles& files)
{
  for (const auto& [file, after] : files.after) {
    std::error_code code;
    const fs::path target = fs::canonical(file, code);
    const Result<std::string> now = read_file(file);
    if (code || !now || *now != files.before.at(file)) {
      return Error{ErrorKind::io,
                   format("{} changed while it was checked; nothing is written to it", file)};
    }
    const fs::perms mode = fs::status(target, code).permissions();
    FL_CHECK(write_file(target, after));
    fs::permissions(target, mode, code);
  }
  return {};
}

} // namespace faultline::check
