#include "source/patch.hpp"
#include "source/patch_path.hpp"
#include "source/patch_reader.hpp"

#include <algorithm>
#include <optional>
#include <set>

namespace faultline::source {

namespace {

class PatchParser {
public:
  PatchParser(std::string_view text, std::string_view name) : m_reader(text, name)
  {
    m_patch.name = name;
  }

  Result<Patch> parse();

private:
  Result<void> parse_git_file();
  Result<void> parse_plain_file();
  Result<std::optional<FileAction>> parse_git_extensions();
  Result<void> parse_names(FilePatch& file, const std::optional<std::string>& git_path);
  Result<std::string> parse_name(std::string_view prefix) const;
  Result<void> add_file(FilePatch file);

  bool at_binary() const { return m_reader.at("GIT binary patch") || m_reader.at("Binary files "); }

  PatchReader m_reader;
  Patch m_patch;
  std::set<std::string> m_paths;
};

constexpr std::string_view k_git_header = "diff --git ";
constexpr std::string_view k_no_binary = "binary files are not supported";

} // namespace

Result<Patch> parse_patch(std::string_view text, std::string_view name)
{
  return PatchParser(text, name).parse();
}

Result<Patch> PatchParser::parse()
{
  bool is_diff = true; // nothing at all is a patch too: one that does nothing
  bool has_header = false;
  while (!m_reader.at_end()) {
    if (m_reader.at(k_git_header)) {
      has_header = true;
      FL_CHECK(parse_git_file());
    } else if (m_reader.at("--- ")) {
      has_header = true;
      FL_CHECK(parse_plain_file());
    } else if (m_reader.at("+++ ")) {
      return m_reader.fail("a `+++` line without a `---` line before it");
    } else if (m_reader.at("@@ -")) {
      return m_reader.fail("a hunk without a file header before it");
    } else if (at_binary()) {
      return m_reader.fail(k_no_binary);
    } else {
      is_diff = is_diff && trim(m_reader.content()).empty();
      m_reader.next();
    }
  }
  if (!is_diff && !has_header) {
    return m_reader.fail_at(1, "not a unified diff: there is no `--- a/file` line");
  }
  return std::move(m_patch);
}

Result<void> PatchParser::parse_git_file()
{
  FilePatch file;
  file.patch_line = m_reader.number();
  const std::optional<std::string> path =
      path_of_git_header(m_reader.header().substr(k_git_header.size()));
  m_reader.next();
  FL_TRY(const std::optional<FileAction> action, parse_git_extensions());
  if (m_reader.at("--- ")) {
    FL_CHECK(parse_names(file, path));
    if (action && *action != file.action) {
      return m_reader.fail_at(file.patch_line, "the mode and the names of the file disagree");
    }
    FL_CHECK(parse_hunks(m_reader, file));
    return add_file(std::move(file));
  }
  if (!action) {
    return {}; // a change of mode alone
  }
  // Git writes an empty file that comes or goes without names and hunks.
  if (!path) {
    return m_reader.fail_at(file.patch_line, "cannot tell the path in this `diff --git` line");
  }
  file.path = *path;
  file.action = *action;
  return add_file(std::move(file));
}

// The lines between "diff --git" and "---". Nothing if they do not say that the file comes or goes.
Result<std::optional<FileAction>> PatchParser::parse_git_extensions()
{
  constexpr std::string_view k_ignored[] = {
      "index ", "old mode ", "new mode ", "similarity index ", "dissimilarity index "};
  std::optional<FileAction> action;
  for (; !m_reader.at_end(); m_reader.next()) {
    const bool creates = m_reader.at("new file mode ");
    if (creates || m_reader.at("deleted file mode ")) {
      const std::string_view line = m_reader.header();
      if (!line.substr(line.rfind(' ') + 1).starts_with("100")) {
        return m_reader.fail("only regular files are supported, no links");
      }
      if (action) {
        return m_reader.fail("the file comes or goes twice");
      }
      action = creates ? FileAction::create : FileAction::remove;
    } else if (m_reader.at("rename ") || m_reader.at("copy ")) {
      return m_reader.fail(
          "renames and copies are not supported, remove one file and create another");
    } else if (at_binary()) {
      return m_reader.fail(k_no_binary);
    } else if (std::ranges::none_of(k_ignored, [&](auto prefix) { return m_reader.at(prefix); })) {
      break;
    }
  }
  return action;
}

Result<void> PatchParser::parse_plain_file()
{
  FilePatch file;
  file.patch_line = m_reader.number();
  FL_CHECK(parse_names(file, std::nullopt));
  FL_CHECK(parse_hunks(m_reader, file));
  return add_file(std::move(file));
}

Result<std::string> PatchParser::parse_name(std::string_view prefix) const
{
  std::string_view rest = m_reader.header().substr(prefix.size());
  std::optional<std::string> name = take_path(rest);
  if (!name) {
    return m_reader.fail("the quoted file name is broken");
  }
  return *std::move(name);
}

// The path of a file whose other name is /dev/null.
static std::string path_of_only_name(std::string_view name,
                                     const std::optional<std::string>& git_path)
{
  if (git_path && (name == *git_path || name.substr(name.find('/') + 1) == *git_path)) {
    return *git_path;
  }
  return std::string(without_git_prefix(name));
}

Result<void> PatchParser::parse_names(FilePatch& file, const std::optional<std::string>& git_path)
{
  FL_TRY(const std::string old_name, parse_name("--- "));
  if (!m_reader.next_is("+++ ")) {
    return m_reader.fail("a `---` line without a `+++` line after it");
  }
  m_reader.next();
  FL_TRY(const std::string new_name, parse_name("+++ "));
  if (old_name == k_no_file && new_name == k_no_file) {
    return m_reader.fail("both names are /dev/null");
  }
  if (old_name == k_no_file) {
    file.action = FileAction::create;
    file.path = path_of_only_name(new_name, git_path);
  } else if (new_name == k_no_file) {
    file.action = FileAction::remove;
    file.path = path_of_only_name(old_name, git_path);
  } else if (std::optional<std::string> path = common_path(old_name, new_name)) {
    file.path = *std::move(path);
  } else {
    return m_reader.fail(format(
        "the old and the new name differ: {} and {}", quote_path(old_name), quote_path(new_name)));
  }
  if (git_path && file.path != *git_path) {
    return m_reader.fail(format("the names say {}, the `diff --git` line says {}",
                                quote_path(file.path),
                                quote_path(*git_path)));
  }
  m_reader.next();
  return {};
}

Result<void> PatchParser::add_file(FilePatch file)
{
  if (!is_inner_path(file.path)) {
    return m_reader.fail_at(file.patch_line,
                            format("path `{}` leaves the tree", quote_path(file.path)));
  }
  if (!m_paths.insert(file.path).second) {
    return m_reader.fail_at(file.patch_line,
                            format("{} occurs a second time", quote_path(file.path)));
  }
  m_patch.files.push_back(std::move(file));
  return {};
}

} // namespace faultline::source
