// Reads a fault's folder and checks everything that can be checked without running it. The first
// mistake becomes one error with file and line.

#include "base/format.hpp"
#include "base/pattern.hpp"
#include "base/text.hpp"
#include "base/toml.hpp"
#include "catalog/data_sets.hpp"
#include "catalog/fault.hpp"
#include "catalog/unwritten.hpp"
#include "environment/description.hpp"

#include <algorithm>

namespace faultline::catalog {

namespace fs = std::filesystem;

// Reads a string that must be one of `allowed`.
static std::string
one_of(TomlReader& in, std::string_view key, const std::vector<std::string>& names)
{
  std::string value = in.text(key);
  if (std::ranges::find(names, value) == names.end()) {
    in.refuse(key,
              format("unknown {} `{}`{}; it is one of {}",
                     key,
                     value,
                     did_you_mean(value, names),
                     join(names, ", ")));
  }
  return value;
}

// The value at the key that the scheme is named after must be one of its leaves.
static void check_label(TomlReader& in, const Scheme& scheme, const std::string& value)
{
  const std::string& key = scheme.name;
  const Label* label = scheme.find(value);
  if (label == nullptr) {
    in.refuse(key, format("unknown {} `{}`{}", key, value, did_you_mean(value, scheme.leaf_ids())));
  } else if (!label->leaf) {
    in.refuse(key, format("{} `{}` is not a leaf of its scheme", key, value));
  }
}

static Labels read_labels(TomlReader& in, const Schemes& schemes)
{
  Labels labels;
  for (size_t i = 0; i < k_scheme_names.size(); ++i) {
    const std::string key(k_scheme_names[i]);
    const Scheme& scheme = schemes.get(key);
    const std::string value = in.text(key);
    check_label(in, scheme, value);
    labels.values[i] = value;
  }
  for (const std::string& name : in.texts("published")) {
    if (std::ranges::find(k_scheme_names, name) == k_scheme_names.end()) {
      in.refuse("published", format("unknown label scheme `{}` in `published`", name));
    }
    labels.published.insert(name);
  }
  return labels;
}

static Location read_location(TomlReader& in, const FileTree& program)
{
  Location location{in.text("file"), in.integers("lines")};
  const auto file = program.find(location.file);
  if (file == program.end()) {
    in.refuse("file", format("`{}` is not a file of program/", location.file));
    return location;
  }
  const int last = static_cast<int>(split_lines(file->second).size());
  if (location.lines.empty()) {
    in.refuse("lines", "`lines` must name at least one line");
  }
  for (const int line : location.lines) {
    if (line < 1 || line > last) {
      in.refuse("lines", format("line {} is not in {}, which has {}", line, location.file, last));
    }
  }
  return location;
}

// A file of the fault's own: a link could lead anywhere.
static Result<std::string> read_plain_file(const fs::path& folder, const std::string& name)
{
  std::error_code code;
  if (fs::is_symlink(folder / name, code)) {
    return Error{ErrorKind::bad_data, format("{} is a symbolic link", name)};
  }
  Result<std::string> text = read_file(folder / name);
  if (!text) {
    return Error{ErrorKind::bad_data, format("missing file {}", name)};
  }
  return text;
}

static source::Patch read_patch(TomlReader& in,
                                std::string_view key,
                                const fs::path& folder,
                                const std::string& file,
                                const FileTree& program)
{
  const std::string name = (folder / file).string();
  if (!is_inner_path(file)) {
    in.refuse(key, format("`{}` leaves the fault's folder", file));
    return {};
  }
  const Result<std::string> text = read_plain_file(folder, file);
  if (!text) {
    in.refuse(key, text.error().message);
    return {};
  }
  Result<source::Patch> patch = source::parse_patch(*text, name);
  if (!patch) {
    in.fail(patch.error());
    return {};
  }
  if (patch->files.empty()) {
    in.refuse(key, format("{} changes nothing", file));
  }
  if (const auto edits = source::edits_of(*patch, program); !edits) {
    in.fail(edits.error());
  }
  return *std::move(patch);
}

static std::vector<Part> read_parts(TomlReader& in, const Fault& fault, const Schemes& schemes)
{
  std::vector<Part> parts;
  if (!in.has("part")) {
    Part part;
    part.title = fault.title;
    part.patch_file = "fix.patch";
    part.patch = read_patch(in, "id", fault.folder, part.patch_file, fault.program);
    TomlReader labels = in.table("labels");
    part.labels = read_labels(labels, schemes);
    TomlReader location = in.table("location");
    part.location = read_location(location, fault.program);
    parts.push_back(std::move(part));
    return parts;
  }
  for (TomlReader table : in.tables("part")) {
    Part part;
    part.name = table.text("name");
    part.title = table.text("title");
    part.patch_file = table.text("patch");
    part.patch = read_patch(table, "patch", fault.folder, part.patch_file, fault.program);
    TomlReader labels = table.table("labels");
    part.labels = read_labels(labels, schemes);
    TomlReader location = table.table("location");
    part.location = read_location(location, fault.program);
    if (std::ranges::find(parts, part.name, &Part::name) != parts.end()) {
      table.refuse("name", format("duplicate part `{}`", part.name));
    }
    parts.push_back(std::move(part));
  }
  if (parts.size() < 2) {
    in.refuse("part", "a fault with `[[part]]` needs at least two of them");
  }
  return parts;
}

static std::vector<Accepted>
read_accepted(TomlReader& in, const Fault& fault, const Schemes& schemes)
{
  std::vector<Accepted> all;
  for (TomlReader table : in.tables("accepted")) {
    Accepted accepted;
    accepted.part = table.optional_text("part").value_or("");
    if (fault.find_part(accepted.part) == nullptr) {
      table.refuse("part",
                   accepted.part.empty() ? std::string("`part` must say which part this answers")
                                         : format("there is no part `{}`", accepted.part));
    }
    accepted.patch_file = table.optional_text("patch").value_or("");
    if (!accepted.patch_file.empty()) {
      accepted.patch = read_patch(table, "patch", fault.folder, accepted.patch_file, fault.program);
    }
    if (table.has("file")) {
      accepted.location = read_location(table, fault.program);
    }
    accepted.type = table.optional_text("type").value_or("");
    if (table.has("type")) {
      check_label(table, schemes.get("type"), accepted.type);
    }
    if (!accepted.patch && !accepted.location && accepted.type.empty()) {
      table.refuse("an accepted answer needs `patch`, or `file` and `lines`, or `type`");
    }
    accepted.fix_pattern = table.optional_text("fix_pattern").value_or("");
    const Scheme& patterns = schemes.get("fix_pattern");
    // A flat scheme: every label of it is a leaf.
    if (!accepted.fix_pattern.empty() && patterns.find(accepted.fix_pattern) == nullptr) {
      table.refuse("fix_pattern",
                   format("unknown fix_pattern `{}`{}",
                          accepted.fix_pattern,
                          did_you_mean(accepted.fix_pattern, patterns.leaf_ids())));
    }
    accepted.why = table.text("why");
    all.push_back(std::move(accepted));
  }
  return all;
}

static bool is_plain_name(std::string_view name)
{
  constexpr std::string_view k_letters =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_";
  return !name.empty() && k_letters.find(name.front()) != std::string_view::npos &&
         name.find_first_not_of(std::string(k_letters) + "./-") == std::string_view::npos;
}

static RunSpec read_run(TomlReader& in)
{
  RunSpec run;
  run.command = in.texts("command");
  run.test = in.texts("test");
  if (run.command.empty() || run.test.empty()) {
    in.refuse("`command` and `test` must each name at least one word");
  }
  run.timeout_seconds = in.optional_number("timeout_seconds").value_or(30);
  const long long memory = in.optional_integer("memory_mib").value_or(1024);
  if (!(run.timeout_seconds > 0 && run.timeout_seconds <= 3600)) {
    in.refuse("timeout_seconds", "`timeout_seconds` must lie between 0 and 3600");
  }
  if (memory < 16 || memory > 1024 * 1024) {
    in.refuse("memory_mib", "`memory_mib` must lie between 16 and 1048576");
  }
  run.memory_mib = static_cast<size_t>(std::max(memory, 16LL));
  if (std::optional<TomlReader> compile = in.optional_table("compile")) {
    run.compile = Compile{compile->texts("sources"), compile->text("output")};
    std::vector<std::string> names = run.compile->sources;
    names.push_back(run.compile->output);
    // They become words of a compiler's command line.
    for (const std::string& name : names) {
      if (!is_inner_path(name) || !is_plain_name(name)) {
        compile->refuse(format("`{}` is not a plain file name", name));
      }
    }
    if (run.compile->sources.empty()) {
      compile->refuse("`sources` must name at least one file");
    }
  }
  return run;
}

static Oracle read_oracle(TomlReader& in)
{
  Oracle oracle;
  oracle.evidence = in.text("evidence");
  if (const Result<Pattern> pattern = Pattern::compile(oracle.evidence); !pattern) {
    in.refuse("evidence",
              format("`evidence` is not a regular expression: {}", pattern.error().message));
  }
  if (in.has("metric")) {
    StatisticalOracle statistical;
    statistical.metric = in.text("metric");
    statistical.higher_is_better = one_of(in, "direction", {"higher", "lower"}) == "higher";
    statistical.threshold = in.number("threshold");
    const long long seeds = in.integer("seeds");
    statistical.test = one_of(in, "test", {"mann-whitney", "welch"});
    statistical.alpha = in.number("alpha");
    statistical.effect = in.number("effect");
    if (seeds < 2 || seeds > 1000) {
      in.refuse("seeds", "`seeds` must lie between 2 and 1000");
    }
    statistical.seeds = static_cast<int>(std::clamp(seeds, 2LL, 1000LL));
    if (!(statistical.alpha > 0 && statistical.alpha < 1)) {
      in.refuse("alpha", "`alpha` must lie between 0 and 1");
    }
    oracle.statistical = statistical;
  }
  return oracle;
}

static void read_environment(TomlReader& in, Fault& fault)
{
  fault.environments = in.texts("in");
  if (fault.environments.empty()) {
    fault.environments = {std::string(environment::usual_environment(fault.framework))};
  }
  fault.absent_in = in.texts("not_in");
  for (const std::string& name : fault.absent_in) {
    if (std::ranges::find(fault.environments, name) != fault.environments.end()) {
      in.refuse("not_in", format("`{}` is in `in` as well", name));
    }
  }
  fault.data = in.texts("data");
  for (const std::string& name : fault.data) {
    if (!data_sets().contains(name)) {
      std::vector<std::string> known;
      for (const auto& [set, folder] : data_sets()) {
        known.push_back(set);
      }
      in.refuse("data", format("unknown data set `{}`; it is one of {}", name, join(known, ", ")));
    }
  }
}

static Origin read_origin(TomlReader& in)
{
  Origin origin;
  origin.kind = one_of(in, "kind", {"stack_overflow", "github", "study", "injected"});
  origin.url = in.text("url");
  origin.dataset = in.optional_text("dataset").value_or("");
  origin.record = in.optional_text("record").value_or("");
  if (!origin.url.starts_with("https://")) {
    in.refuse("url", "`url` must start with https://");
  }
  return origin;
}

// The last word of the test's command that names a file beside program/: "../test.py".
static Result<void> read_test(Fault& fault, const std::string& file)
{
  for (const std::string& word : fault.run.test) {
    if (word.starts_with("../") && is_inner_path(word.substr(3))) {
      fault.test_file = word.substr(3);
    }
  }
  if (fault.test_file.empty()) {
    return Error{ErrorKind::bad_data,
                 format("{}:1: `test` must run ../test.py or ../test.js", file)};
  }
  Result<std::string> text = read_plain_file(fault.folder, fault.test_file);
  if (!text) {
    return Error{ErrorKind::bad_data, format("{}:1: {}", file, text.error().message)};
  }
  fault.test_text = *std::move(text);
  std::vector<std::string> blank;
  for (const auto& [path, content] : fault.program) {
    if (has_blank_line(content)) {
      blank.push_back("program/" + path);
    }
  }
  if (has_blank_line(fault.test_text)) {
    blank.push_back(fault.test_file);
  }
  if (!blank.empty()) {
    return Error{ErrorKind::bad_data,
                 format("{}:1: still to be written: {}", file, join(blank, ", "))};
  }
  return {};
}

Result<Fault> load_fault(const fs::path& folder, const Schemes& schemes)
{
  const std::string file = (folder / "fault.toml").string();
  std::error_code code;
  if (fs::is_symlink(folder, code)) {
    return Error{ErrorKind::bad_data,
                 format("{}:1: the fault's folder is a symbolic link", folder.string())};
  }
  Result<std::string> text = read_plain_file(folder, "fault.toml");
  if (!text) {
    return Error{ErrorKind::bad_data, format("{}:1: {}", folder.string(), text.error().message)};
  }
  FL_TRY(const toml::table table, parse_toml(*text, file));
  if (const std::vector<std::string> blanks = unwritten(table, folder); !blanks.empty()) {
    return Error{ErrorKind::bad_data,
                 format("{}:1: still to be written: {}", file, join(blanks, ", "))};
  }
  Result<FileTree> program = read_tree(folder / "program");
  if (!program || program->empty()) {
    return Error{ErrorKind::bad_data,
                 format("{}:1: {}", file, program ? "program/ is empty" : program.error().message)};
  }

  TomlReader in(table, file);
  Fault fault;
  fault.folder = folder;
  fault.program = *std::move(program);
  fault.id = in.text("id");
  fault.title = in.text("title");
  fault.framework = one_of(in, "framework", {k_frameworks.begin(), k_frameworks.end()});
  fault.split = one_of(in, "split", {"dev", "test"});
  fault.silent = in.flag("silent", false);
  fault.summary = in.text("summary");
  fault.general = in.text("general");
  TomlReader origin = in.table("origin");
  fault.origin = read_origin(origin);
  fault.parts = read_parts(in, fault, schemes);
  fault.accepted = read_accepted(in, fault, schemes);
  TomlReader run = in.table("run");
  fault.run = read_run(run);
  TomlReader oracle = in.table("oracle");
  fault.oracle = read_oracle(oracle);
  TomlReader environment = in.table("environment");
  read_environment(environment, fault);
  TomlReader realism = in.table("realism");
  fault.realism = {one_of(realism, "api", {"same", "ported"}),
                   one_of(realism, "data", {"same", "stand-in"}),
                   one_of(realism, "fix", {"accepted", "equivalent"}),
                   realism.optional_text("note").value_or("")};
  if (std::optional<TomlReader> withdrawn = in.optional_table("withdrawn")) {
    fault.withdrawn =
        Withdrawn{withdrawn->text("version"), withdrawn->text("date"), withdrawn->text("reason")};
  }
  if (fault.framework == "libtorch" && !fault.run.compile) {
    in.refuse("run", "a libtorch fault needs `compile` in [run]");
  }
  FL_CHECK(in.finish());
  FL_CHECK(read_test(fault, file));
  // Parts and alternatives must also fit together.
  const auto in_file = [&file](const Error& error) {
    return Error{ErrorKind::bad_data, format("{}:1: {}", file, error.line())};
  };
  if (const auto fixed = program_of(fault, Version::fixed); !fixed) {
    return in_file(fixed.error());
  }
  for (const Accepted& accepted : fault.accepted) {
    if (!accepted.patch) {
      continue;
    }
    if (const auto other = program_with(fault, accepted); !other) {
      return in_file(other.error());
    }
  }
  return fault;
}

} // namespace faultline::catalog
