#include "cli/inject_weights.hpp"

#include "base/digest.hpp"
#include "base/format.hpp"
#include "base/text.hpp"
#include "campaign/weights.hpp"
#include "cli/inject_output.hpp"
#include "report/text_table.hpp"

#include <iostream>

namespace faultline::cli {

namespace {

std::vector<campaign::WeightChange> changes_of(const InjectWeights& options)
{
  std::vector<campaign::WeightChange> changes;
  for (const inject::Operator* op : options.operators) {
    if (op->setting.name.empty()) {
      changes.push_back({op, "", options.seed});
    } else if (options.setting) {
      changes.push_back({op, *options.setting, options.seed});
    } else {
      for (const std::string_view value : op->setting.values) {
        changes.push_back({op, std::string(value), options.seed});
      }
    }
  }
  return changes;
}

std::string id_of(const campaign::WeightChange& change, const std::string& file)
{
  Digest digest;
  digest.add(file).add(change.setting).add(static_cast<long long>(change.seed));
  return format("{}-{}", change.op->code, digest.hex().substr(0, 8));
}

} // namespace

Result<int> inject_weights(Session& session, const InjectWeights& options)
{
  FL_TRY(const std::string weights, read_file(options.file));
  FL_TRY(const run::Environment* environment, session.environment());
  const std::vector<campaign::WeightChange> changes = changes_of(options);
  Result<std::vector<campaign::ChangedWeights>> made =
      campaign::change_weights(weights, changes, *environment);
  if (!made) {
    return std::move(made).error().in(options.file.string());
  }
  const std::string name = options.file.filename().string();
  report::TextTable table({{"ID", report::Align::left, Colour::bold},
                           {"OPERATOR"},
                           {"SETTING"},
                           {"WHAT", report::Align::left, Colour::dim}});
  Json json = Json::array();
  std::string_view last_unsuitable;
  for (size_t i = 0; i < changes.size(); ++i) {
    const campaign::ChangedWeights& changed = (*made)[i];
    const inject::Operator& op = *changes[i].op;
    if (!changed.unsuitable.empty()) {
      if (op.code != last_unsuitable) {
        std::cerr << format(
            "faultline: {} {} does not apply: {}\n", op.code, op.name, changed.unsuitable);
      }
      last_unsuitable = op.code;
      continue;
    }
    const std::string id = id_of(changes[i], name);
    const std::string setting =
        op.setting.name.empty() ? "" : format("{} {}", op.setting.name, changes[i].setting);
    table.add({id, std::string(op.name), setting, changed.note});
    json.push_back({{"id", id},
                    {"operator", op.code},
                    {"name", op.name},
                    {"setting", changes[i].setting},
                    {"seed", changes[i].seed},
                    {"file", name},
                    {"what", changed.note}});
    if (!options.write.empty()) {
      FL_CHECK(write_tree(options.write / id, {{name, changed.bytes}}));
    }
  }
  if (json.empty()) {
    return Error{ErrorKind::bad_data, format("no operator applies to {}", options.file.string())};
  }
  if (!options.write.empty()) {
    FL_CHECK(write_file(options.write / "variants.json", print_json(json)));
    std::cerr << format(
        "faultline: {} written to {}\n", count_of(json.size(), "variant"), options.write.string());
  }
  if (options.json) {
    session.print_json(json);
    return k_exit_ok;
  }
  session.print(table.print(session.out(), session.width()));
  session.print(format("\n{} of {}.\n", count_of(json.size(), "variant"), name));
  return k_exit_ok;
}

} // namespace faultline::cli
