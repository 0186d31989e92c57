#include "catalog/fault_fixture.hpp"
#include "catalog/filter.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace faultline::catalog {

namespace {

Part part_of(const std::string& type, const std::string& symptom, Location location)
{
  Part part;
  part.labels.values[0] = type;
  part.labels.values[3] = symptom;
  part.location = std::move(location);
  return part;
}

Fault fault_of(const std::string& id, const std::string& split, std::vector<Part> parts)
{
  Fault fault;
  fault.id = id;
  fault.framework = id.substr(0, id.find('-'));
  fault.split = split;
  fault.parts = std::move(parts);
  return fault;
}

// a: silent, islam2020. b: two parts. c: withdrawn. d: JavaScript, gdefects4dl.
Catalog small_catalog()
{
  Catalog catalog;
  catalog.schemes = project_schemes();
  const std::string relu = "model/layers/activation-function/wrong-type-of-activation-function";
  const std::string layer = "model/layers/missing-redundant-wrong-layer/missing-dense-layer";
  Fault a = fault_of("pytorch-a", "dev", {part_of(relu, "bad-performance", {"train.py", {3, 4}})});
  a.silent = true;
  a.title = "Flat loss of a network";
  a.origin = {"stack_overflow", "https://stackoverflow.com/q/1", "islam2020", "so-1"};
  Fault b = fault_of("pytorch-b",
                     "test",
                     {part_of(layer, "crash", {"model.py", {10}}),
                      part_of("api/missing-api-call", "bad-performance", {"train.py", {14}})});
  b.title = "Crash in a network";
  b.origin = {"github", "https://github.com/x/y/issues/2", "", ""};
  Fault c = fault_of("pytorch-c", "dev", {part_of(relu, "crash", {"train.py", {4}})});
  c.withdrawn = Withdrawn{"1.1", "2026-03-01", "Same as another."};
  Fault d = fault_of(
      "tfjs-d",
      "dev",
      {part_of("gpu-usage/gpu-tensor-is-used-instead-of-cpu-tensor", "hang", {"train.js", {4}})});
  d.origin = {"github", "https://github.com/x/y/issues/3", "gdefects4dl", "7"};
  catalog.faults = {a, b, c, d};
  return catalog;
}

void check(const Filter& filter, const std::vector<std::string>& expected)
{
  const Catalog catalog = small_catalog();
  const Result<std::vector<const Fault*>> selected = select(catalog, filter, ":memory:");
  ASSERT_TRUE(selected) << selected.error().line();
  std::vector<std::string> ids;
  for (const Fault* fault : *selected) {
    ids.push_back(fault->id);
  }
  EXPECT_EQ(ids, expected);
}

void check_error(const Filter& filter, const std::string& message)
{
  const Catalog catalog = small_catalog();
  const Result<std::vector<const Fault*>> selected = select(catalog, filter, ":memory:");
  ASSERT_FALSE(selected);
  EXPECT_EQ(selected.error().kind, ErrorKind::not_found);
  EXPECT_EQ(selected.error().line(), message);
}

Filter by_label(const std::string& scheme, std::vector<std::string> values)
{
  Filter filter;
  filter.labels[scheme] = std::move(values);
  return filter;
}

Filter by_file(const std::string& file)
{
  Filter filter;
  filter.files = {file};
  return filter;
}

} // namespace

TEST(Filter, WithoutAWishGivesAllThatAreNotWithdrawn)
{
  check({}, {"pytorch-a", "pytorch-b", "tfjs-d"});
}

TEST(Filter, GivesWithdrawnFaultsIfAsked)
{
  Filter filter;
  filter.withdrawn = true;
  check(filter, {"pytorch-a", "pytorch-b", "pytorch-c", "tfjs-d"});
}

TEST(Filter, AWithdrawnFaultCanBeNamed)
{
  Filter filter;
  filter.ids = {"pytorch-c", "tfjs-d"};
  check(filter, {"pytorch-c", "tfjs-d"});
}

TEST(Filter, MatchesALabel)
{
  check(by_label("symptom", {"hang"}), {"tfjs-d"});
  check(by_label("type", {"api/missing-api-call"}), {"pytorch-b"});
  check(by_label("symptom", {"data-corruption"}), {});
}

TEST(Filter, ATypeMatchesAllBelow)
{
  check(by_label("type", {"model"}), {"pytorch-a", "pytorch-b"});
  check(by_label("type", {"model/layers/activation-function"}), {"pytorch-a"});
  check(by_label("type", {"training"}), {});
}

TEST(Filter, SeveralValuesOfOneSchemeMeanAny)
{
  check(by_label("symptom", {"hang", "crash"}), {"pytorch-b", "tfjs-d"});
  check(by_label("type", {"gpu-usage", "api"}), {"pytorch-b", "tfjs-d"});
}

TEST(Filter, SeveralSchemesMeanAll)
{
  Filter filter = by_label("symptom", {"bad-performance"});
  filter.labels["type"] = {"model/layers/activation-function"};
  check(filter, {"pytorch-a"});
}

TEST(Filter, APartThatMatchesIsEnough)
{
  check(by_label("symptom", {"bad-performance"}), {"pytorch-a", "pytorch-b"});
}

TEST(Filter, MatchesTheFrameworkAndTheOrigin)
{
  Filter filter;
  filter.frameworks = {"tfjs", "libtorch"};
  check(filter, {"tfjs-d"});
  filter = {};
  filter.origins = {"github"};
  check(filter, {"pytorch-b", "tfjs-d"});
  filter.datasets = {"gdefects4dl"};
  check(filter, {"tfjs-d"});
}

TEST(Filter, MatchesTheSplit)
{
  Filter filter;
  filter.split = "test";
  check(filter, {"pytorch-b"});
  filter.split = "dev";
  check(filter, {"pytorch-a", "tfjs-d"});
}

TEST(Filter, MatchesSilentFaultsOrTheOthers)
{
  Filter filter;
  filter.silent = true;
  check(filter, {"pytorch-a"});
  filter.silent = false;
  check(filter, {"pytorch-b", "tfjs-d"});
}

TEST(Filter, MatchesAFileOfAnyPart)
{
  check(by_file("train.py"), {"pytorch-a", "pytorch-b"});
  check(by_file("model.py"), {"pytorch-b"});
  check(by_file("rain.py"), {});
}

TEST(Filter, MatchesALineOfAFile)
{
  check(by_file("train.py:4"), {"pytorch-a"});
  check(by_file("train.py:14"), {"pytorch-b"});
  check(by_file("train.py:5"), {});
  check(by_file("model.py:14"), {}); // the file of one part, the line of another
}

TEST(Filter, SearchesWordsAndKeepsTheOtherWishes)
{
  Filter filter;
  filter.search = "network";
  filter.split = "test";
  check(filter, {"pytorch-b"});
  filter = {};
  filter.search = "flat network";
  check(filter, {"pytorch-a"});
  filter.search = "  ";
  check(filter, {"pytorch-a", "pytorch-b", "tfjs-d"});
}

TEST(Filter, AnUnknownNameIsRefusedWithTheNearest)
{
  check_error(by_label("symptom", {"crahs"}), "unknown symptom `crahs`, did you mean `crash`?");
  check_error(by_label("symptom", {"crash", "nothing-like-it"}),
              "unknown symptom `nothing-like-it`; it is one of bad-performance, crash, "
              "data-corruption, hang, incorrect-functionality, memory-out-of-bound");
  check_error(by_label("type", {"api/mising-api-call"}),
              "unknown type `api/mising-api-call`, did you mean `api/missing-api-call`?");
  Filter filter;
  filter.frameworks = {"pytroch"};
  check_error(filter, "unknown framework `pytroch`, did you mean `pytorch`?");
  filter = {};
  filter.ids = {"pytorch-a", "tfjs-e"};
  check_error(filter, "unknown fault `tfjs-e`, did you mean `tfjs-d`?");
}

TEST(Filter, PartOfANameIsEnoughForAHint)
{
  const std::string layers = "model/layers/missing-redundant-wrong-layer/";
  check_error(by_label("type", {"redundant-softmax-layr"}),
              "unknown type `redundant-softmax-layr`, did you mean `" + layers +
                  "redundant-softmax-layer`?");
  check_error(by_label("type", {"softmax"}),
              "unknown type `softmax`, did you mean `" + layers + "missing-softmax-layer`?");
  check_error(by_label("type", {"modle"}), "unknown type `modle`, did you mean `model`?");
  check_error(by_label("type", {"quantum-entanglement"}),
              "unknown type `quantum-entanglement`; each begins with one of model, "
              "gpu-usage, api, tensors-and-inputs, training");
  Filter filter;
  filter.frameworks = {"jax"};
  check_error(filter,
              "unknown framework `jax`; it is one of pytorch, keras, tensorflow, tfjs, libtorch");
  Catalog large = small_catalog();
  large.faults.resize(20);
  EXPECT_EQ(hint_for("quantum-entanglement", large), "; `faultline list` names them all");
}

} // namespace faultline::catalog
