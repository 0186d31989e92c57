#include "cli/explain_model.hpp"

#include "base/format.hpp"
#include "base/json.hpp"
#include "base/text.hpp"
#include "check/model_json.hpp"
#include "report/finding_text.hpp"
#include "report/text_table.hpp"
#include "run/isolated.hpp"
#include "run/pool.hpp"

#include <algorithm>

namespace faultline::cli {

namespace {

// 1234567 → "1,234,567".
std::string grouped(int64_t number)
{
  std::string digits = format("{}", number);
  for (size_t i = digits.size(); i > 3; i -= 3) {
    digits.insert(i - 3, 1, ',');
  }
  return digits;
}

// Everything about the models of one file.
struct FileModels {
  std::string text;
  Json json = Json::array();
  std::string unreadable; // why; empty if it was read
  std::string failed;     // how its analysis ended; empty if it came to its end
};

std::string parameters_text(const std::optional<check::ParameterCount>& count)
{
  return count ? grouped(count->all()) : "?";
}

std::string print_model(const check::ModelSummary& model,
                        const check::ModelPlaces& places,
                        const Painter& paint)
{
  const bool has_inputs = std::ranges::any_of(
      model.layers, [](const check::LayerSummary& layer) { return !layer.inputs.empty(); });
  std::vector<report::Column> columns = {{"LAYER", report::Align::left, Colour::bold},
                                         {"TYPE"},
                                         {"OUTPUT"},
                                         {"PARAMETERS", report::Align::right}};
  if (has_inputs) {
    columns.push_back({"INPUTS"});
  }
  report::TextTable table(std::move(columns));
  for (const check::LayerSummary& layer : model.layers) {
    std::vector<std::string> cells = {
        layer.name, layer.type, layer.output, parameters_text(layer.parameters)};
    if (has_inputs) {
      cells.push_back(join(layer.inputs, ", "));
    }
    table.add(std::move(cells));
  }
  std::string text =
      report::print_place(places.of(model.span)) + ": " + paint(Colour::bold, model.name);
  text += model.input.empty() || model.input == "?" ? "\n" : format(" on {}\n", model.input);
  text += table.print(paint);
  text += format("{}{} parameters, {} of them trainable{}.\n",
                 model.all_known ? "" : "at least ",
                 grouped(model.parameters.all()),
                 grouped(model.parameters.trainable),
                 model.all_known ? "" : "; layers with `?` are not counted");
  return text;
}

FileModels models_of_readable(const check::Subject& subject, const Painter& paint)
{
  FileModels models;
  const Result<check::LoadedText> loaded = check::load_program(subject);
  if (!loaded) {
    models.unreadable = loaded.error().line();
    return models;
  }
  const auto program = check::analyse_program(subject, *loaded);
  const check::ModelPlaces places(*program, *loaded);
  for (const check::ModelSummary& model : check::summarise_models(*program)) {
    models.text += (models.text.empty() ? "" : "\n") + print_model(model, places, paint);
    models.json.push_back(check::model_json(model, places));
  }
  return models;
}

// In a worker: catches everything, as in check_programs, and gives the answer as bytes.
std::string encoded_models_of(const check::Subject& subject, const Painter& paint)
{
  FileModels models;
  try {
    models = models_of_readable(subject, paint);
  } catch (const std::exception& error) {
    models.failed = format("internal error: {}", error.what());
  }
  std::string bytes;
  Json::to_cbor({{"text", models.text},
                 {"json", models.json},
                 {"unreadable", models.unreadable},
                 {"failed", models.failed}},
                bytes);
  return bytes;
}

FileModels decoded(const Result<std::string>& bytes)
{
  FileModels models;
  if (!bytes) {
    models.failed = bytes.error().message;
    return models;
  }
  const Json json = Json::from_cbor(*bytes);
  models.text = json.at("text");
  models.json = json.at("json");
  models.unreadable = json.at("unreadable");
  models.failed = json.at("failed");
  return models;
}

} // namespace

Result<std::string> explain_models(const std::vector<check::Subject>& subjects,
                                   const CheckOptions& options,
                                   const Painter& paint,
                                   std::vector<check::Unreadable>& unreadable)
{
  const auto work = [&](const std::string& number) {
    return encoded_models_of(subjects[std::stoul(number)], paint);
  };
  FL_TRY(const std::unique_ptr<run::Isolated> isolated, run::Isolated::start(work));
  std::vector<FileModels> found(subjects.size());
  run::for_each_parallel(
      subjects.size(),
      options.check.jobs,
      [] { return 0; },
      [&](int, size_t i) { found[i] = decoded(isolated->ask(std::to_string(i))); });
  std::string text;
  Json json = Json::array();
  for (size_t i = 0; i < subjects.size(); ++i) {
    if (!found[i].failed.empty()) {
      unreadable.push_back({subjects[i].path, found[i].failed, true});
    } else if (!found[i].unreadable.empty()) {
      unreadable.push_back({subjects[i].path, found[i].unreadable});
    }
    text += (text.empty() || found[i].text.empty() ? "" : "\n") + found[i].text;
    for (Json& model : found[i].json) {
      json.push_back(std::move(model));
    }
  }
  if (options.format == "json") {
    return print_json(json);
  }
  return text.empty() ? "No models found.\n" : text;
}

} // namespace faultline::cli
