#include "inject/training_data.hpp"

#include "base/format.hpp"
#include "base/text.hpp"
#include "inject/training.hpp"

#include <algorithm>

namespace faultline::inject {

namespace {

using Form = TrainingData::Form;
using Lines = std::vector<std::string>;

// The call that made what `name` stands for, if exactly one statement assigns to it.
const Call* maker_of(const Code& code, const Node& name)
{
  if (name.kind() == "call") {
    return code.call_at(name);
  }
  const Call* maker = nullptr;
  for (const Node& assignment : nodes_of(code.root(), "assignment")) {
    if (assignment.child("left")->text() == name.text()) {
      const std::optional<Node> right = assignment.child("right");
      if (maker != nullptr || !right) {
        return nullptr;
      }
      maker = code.call_at(*right);
    }
  }
  return maker;
}

// `for inputs, targets in loader:`, also in enumerate(loader).
bool is_read_as_pairs(const Code& code, const Call& loader)
{
  const std::optional<Node> assignment = enclosing(loader.node, {"assignment"});
  const std::string name(assignment ? assignment->child("left")->text() : "");
  return std::ranges::any_of(nodes_of(code.root(), "for_statement"), [&](const Node& loop) {
    const Node right = *loop.child("right");
    Node target = *loop.child("left");
    const bool counts = right.text() == "enumerate(" + name + ")";
    if (counts && target.named_children().size() == 2) {
      target = target.named_children()[1];
    }
    return (counts || right.text() == name) && !name.empty() &&
           target.named_children().size() == 2 && target.kind() != "attribute";
  });
}

// What is left of `train_images`, `X_train` without "train".
std::string role_of(std::string_view name)
{
  std::string word;
  for (const char letter : name) {
    word += letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
  }
  if (word.find("train") == std::string::npos) {
    return {};
  }
  word = replace_all(replace_all(std::move(word), "training", ""), "train", "");
  return replace_all(std::move(word), "_", "");
}

bool is_input_role(const std::string& role)
{
  const auto roles = {"x", "xs", "inputs", "input", "images", "features", "data", "samples", "ids"};
  return std::ranges::find(roles, role) != roles.end();
}

bool is_target_role(const std::string& role)
{
  const auto roles = {"y", "ys", "labels", "label", "targets", "target", "classes"};
  return std::ranges::find(roles, role) != roles.end();
}

// `x_train` and `y_train` of a program without DataLoader, where the later of them is made.
std::optional<TrainingData> variables_of(const Code& code)
{
  if (!code.uses("torch")) {
    return std::nullopt;
  }
  std::optional<Node> inputs;
  std::optional<Node> targets;
  std::optional<Node> input_scope;
  std::optional<Node> target_scope;
  for (const Node& assignment : nodes_of(code.root(), "assignment")) {
    const Node left = *assignment.child("left");
    std::vector<Node> names = left.named_children();
    if (left.kind() == "identifier") {
      names = {left};
    }
    for (const Node& name : names) {
      const std::string role = name.kind() == "identifier" ? role_of(name.text()) : "";
      if (is_input_role(role)) {
        inputs = name;
        input_scope = enclosing(name, {"function_definition", "module"});
      } else if (is_target_role(role)) {
        targets = name;
        target_scope = enclosing(name, {"function_definition", "module"});
      }
    }
  }
  if (!inputs || !targets || !(input_scope == target_scope)) {
    return std::nullopt;
  }
  const Node& later = inputs->begin_byte() > targets->begin_byte() ? *inputs : *targets;
  // Tensors can be told from arrays only by how they are made.
  for (const Node& name : {*inputs, *targets}) {
    const std::string_view statement = statement_of(name)->text();
    if (statement.find("torch.") == std::string_view::npos) {
      return std::nullopt;
    }
  }
  return TrainingData{Form::variables, *statement_of(later), *inputs, targets, true};
}

void add_loader(const Code& code, const Call& loader, std::vector<TrainingData>& found)
{
  const Node dataset = loader.find("dataset", 0)->value;
  const Call* maker = maker_of(code, dataset);
  const bool is_tensors = maker != nullptr && maker->last() == "TensorDataset" &&
                          maker->arguments.size() == 2 && !maker->has_stars;
  const std::optional<Node> statement =
      statement_of(is_tensors ? maker->node : loader.node, Reach::plain);
  const bool samples = loader.find("sampler") != nullptr || loader.find("batch_sampler") != nullptr;
  if (!statement || samples) {
    return;
  }
  if (is_tensors) {
    found.push_back(
        {Form::tensors, *statement, maker->arguments[0].value, maker->arguments[1].value, true});
  } else {
    found.push_back({Form::dataset, *statement, dataset, {}, is_read_as_pairs(code, loader)});
  }
}

Lines first_lines(const TrainingData& data)
{
  Lines lines = {"import numpy as _numpy"};
  if (data.form == Form::dataset) {
    lines.push_back(format("_data = {}", data.inputs.text()));
  } else if (data.form == Form::arrays) {
    lines.push_back(format("_inputs = _numpy.asarray({})", data.inputs.text()));
    lines.push_back(format("_targets = _numpy.asarray({})", data.targets->text()));
  } else {
    lines.push_back(format("_inputs, _targets = {}, {}", data.inputs.text(), data.targets->text()));
  }
  lines.push_back("_random = _numpy.random.RandomState(0)");
  return lines;
}

void append(Lines& lines, const Lines& more)
{
  lines.insert(lines.end(), more.begin(), more.end());
}

// The same, with the inputs and the targets apart.
Lines lines_of_pairs(const TrainingData& data)
{
  Lines lines = first_lines(data);
  if (data.form == Form::dataset) {
    lines.push_back("_inputs = [_data[_row][0] for _row in range(len(_data))]");
    lines.push_back("_targets = [_data[_row][1] for _row in range(len(_data))]");
  }
  return lines;
}

// Puts the lines where they belong and makes the program use what they made.
void finish(const Code& code, const TrainingData& data, Lines lines, Mutations& found)
{
  std::vector<Edit> edits;
  std::optional<Edit> inserted;
  if (data.form == Form::variables) {
    lines.push_back(format("{}, {} = _inputs, _targets", data.inputs.text(), data.targets->text()));
    inserted = insert_after(code, data.statement, lines);
  } else {
    inserted = insert_before(code, data.statement, lines);
    edits.push_back(replace(data.inputs, data.form == Form::dataset ? "_data" : "_inputs"));
    if (data.targets) {
      edits.push_back(replace(*data.targets, "_targets"));
    }
  }
  if (inserted) {
    // The words show what differs from operator to operator: the lines in the middle.
    const std::string before(data.inputs.text());
    edits.insert(edits.begin(), std::move(*inserted));
    found.push_back(mutation(std::move(edits), before, lines[lines.size() / 2]));
  }
}

} // namespace

std::vector<TrainingData> training_data_of(const Code& code)
{
  std::vector<TrainingData> found;
  for (const Call& loader : training_loaders_of(code)) {
    add_loader(code, loader, found);
  }
  for (const Call& call : code.calls()) {
    if (!is_fit(code, call)) {
      continue;
    }
    const Argument* inputs = call.find("x", 0);
    const Argument* targets = call.find("y", 1);
    const std::optional<Node> statement = statement_of(call.node, Reach::plain);
    if (inputs != nullptr && targets != nullptr && statement) {
      found.push_back({Form::arrays, *statement, inputs->value, targets->value, true});
    }
  }
  if (found.empty()) {
    if (const std::optional<TrainingData> variables = variables_of(code)) {
      found.push_back(*variables);
    }
  }
  return found;
}

void change_rows(const Subject& subject, const Lines& change, Mutations& found)
{
  const Code code(subject);
  for (const TrainingData& data : training_data_of(code)) {
    const bool is_dataset = data.form == Form::dataset;
    Lines lines = first_lines(data);
    lines.push_back(format("_rows = _numpy.arange(len({}))", is_dataset ? "_data" : "_inputs"));
    append(lines, change);
    lines.push_back(is_dataset ? format("_data = {}(_data, _rows.tolist())",
                                        code.spelled("torch.utils.data.Subset"))
                               : "_inputs, _targets = _inputs[_rows], _targets[_rows]");
    finish(code, data, std::move(lines), found);
  }
}

void change_pairs(const Subject& subject, const Lines& change, Mutations& found)
{
  const bool needs_labels = std::ranges::any_of(
      change, [](const std::string& line) { return line.find("_labels") != std::string::npos; });
  const Code code(subject);
  for (const TrainingData& data : training_data_of(code)) {
    if (!data.gives_pairs) {
      continue;
    }
    Lines lines = lines_of_pairs(data);
    lines.push_back("_rows = _numpy.arange(len(_inputs))");
    lines.push_back("_answers = _rows.copy()");
    if (needs_labels) {
      // One-hot targets count as the number that they stand for.
      lines.push_back("_labels = [_numpy.asarray(_target) for _target in _targets]");
      lines.push_back("_labels = _numpy.array([_label.argmax() if _label.size > 1 else "
                      "_label.item() for _label in _labels])");
    }
    append(lines, change);
    lines.push_back(data.form == Form::dataset
                        ? "_data = [(_inputs[_i], _targets[_j]) for _i, _j in zip(_rows, _answers)]"
                        : "_inputs, _targets = _inputs[_rows], _targets[_answers]");
    finish(code, data, std::move(lines), found);
  }
}

void change_inputs(const Subject& subject, const Lines& change, Mutations& found)
{
  const Code code(subject);
  for (const TrainingData& data : training_data_of(code)) {
    if (!data.gives_pairs) {
      continue;
    }
    Lines lines = lines_of_pairs(data);
    lines.push_back(data.form == Form::dataset
                        ? "_values = _numpy.stack([_numpy.asarray(_input) for _input in _inputs])"
                        : "_values = _numpy.array(_inputs)");
    append(lines, change);
    const std::string tensor = code.spelled("torch.as_tensor");
    lines.push_back(data.form == Form::arrays ? "_inputs = _values"
                                              : format("_inputs = {}(_values)", tensor));
    if (data.form == Form::dataset) {
      lines.push_back("_data = list(zip(_inputs, _targets))");
    }
    finish(code, data, std::move(lines), found);
  }
}

std::optional<std::string> share_of(std::string_view setting)
{
  const std::optional<double> share = number_of(setting);
  if (!share || !(*share > 0) || *share > 1) {
    return std::nullopt;
  }
  return python_number(*share);
}

} // namespace faultline::inject
