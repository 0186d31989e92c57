#include "evaluate/tool.hpp"

#include "base/file.hpp"
#include "base/format.hpp"
#include "base/text.hpp"
#include "base/toml.hpp"
#include "catalog/filter.hpp"
#include "evaluate/subject.hpp"
#include "evaluate/text_output.hpp"

#include <algorithm>
#include <cctype>

namespace faultline::evaluate {

namespace fs = std::filesystem;
using source::Severity;

namespace {

const std::vector<std::string> k_placeholders = {
    "program", "entry", "workspace", "python", "faultline", "run", "files"};
const std::vector<std::string> k_languages = {"python", "javascript", "cpp"};
const std::vector<std::string> k_levels = {"error", "warning", "info"};

// The keys of the two tables that must have some: whoever mistypes one hears of that, not that it
// is missing.
const std::vector<std::string> k_keys = {"name",
                                         "summary",
                                         "union",
                                         "kind",
                                         "command",
                                         "requires",
                                         "install",
                                         "environment",
                                         "folders",
                                         "version",
                                         "exit_statuses",
                                         "any_exit_status",
                                         "applies",
                                         "limits",
                                         "output",
                                         "severities",
                                         "types"};
const std::vector<std::string> k_output_keys = {"format",
                                                "stream",
                                                "levels",
                                                "findings",
                                                "rule",
                                                "file",
                                                "line",
                                                "message",
                                                "severity",
                                                "type",
                                                "patterns"};

void check_keys(TomlReader& in, const std::vector<std::string>& known)
{
  for (const std::string& key : in.keys()) {
    if (std::ranges::find(known, key) == known.end()) {
      in.refuse(key, format("unknown key `{}`{}", key, did_you_mean(key, known)));
    }
  }
}

// `value` must be one of `known`.
void check_known(TomlReader& in,
                 std::string_view key,
                 std::string_view what,
                 const std::string& value,
                 const std::vector<std::string>& known)
{
  if (std::ranges::find(known, value) == known.end()) {
    in.refuse(key, format("unknown {} `{}`{}", what, value, catalog::hint_for(value, known)));
  }
}

Severity level_named(TomlReader& in, std::string_view key, const std::string& name)
{
  check_known(in, key, "level", name, k_levels);
  return name == "error" ? Severity::error : name == "info" ? Severity::info : Severity::warning;
}

// The names in braces of a word. Braces around anything else are left as they are.
std::vector<std::string> placeholders_of(std::string_view word)
{
  std::vector<std::string> names;
  for (size_t at = word.find('{'); at != std::string_view::npos; at = word.find('{', at + 1)) {
    size_t end = at + 1;
    while (end < word.size() && (std::isalnum(static_cast<unsigned char>(word[end])) != 0 ||
                                 word[end] == '_' || word[end] == '.')) {
      ++end;
    }
    if (end < word.size() && word[end] == '}' && end > at + 1) {
      names.emplace_back(word.substr(at + 1, end - at - 1));
    }
  }
  return names;
}

void check_command(TomlReader& in, std::string_view key, const std::vector<std::string>& words)
{
  for (const std::string& word : words) {
    for (const std::string& name : placeholders_of(word)) {
      if (!name.starts_with("set.")) {
        check_known(in, key, "placeholder", name, k_placeholders);
      }
      if ((name == "run" || name == "files") && word != "{" + name + "}") {
        in.refuse(key, format("`{{{}}}` is several words and must be a word of its own", name));
      }
    }
  }
}

std::set<std::string> known_texts(TomlReader& in,
                                  std::string_view key,
                                  std::string_view what,
                                  const std::vector<std::string>& known)
{
  std::set<std::string> values;
  for (const std::string& value : in.texts(key)) {
    check_known(in, key, what, value, known);
    values.insert(value);
  }
  return values;
}

size_t bounded(TomlReader& in, std::string_view key, size_t otherwise, long long most)
{
  const std::optional<long long> given = in.optional_integer(key);
  if (given && (*given < 1 || *given > most)) {
    in.refuse(key, format("`{}` must lie between 1 and {}", key, most));
    return otherwise;
  }
  return given ? static_cast<size_t>(*given) : otherwise;
}

ToolLimits read_limits(TomlReader& in)
{
  ToolLimits limits;
  limits.timeout_seconds = in.optional_number("timeout_seconds").value_or(limits.timeout_seconds);
  if (!(limits.timeout_seconds > 0 && limits.timeout_seconds <= 3600)) {
    in.refuse("timeout_seconds", "`timeout_seconds` must lie between 0 and 3600");
  }
  limits.memory_mib = bounded(in, "memory_mib", limits.memory_mib, 1024LL * 1024);
  limits.output_mib = bounded(in, "output_mib", limits.output_mib, 128);
  limits.processes = bounded(in, "processes", limits.processes, 4096);
  return limits;
}

OutputSpec read_output(TomlReader& in)
{
  OutputSpec spec;
  const std::string name = in.text("format");
  check_known(in, "format", "format", name, {"sarif", "json", "text"});
  spec.format = name == "sarif"  ? OutputFormat::sarif
                : name == "text" ? OutputFormat::text
                                 : OutputFormat::json;
  const std::string stream = in.optional_text("stream").value_or("stdout");
  check_known(in, "stream", "stream", stream, {"stdout", "both"});
  spec.with_errors = stream == "both";
  if (spec.format == OutputFormat::json) {
    const auto key = [&in](std::string_view name_of_key, std::string otherwise) {
      return in.optional_text(name_of_key).value_or(std::move(otherwise));
    };
    spec.keys = {key("findings", ""),
                 key("rule", "rule"),
                 key("file", "file"),
                 key("line", "line"),
                 key("message", "message"),
                 key("type", "type"),
                 key("severity", "severity")};
  }
  if (spec.format == OutputFormat::text) {
    spec.patterns = in.texts("patterns");
    if (spec.patterns.empty()) {
      in.refuse("text output needs `patterns`");
    }
    for (const std::string& pattern : spec.patterns) {
      if (const auto compiled = FindingPattern::compile(pattern); !compiled) {
        in.refuse("patterns", compiled.error().message);
      }
    }
  }
  return spec;
}

void read_types(TomlReader& in, const catalog::Schemes& schemes, Tool& tool)
{
  const catalog::Scheme& scheme = schemes.get("type");
  for (const std::string& rule : in.keys()) {
    const std::string type = in.text(rule);
    const catalog::Label* label = scheme.find(type);
    if (label == nullptr) {
      in.refuse(rule,
                format("unknown type `{}`{}", type, catalog::hint_for(type, scheme.leaf_ids())));
    } else if (!label->leaf) {
      in.refuse(rule, format("type `{}` is not a leaf of its scheme", type));
    }
    tool.types[rule] = type;
  }
}

void read_exit_statuses(TomlReader& in, Tool& tool)
{
  tool.any_exit_status = in.flag("any_exit_status", false);
  if (!in.has("exit_statuses")) {
    return;
  }
  tool.exit_statuses.clear();
  for (const int status : in.integers("exit_statuses")) {
    if (status < 0 || status > 255) {
      in.refuse("exit_statuses", format("{} is not an exit status", status));
    }
    tool.exit_statuses.insert(status);
  }
}

// What a tool has that is not a union of others.
void read_own(TomlReader& in, const catalog::Schemes& schemes, Tool& tool)
{
  const std::string approach = in.text("kind");
  check_known(in, "kind", "kind", approach, {"static", "dynamic"});
  tool.approach = approach == "dynamic" ? Approach::running : Approach::without_running;
  tool.command = in.texts("command");
  if (tool.command.empty()) {
    in.refuse("command", "`command` must name at least one word");
  }
  check_command(in, "command", tool.command);
  tool.needs = in.texts("requires");
  tool.install = in.optional_text("install").value_or("");
  tool.environment = in.optional_text("environment").value_or("");
  tool.folders = in.texts("folders");
  for (const std::string& folder : tool.folders) {
    if (!folder.starts_with('/')) {
      in.refuse("folders", format("`{}` is not an absolute path", folder));
    }
  }
  tool.version = in.texts("version");
  check_command(in, "version", tool.version);
  read_exit_statuses(in, tool);
  if (std::optional<TomlReader> applies = in.optional_table("applies")) {
    tool.frameworks = known_texts(*applies, "frameworks", "framework", known_frameworks());
    tool.languages = known_texts(*applies, "languages", "language", k_languages);
  }
  if (std::optional<TomlReader> limits = in.optional_table("limits")) {
    tool.limits = read_limits(*limits);
  }
  TomlReader output = in.table("output");
  check_keys(output, k_output_keys);
  tool.output = read_output(output);
  if (output.has("levels")) {
    tool.levels.clear();
    for (const std::string& level : output.texts("levels")) {
      tool.levels.insert(level_named(output, "levels", level));
    }
  }
  if (std::optional<TomlReader> severities = in.optional_table("severities")) {
    for (const std::string& word : severities->keys()) {
      tool.severities[word] = level_named(*severities, word, severities->text(word));
    }
  }
  if (std::optional<TomlReader> types = in.optional_table("types")) {
    read_types(*types, schemes, tool);
  }
}

} // namespace

bool Tool::uses(std::string_view placeholder) const
{
  const auto in_word = [placeholder](const std::string& word) {
    return std::ranges::any_of(placeholders_of(word), [placeholder](const std::string& found) {
      return found == placeholder;
    });
  };
  return std::ranges::any_of(command, in_word) || std::ranges::any_of(version, in_word);
}

Severity Tool::severity_of(const std::string& word) const
{
  if (const auto own = severities.find(word); own != severities.end()) {
    return own->second;
  }
  std::string lower;
  for (const char c : word) {
    lower += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  for (const char* known : {"error", "fatal", "critical", "high"}) {
    if (lower == known) {
      return Severity::error;
    }
  }
  for (const char* known :
       {"info", "information", "note", "none", "hint", "style", "low", "convention", "refactor"}) {
    if (lower == known) {
      return Severity::info;
    }
  }
  return Severity::warning;
}

Result<Tool> load_tool(const fs::path& file, const catalog::Schemes& schemes)
{
  const std::string name = file.string();
  FL_TRY(const std::string text, read_file(file));
  FL_TRY(const toml::table table, parse_toml(text, name));
  TomlReader in(table, name);
  check_keys(in, k_keys);
  Tool tool;
  tool.file = file;
  tool.name = in.text("name");
  if (!tool.name.empty() && tool.name != file.stem().string()) {
    in.refuse("name", format("`{}` is not what the file is called", tool.name));
  }
  tool.summary = in.text("summary");
  if (in.has("union")) {
    tool.members = in.texts("union");
    if (tool.members.size() < 2) {
      in.refuse("union", "`union` must name at least two tools");
    }
  } else {
    read_own(in, schemes, tool);
  }
  FL_CHECK(in.finish());
  return tool;
}

} // namespace faultline::evaluate
