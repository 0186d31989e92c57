#include "base/format.hpp"
#include "base/text.hpp"
#include "campaign/bytecode.hpp"
#include "campaign/coverage_file.hpp"
#include "check/ignore_patterns.hpp"
#include "cli/command.hpp"
#include "cli/inject_input.hpp"
#include "cli/inject_output.hpp"
#include "cli/inject_weights.hpp"
#include "inject/selection.hpp"
#include "inject/setting.hpp"
#include "report/diff_text.hpp"
#include "report/text_table.hpp"
#include "run/packages.hpp"

#include <algorithm>
#include <iostream>

namespace faultline::cli {

namespace fs = std::filesystem;

namespace {

struct Options {
  std::string program;
  std::string library;
  std::vector<std::string> operators;
  std::vector<std::string> files;
  std::string covered_by;
  std::optional<size_t> per_file;
  std::optional<std::string> setting;
  uint64_t seed = 1;
  bool diff = false;
  bool json = false;
  std::string write;
};

// The files to mutate: those of a program or of a library.
struct Target {
  fs::path folder;
  FileTree files;
};

bool is_weights(const std::string& program)
{
  return program.ends_with(".pt") || program.ends_with(".pth");
}

Result<Target> load_target(Session& session, const Options& options)
{
  if (!options.library.empty()) {
    FL_TRY(const run::Environment* environment, session.environment());
    FL_TRY(run::InstalledPackage package, run::installed_package(*environment, options.library));
    return Target{std::move(package.folder), std::move(package.files)};
  }
  std::error_code code;
  const fs::path path = options.program;
  if (fs::is_directory(path, code)) {
    FL_TRY(FileTree files, read_tree(path));
    for (const std::string& place : broken_programs(files)) {
      std::cerr << format("faultline: {} {} is not valid Python; what cannot be read of it is left "
                          "alone\n",
                          session.err()(Colour::red, "warning:"),
                          place);
    }
    return Target{path, std::move(files)};
  }
  if (!fs::exists(path, code)) {
    return Error{ErrorKind::not_found, format("{} does not exist", options.program)};
  }
  if (path.extension() != ".py") {
    return Error{ErrorKind::usage,
                 format("{} is not a Python file, a folder or a .pt file", options.program)};
  }
  FL_TRY(std::string text, read_program(path));
  return Target{path.parent_path(), {{path.filename().string(), std::move(text)}}};
}

// An operator that cannot be set so is left out, and said to be; an error if none can.
Result<void> keep_those_that_take(const std::string& setting,
                                  std::vector<const inject::Operator*>& chosen)
{
  std::vector<const inject::Operator*> kept;
  std::vector<std::string> refusals;
  bool is_taken = false;
  for (const inject::Operator* op : chosen) {
    const Result<void> checked = inject::check_setting(*op, setting);
    const bool has_setting = !op->setting.name.empty();
    is_taken = is_taken || (has_setting && checked);
    if (!has_setting || checked) {
      kept.push_back(op);
    } else {
      refusals.push_back(checked.error().message);
    }
  }
  if (!is_taken) {
    return Error{ErrorKind::usage,
                 refusals.empty() ? "none of the chosen operators has a setting" : refusals[0]};
  }
  for (const std::string& refusal : refusals) {
    std::cerr << "faultline: left out: " << refusal << '\n';
  }
  chosen = std::move(kept);
  return {};
}

// The chosen operators that can change such a target; by default all of them, and for a library
// those of any Python.
Result<std::vector<const inject::Operator*>> operators_for(const Options& options)
{
  const bool weights = options.library.empty() && is_weights(options.program);
  const char* by_default = weights ? "weights" : options.library.empty() ? "all" : "source";
  FL_TRY(std::vector<const inject::Operator*> chosen,
         inject::select_operators(options.operators.empty() ? std::vector<std::string>{by_default}
                                                            : options.operators));
  std::erase_if(chosen, [weights](const inject::Operator* op) {
    return (op->level == inject::Level::weights) != weights;
  });
  if (chosen.empty()) {
    return Error{ErrorKind::usage,
                 format("{} {}",
                        join(options.operators, ", "),
                        weights ? "changes programs; give a .py file or a folder"
                                : "changes saved weights; give a .pt file")};
  }
  if (options.setting) {
    FL_CHECK(keep_those_that_take(*options.setting, chosen));
  }
  return chosen;
}

// Operators that were asked for and found nothing say what they look for, so that nobody takes
// silence for a program that cannot have the fault.
void explain_silence(const Options& options,
                     const inject::Selection& selection,
                     const std::vector<inject::Variant>& found)
{
  if (options.operators.empty()) {
    return;
  }
  for (const inject::Operator* op : selection.operators) {
    const bool is_named = std::ranges::any_of(options.operators, [op](const std::string& word) {
      return inject::find_operator(word) == op; // not by a level or a beginning
    });
    const bool has_found = std::ranges::find(found, op->code, &inject::Variant::op) != found.end();
    if (is_named && !has_found) {
      std::cerr << format("faultline: {} {} finds nothing to change{}\n",
                          op->code,
                          op->name,
                          op->looks_for.empty()
                              ? format(" (`faultline explain {}` shows what it changes)", op->code)
                              : format(": it looks for {}", op->looks_for));
    }
  }
}

Result<void> check_options(const Options& options)
{
  if (options.program.empty() == options.library.empty()) {
    return Error{ErrorKind::usage,
                 options.program.empty()
                     ? "give a program (a .py file, a folder, a .pt file) or --library"
                     : "give a program or --library, not both"};
  }
  if (options.library.empty() && is_weights(options.program)) {
    if (options.diff || options.per_file || !options.files.empty() || !options.covered_by.empty()) {
      return Error{ErrorKind::usage,
                   "--diff, --file, --covered-by and --per-file are for programs, not for weights"};
    }
  }
  if (options.diff && options.json) {
    return Error{ErrorKind::usage, "give --diff or --json, not both"};
  }
  if (!options.write.empty()) {
    return check_new_folder(options.write);
  }
  return {};
}

Result<void>
choose_lines(const Options& options, const Target& target, inject::Selection& selection)
{
  if (options.covered_by.empty()) {
    return {};
  }
  FL_TRY(const campaign::CoveredLines recorded, campaign::read_coverage(options.covered_by));
  selection.covered = campaign::covered_lines_of(recorded, target.files, target.folder);
  if (selection.covered->empty()) {
    return Error{ErrorKind::bad_data,
                 format("no line of {} is covered according to {}",
                        options.library.empty() ? options.program : options.library,
                        options.covered_by)};
  }
  return {};
}

// Those of the files that --file asks for.
Result<void>
keep_files(const Options& options, const Target& target, std::vector<inject::Variant>& all)
{
  if (options.files.empty()) {
    return {};
  }
  const check::IgnorePatterns patterns(options.files);
  if (std::ranges::none_of(target.files,
                           [&](const auto& file) { return patterns.covers(file.first); })) {
    return Error{ErrorKind::usage, format("no file matches {}", join(options.files, ", "))};
  }
  std::erase_if(all,
                [&](const inject::Variant& variant) { return !patterns.covers(variant.file); });
  return {};
}

std::string print_table(const std::vector<inject::Variant>& variants, const Session& session)
{
  report::TextTable table({{"ID", report::Align::left, Colour::bold},
                           {"OPERATOR"},
                           {"PLACE"},
                           {"CHANGE", report::Align::left, Colour::dim}});
  for (const inject::Variant& variant : variants) {
    const inject::Operator& op = *inject::find_operator(variant.op);
    const std::string setting =
        variant.setting.empty() ? "" : format(" ({} {})", op.setting.name, variant.setting);
    table.add({variant.id,
               std::string(op.name) + setting,
               format("{}:{}", variant.file, variant.line),
               format("{} → {}",
                      variant.before.empty() ? "nothing" : variant.before,
                      variant.after.empty() ? "nothing" : variant.after)});
  }
  return variants.empty() ? "" : table.print(session.out(), session.width()) + "\n";
}

std::string print_summary(const campaign::Compiled& compiled)
{
  std::string text = count_of(compiled.different.size(), "variant");
  if (!compiled.equivalent.empty()) {
    text += format(", {} omitted because the bytecode is the same", compiled.equivalent.size());
  }
  if (!compiled.broken.empty()) {
    text += format(", {} omitted because they are not valid Python", compiled.broken.size());
  }
  return text + ".\n";
}

Result<void> write_all(Session& session,
                       const Options& options,
                       const Target& target,
                       const std::vector<inject::Variant>& variants)
{
  FL_TRY(const std::string overlay, read_file(session.probes() / "overlay.py"));
  FL_CHECK(write_variants(options.write, variants, target.files, overlay));
  std::cerr << format(
      "faultline: written to {}; {}\n",
      options.write,
      options.library.empty()
          ? "each variant is the whole program in a folder of its own"
          : format("to run a program with one, set PYTHONPATH={}/ID", options.write));
  return {};
}

Result<int> run(Session& session, const Options& options)
{
  FL_CHECK(check_options(options));
  inject::Selection selection;
  FL_TRY(selection.operators, operators_for(options));
  if (options.library.empty() && is_weights(options.program)) {
    return inject_weights(session,
                          {options.program,
                           selection.operators,
                           options.setting,
                           options.seed,
                           options.write,
                           options.json});
  }
  FL_TRY(const Target target, load_target(session, options));
  selection.per_file = options.per_file;
  selection.setting = options.setting;
  selection.seed = options.seed;
  FL_CHECK(choose_lines(options, target, selection));
  std::vector<inject::Variant> variants =
      inject::make_variants(target.files, selection, options.library);
  FL_CHECK(keep_files(options, target, variants));
  explain_silence(options, selection, variants);
  FL_TRY(const run::Environment* environment, session.environment());
  FL_TRY(const campaign::Compiled compiled,
         campaign::compile_variants(std::move(variants), target.files, *environment));
  if (!options.write.empty()) {
    FL_CHECK(write_all(session, options, target, compiled.different));
  }
  if (options.json) {
    Json json = Json::array();
    for (const inject::Variant& variant : compiled.different) {
      json.push_back(variant_json(variant));
    }
    session.print_json(json);
    return k_exit_ok;
  }
  if (options.diff) {
    for (const inject::Variant& variant : compiled.different) {
      FL_TRY(const std::string diff, variant_diff(variant, target.files));
      session.print(session.out()(Colour::bold, "# " + variant.id) + "\n" +
                    report::paint_diff(diff, session.out()));
    }
    return k_exit_ok;
  }
  session.print(print_table(compiled.different, session) + print_summary(compiled));
  return k_exit_ok;
}

} // namespace

Action declare_inject(Arguments& arguments, Session& session)
{
  auto options = std::make_shared<Options>();
  arguments.option("program", options->program, "a .py file, a folder, or saved weights (.pt)")
      .named("PROGRAM");
  arguments
      .option("--library",
              options->library,
              "mutate an installed package or module instead, such as torch.nn")
      .named("NAME");
  arguments
      .option("--operator",
              options->operators,
              "only these: a code or its prefix, a name, an acronym or a level")
      .separated_by(',')
      .repeated()
      .named("NAME");
  arguments.option("--file", options->files, "only files that match this pattern, as in .gitignore")
      .repeated()
      .named("PATTERN");
  arguments
      .option("--covered-by",
              options->covered_by,
              "only lines that were executed, by a .coverage or JSON file of coverage.py")
      .named("FILE");
  arguments
      .option("--per-file", options->per_file, "at most N variants of each file, chosen at random")
      .named("N");
  arguments.option("--seed", options->seed, "seed of random choices (1)").named("N");
  arguments
      .option("--setting", options->setting, "use this setting instead of the operators' own ones")
      .named("VALUE");
  arguments.flag("--diff", options->diff, "print unified diffs");
  arguments.flag("--json", options->json, "print JSON");
  arguments.option("--write", options->write, "write each variant to a folder of its own in FOLDER")
      .named("FOLDER");
  return [options, &session] { return run(session, *options); };
}

} // namespace faultline::cli
