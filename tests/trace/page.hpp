#pragma once

// The page of a symptom as its tests see it: sections, and the traces inside them.

#include "base/text.hpp"
#include "trace/reader.hpp"
#include "trace/symptom.hpp"

#include <gtest/gtest.h>

#include <ostream>
#include <string>
#include <vector>

namespace faultline::trace {

// A block ```jsonl. A first line `// expect: CODE` says what must be found in it, and may go on
// with `at line N`; a block without it must be silent.
struct Block {
  const Symptom* symptom = nullptr;
  std::string section;
  size_t number = 0;     // among the blocks of its page, from 1
  size_t first_line = 0; // of the block, in the page
  std::string expected;  // "TR001", "TR001 at line 30", or nothing
  std::string text;

  friend std::ostream& operator<<(std::ostream& os, const Block& block)
  {
    return os << "block " << block.number << " of " << block.symptom->name << ".md";
  }
};

inline std::vector<Block> blocks_of(const Symptom& symptom)
{
  std::vector<Block> blocks;
  std::string section;
  bool inside = false;
  size_t number = 0;
  const std::string_view mark = "// expect:";
  for (const std::string_view line : split_lines(documentation_of(symptom))) {
    ++number;
    if (!inside && line.starts_with("## ")) {
      section = line.substr(3);
    } else if (!inside && trim(line) == "```jsonl") {
      inside = true;
      blocks.push_back({&symptom, section, blocks.size() + 1, number + 1, "", ""});
    } else if (inside && trim(line) == "```") {
      inside = false;
    } else if (inside && line.starts_with(mark)) {
      blocks.back().expected = trim(line.substr(mark.size()));
    } else if (inside) {
      blocks.back().text += std::string(line) + "\n";
    }
  }
  return blocks;
}

inline std::vector<Block> all_blocks()
{
  std::vector<Block> blocks;
  for (const Symptom* symptom : all_symptoms()) {
    const std::vector<Block> more = blocks_of(*symptom);
    blocks.insert(blocks.end(), more.begin(), more.end());
  }
  return blocks;
}

// Everything that is found in a trace in text form.
inline std::vector<Detection> detections_in(std::string_view text,
                                            std::span<const Symptom* const> symptoms)
{
  Reader reader;
  Result<std::vector<Event>> events = reader.feed(text);
  EXPECT_TRUE(events) << events.error().line();
  EXPECT_EQ(reader.skipped(), 0U) << text;
  std::vector<Detection> detections;
  const auto keep = [&detections](std::vector<Detection> more) {
    for (Detection& detection : more) {
      detections.push_back(std::move(detection));
    }
  };
  Analyser analyser(symptoms);
  if (events) {
    for (Event& event : *events) {
      keep(analyser.add(std::move(event)));
    }
  }
  keep(analyser.finish());
  return detections;
}

} // namespace faultline::trace
