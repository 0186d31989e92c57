// The documentation is the test: every jsonl block of every symptom's page is a trace. One that
// starts with `// expect: CODE` has that detection, at the line it names; all others have none.

#include "trace/page.hpp"

#include <gtest/gtest.h>

namespace faultline::trace {

namespace {

std::string print(const std::vector<Detection>& detections)
{
  std::string text;
  for (const Detection& detection : detections) {
    const source::Finding& finding = detection.finding;
    text += format("  {}:{}: {}[{}]: {}\n",
                   finding.place.file,
                   finding.place.line,
                   name_of(finding.severity),
                   finding.rule,
                   finding.message);
    for (const source::Note& note : finding.notes) {
      text += "    " + note.text + "\n";
    }
  }
  return text;
}

std::string found_in(const std::vector<Detection>& detections, bool with_line)
{
  std::string text;
  for (const Detection& detection : detections) {
    text += text.empty() ? "" : ", ";
    text += detection.finding.rule;
    text += with_line ? format(" at line {}", detection.finding.place.line) : "";
  }
  return text;
}

} // namespace

class Examples : public testing::TestWithParam<Block> {};

INSTANTIATE_TEST_SUITE_P(
    Symptoms, Examples, testing::ValuesIn(all_blocks()), [](const auto& tested) {
      return format("{}_block_{}", tested.param.symptom->code, tested.param.number);
    });

TEST_P(Examples, HaveTheDetectionsThatTheyAreMarkedWith)
{
  const Block& block = GetParam();
  const Symptom* const symptoms[] = {block.symptom};
  const std::vector<Detection> detections = detections_in(block.text, symptoms);
  const bool with_line = block.expected.find(" at line ") != std::string::npos;
  EXPECT_EQ(found_in(detections, with_line), block.expected)
      << block.symptom->name << ".md, line " << block.first_line << " and following\n"
      << print(detections) << block.text;
}

TEST_P(Examples, WhatIsFoundSaysWhereAndWhatToDo)
{
  const Block& block = GetParam();
  const Symptom* const symptoms[] = {block.symptom};
  for (const Detection& detection : detections_in(block.text, symptoms)) {
    const source::Finding& finding = detection.finding;
    EXPECT_NE(finding.type, "");
    EXPECT_NE(finding.fix_pattern, "");
    EXPECT_FALSE(finding.notes.empty());
    EXPECT_FALSE(finding.message.empty());
    EXPECT_FALSE(finding.message.ends_with('.')) << finding.message;
    EXPECT_NE(finding.place.file, "");
    for (const source::Note& note : finding.notes) {
      EXPECT_EQ(note.text.find("nan"), std::string::npos) << note.text;
    }
  }
}

TEST_P(Examples, WhatIsFixedIsSilentForAllSymptoms)
{
  const Block& block = GetParam();
  if (block.section != "Fixed") {
    return;
  }
  std::vector<Detection> detections = detections_in(block.text, all_symptoms());
  std::erase_if(detections, [](const Detection& detection) {
    // Traces of pages are short: what hints only is not counted.
    return detection.finding.severity == Severity::info;
  });
  // A page shows one symptom at a time; these show a breakdown that another cause has.
  const bool breaks_down = block.text.find("\"nonfinite\"") != std::string::npos;
  if (!breaks_down) {
    EXPECT_TRUE(detections.empty())
        << block.symptom->name << ".md, line " << block.first_line << " and following\n"
        << print(detections) << block.text;
  }
}

} // namespace faultline::trace
