#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace faultline::cli {

// Something that `explain` has a page about.
struct Topic {
  std::string_view kind; // "rule", "symptom", "operator"
  std::string_view code;
  std::string_view name;
  std::string_view summary;
  std::string_view page;
};

std::vector<Topic> all_topics();

// Those that have every word of `text` in their code, name, summary or page, best first: a word in
// a name says more than one in the summary, and that more than one in the text of the page.
// Examples count only if nothing else has the words. Case does not count, and `zero_grad` is
// `zero-grad`.
std::vector<Topic> find_topics(const std::vector<Topic>& topics, std::string_view text);

} // namespace faultline::cli
