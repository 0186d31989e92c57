#include "base/file.hpp"
#include "base/format.hpp"
#include "base/source_files.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

namespace faultline {

namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr size_t k_most_lines = 400;

// Files that may be longer, and how long at most. One that could be shorter is told to be: a limit
// is no more than these lines above what the file has.
constexpr size_t k_slack = 40;
using Exceptions = std::map<std::string, size_t>;

// Nothing but rows of a table, one a line, where cutting would only scatter them. Their limit does
// not grow with what is done about a row: functions belong into a file of their own.
const Exceptions k_tables = {
    {"program/libraries/keras/aliases.cpp", 440},
    {"program/libraries/keras/backend.cpp", 480},
};

// Longer than they should be. Cut them where the idea divides; none may be added.
const Exceptions k_still_long = {
    {"catalog/entry_refresh.cpp", 640},
    {"catalog/load_fault.cpp", 440},
    {"check/model_summary.cpp", 480},
    {"cli/commands/campaign/campaign_run.cpp", 430},
    {"program/libraries/images/images.cpp", 490},
    {"program/libraries/keras/keras.cpp", 430},
    {"program/libraries/keras/layers_conv.cpp", 490},
    {"program/libraries/keras/models.cpp", 440},
    {"program/libraries/keras/training.cpp", 550},
    {"program/libraries/numpy/merge.cpp", 500},
    {"program/libraries/pandas/frame.cpp", 520},
    {"program/libraries/python/containers.cpp", 490},
    {"program/libraries/python/stdlib.cpp", 505},
    {"program/libraries/sklearn/datasets.cpp", 490},
    {"program/libraries/sklearn/models.cpp", 440},
    {"program/libraries/sklearn/preprocessing.cpp", 480},
    {"program/libraries/tensorflow/arrays.cpp", 510},
    {"program/libraries/tensorflow/data.cpp", 470},
    {"program/libraries/tensorflow/graph.cpp", 574},
    {"program/libraries/tensorflow/nn.cpp", 440},
    {"program/libraries/torch/create.cpp", 670},
    {"program/libraries/torch/linear.cpp", 480},
    {"program/libraries/torch/losses.cpp", 520},
    {"program/libraries/torch/module.cpp", 530},
    {"program/libraries/torch/modules.cpp", 480},
    {"program/libraries/torch/select.cpp", 680},
    {"program/libraries/torch/shape.cpp", 470},
    {"program/libraries/torch/tensor.cpp", 460},
    {"program/libraries/torch/training.cpp", 430},
    {"program/libraries/torch/windows.cpp", 740},
    {"program/libraries/torchvision/datasets.cpp", 550},
    {"program/libraries/torchvision/models.cpp", 540},
    {"program/libraries/torchvision/transforms.cpp", 550},
    {"proof/criteria.cpp", 430},
    {"report/evaluation_html.cpp", 430},
    {"rules/tf1/graph.cpp", 460},
};

size_t lines_of(const std::filesystem::path& path)
{
  const Result<std::string> text = read_file(path.string());
  return text ? static_cast<size_t>(std::ranges::count(*text, '\n')) : 0;
}

std::map<std::string, size_t> lines_below(const std::filesystem::path& folder)
{
  std::map<std::string, size_t> lines;
  for (const std::string ending : {".cpp", ".hpp"}) {
    for (const std::string& stem : stems_below(folder, ending)) {
      lines[stem + ending] = lines_of(folder / (stem + ending));
    }
  }
  return lines;
}

// What is wrong with the length of files, in words.
std::vector<std::string> complaints(const std::map<std::string, size_t>& lines,
                                    const Exceptions& exceptions)
{
  std::vector<std::string> found;
  for (const auto& [path, count] : lines) {
    const auto exception = exceptions.find(path);
    const size_t most = exception != exceptions.end() ? exception->second : k_most_lines;
    if (count > most) {
      found.push_back(format("{} has {} lines, and may have {}", path, count, most));
    }
  }
  for (const auto& [path, most] : exceptions) {
    const auto file = lines.find(path);
    if (file == lines.end() || file->second + k_slack <= k_most_lines) {
      found.push_back(format("{} needs no exception any more", path));
    } else if (file->second + k_slack < most) {
      found.push_back(format("{} has become shorter: let it have {}", path, file->second));
    }
  }
  return found;
}

} // namespace

TEST(FileLength, IsAtMost400LinesBesidesTables)
{
  Exceptions exceptions = k_tables;
  exceptions.insert(k_still_long.begin(), k_still_long.end());
  const auto lines = lines_below(FL_SOURCE_DIR "/src");
  ASSERT_GT(lines.size(), 500U);
  EXPECT_THAT(complaints(lines, exceptions), IsEmpty());
}

TEST(FileLength, IsComplainedAboutWhereItGrowsAndWhereAnExceptionIsStale)
{
  EXPECT_THAT(complaints({{"a.cpp", 360}, {"b.cpp", 401}, {"c.cpp", 500}, {"d.cpp", 450}},
                         {{"c.cpp", 490}, {"d.cpp", 491}, {"e.cpp", 500}, {"a.cpp", 500}}),
              ElementsAre("b.cpp has 401 lines, and may have 400",
                          "c.cpp has 500 lines, and may have 490",
                          "a.cpp needs no exception any more",
                          "d.cpp has become shorter: let it have 450",
                          "e.cpp needs no exception any more"));
}

} // namespace faultline
