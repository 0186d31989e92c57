#include "base/csv_table.hpp"
#include "base/format.hpp"
#include "base/text.hpp"
#include "catalog/filter.hpp"
#include "environment/description.hpp"
#include "evaluate/subject.hpp"
#include "source/language.hpp"

#include <algorithm>
#include <charconv>
#include <iterator>

namespace faultline::evaluate {

namespace fs = std::filesystem;

namespace {

// The one CSV file of a folder.
Result<fs::path> csv_of(const fs::path& path)
{
  std::error_code code;
  if (!fs::is_directory(path, code)) {
    return path;
  }
  std::vector<fs::path> found;
  for (const fs::directory_entry& entry : fs::directory_iterator(path, code)) {
    if (entry.path().extension() == ".csv") {
      found.push_back(entry.path());
    }
  }
  if (found.size() != 1) {
    return Error{ErrorKind::usage,
                 format("{} has {} CSV files, but a set has one", path.string(), found.size())};
  }
  return found.front();
}

Result<std::vector<int>> lines_of(const std::string& text, size_t last, const std::string& place)
{
  std::vector<int> lines;
  std::string spaced = text;
  std::ranges::replace_if(
      spaced, [](char c) { return c == ';' || c == ','; }, ' ');
  for (const std::string_view word : split(spaced, ' ')) {
    if (word.empty()) {
      continue;
    }
    size_t line = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), line);
    if (error != std::errc() || end != word.data() + word.size()) {
      return Error{ErrorKind::bad_data,
                   format("{}: `{}` is not a list of line numbers", place, text)};
    }
    if (line < 1 || line > last) {
      return Error{ErrorKind::bad_data,
                   format("{}: line {} is not in the buggy file, which has {}", place, line, last)};
    }
    lines.push_back(static_cast<int>(line));
  }
  return lines;
}

Result<std::string>
program_text(const fs::path& folder, const std::string& name, const std::string& place)
{
  Result<std::string> text = read_file(folder / name);
  if (name.empty() || !text) {
    return Error{ErrorKind::bad_data, format("{}: cannot read `{}`", place, name)};
  }
  return text;
}

// Neutral names: the originals often say which version they are.
void name_program(Subject& subject, std::string buggy, std::string fixed, source::Language language)
{
  switch (language) {
  case source::Language::python:
    subject.language = "python";
    subject.entry = "train.py";
    subject.command = {"python3", subject.entry};
    break;
  case source::Language::javascript:
    subject.language = "javascript";
    subject.entry = "train.js";
    subject.command = {"node", subject.entry};
    break;
  case source::Language::cpp:
    subject.language = "cpp";
    subject.entry = "train.cpp";
    subject.command = {"./train"};
    subject.compile = catalog::Compile{{subject.entry}, "train"};
    break;
  }
  subject.buggy[subject.entry] = std::move(buggy);
  subject.fixed[subject.entry] = std::move(fixed);
}

// What is wrong with the name of a type, or nothing.
std::optional<std::string> wrong_type(const std::string& type, const catalog::Scheme& types)
{
  return types.find(type) != nullptr
             ? std::nullopt
             : std::optional(format("unknown type `{}`{}", type, catalog::hint_for(type, types)));
}

bool any_or_empty(const std::vector<std::string>& wanted, const std::string& value)
{
  return wanted.empty() || std::ranges::find(wanted, value) != wanted.end();
}

} // namespace

const std::vector<std::string>& known_frameworks()
{
  static const std::vector<std::string> k_known = {
      "pytorch", "keras", "tensorflow", "tfjs", "libtorch"};
  return k_known;
}

Result<std::vector<Subject>> load_set(const fs::path& path, const catalog::Schemes& schemes)
{
  FL_TRY(const fs::path file, csv_of(path));
  FL_TRY(const CsvTable table, CsvTable::read(file));
  FL_CHECK(table.require({"buggy", "fixed", "label", "lines"}));
  std::vector<Subject> subjects;
  for (size_t row = 0; row < table.size(); ++row) {
    const std::string place = table.place(row);
    const std::string& buggy_name = table.at(row, "buggy");
    const std::optional<source::Language> language = source::language_of(buggy_name);
    if (!language) {
      return Error{ErrorKind::bad_data,
                   format("{}: `{}` is not a Python, JavaScript or C++ file", place, buggy_name)};
    }
    FL_TRY(std::string buggy, program_text(file.parent_path(), buggy_name, place));
    FL_TRY(std::string fixed, program_text(file.parent_path(), table.at(row, "fixed"), place));
    if (buggy == fixed) {
      return Error{
          ErrorKind::bad_data,
          buggy_name == table.at(row, "fixed")
              ? format("{}: `{}` is both the buggy and the fixed program", place, buggy_name)
              : format("{}: `{}` and `{}` are the same program, so there is no fault",
                       place,
                       buggy_name,
                       table.at(row, "fixed"))};
    }
    Subject subject;
    subject.id = fs::path(buggy_name).replace_extension().generic_string();
    subject.title = buggy_name;
    for (const Subject& other : subjects) {
      if (other.id == subject.id) {
        return Error{ErrorKind::bad_data, format("{}: `{}` is there twice", place, buggy_name)};
      }
    }
    FL_TRY(const std::vector<int> lines,
           lines_of(table.at(row, "lines"), split_lines(buggy).size(), place));
    name_program(subject, std::move(buggy), std::move(fixed), *language);
    if (!lines.empty()) {
      subject.places.push_back({subject.entry, lines});
    }
    const std::string& label = table.at(row, "label");
    if (!label.empty()) {
      if (const std::optional<std::string> wrong = wrong_type(label, schemes.get("type"))) {
        return Error{ErrorKind::bad_data, format("{}: {}", place, *wrong)};
      }
      subject.types.push_back(label);
      subject.groups["type"].insert(label);
      subject.groups["taxonomy"].insert(label.substr(0, label.find('/')));
    }
    for (const std::string& column : table.columns()) {
      subject.columns[column] = table.at(row, column);
    }
    if (const auto given = subject.columns.find("framework");
        given != subject.columns.end() && !given->second.empty()) {
      // Any name will do: a tool is for some frameworks, and a set may be of others.
      std::ranges::transform(given->second, std::back_inserter(subject.framework), [](char c) {
        return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
      });
      // A name that is almost a known one would leave out the tools that are meant for it.
      const std::vector<std::string>& known = known_frameworks();
      if (std::ranges::find(known, subject.framework) == known.end()) {
        if (const std::string guess = did_you_mean(subject.framework, known); !guess.empty()) {
          return Error{ErrorKind::bad_data,
                       format("{}: unknown framework `{}`{}", place, given->second, guess)};
        }
      }
      subject.groups["framework"].insert(subject.framework);
      subject.environment = environment::usual_environment(subject.framework);
    }
    subjects.push_back(std::move(subject));
  }
  if (subjects.empty()) {
    return Error{ErrorKind::bad_data,
                 format("the set is empty: {} has only a header line", file.string())};
  }
  return subjects;
}

// An error if a filter names what no program of the set could have.
static Result<void> check_filter(const std::vector<Subject>& set,
                                 const SetFilter& filter,
                                 const catalog::Schemes& schemes)
{
  std::vector<std::string> ids;
  for (const Subject& subject : set) {
    ids.push_back(subject.id);
  }
  for (const std::string& id : filter.ids) {
    if (std::ranges::find(ids, id) == ids.end()) {
      return Error{ErrorKind::not_found,
                   format("the set has no program `{}`{}", id, catalog::hint_for(id, ids))};
    }
  }
  for (const std::string& type : filter.types) {
    if (const std::optional<std::string> wrong = wrong_type(type, schemes.get("type"))) {
      return Error{ErrorKind::not_found, *wrong};
    }
  }
  std::vector<std::string> frameworks;
  for (const Subject& subject : set) {
    if (!subject.framework.empty() &&
        std::ranges::find(frameworks, subject.framework) == frameworks.end()) {
      frameworks.push_back(subject.framework);
    }
  }
  for (const std::string& framework : filter.frameworks) {
    if (frameworks.empty()) {
      return Error{ErrorKind::usage,
                   "--framework cannot choose from this set: its column `framework` is empty or "
                   "missing"};
    }
    if (std::ranges::find(frameworks, framework) == frameworks.end()) {
      return Error{ErrorKind::not_found,
                   format("the set has no program of framework `{}`{}",
                          framework,
                          catalog::hint_for(framework, frameworks))};
    }
  }
  return {};
}

Result<std::vector<Subject>>
select_from_set(std::vector<Subject> set, const SetFilter& filter, const catalog::Schemes& schemes)
{
  FL_CHECK(check_filter(set, filter, schemes));
  std::erase_if(set, [&filter](const Subject& subject) {
    const bool of_type =
        filter.types.empty() || std::ranges::any_of(filter.types, [&](const std::string& wanted) {
          return std::ranges::any_of(subject.types, [&wanted](const std::string& type) {
            return catalog::is_within(type, wanted);
          });
        });
    return !of_type || !any_or_empty(filter.ids, subject.id) ||
           !any_or_empty(filter.frameworks, subject.framework);
  });
  if (set.empty()) {
    return Error{ErrorKind::usage, "no program of the set is like that"};
  }
  return set;
}

} // namespace faultline::evaluate
