#include "cli/explain_search.hpp"

#include "base/text.hpp"
#include "inject/operator.hpp"
#include "rules/rule.hpp"
#include "trace/symptom.hpp"

#include <algorithm>
#include <cctype>
#include <optional>
#include <utility>

namespace faultline::cli {

namespace {

std::string normal(std::string_view text)
{
  std::string made;
  for (const char c : text) {
    const auto letter = static_cast<unsigned char>(c);
    made += c == '_' ? '-' : static_cast<char>(std::tolower(letter));
  }
  return made;
}

// What the page says, without the programs that it shows.
std::string prose_of(std::string_view page)
{
  std::string prose;
  bool code = false;
  for (const std::string_view line : split_lines(page)) {
    const bool fence = line.starts_with("```");
    code = fence ? !code : code;
    prose += code || fence ? std::string() : std::string(line) + "\n";
  }
  return prose;
}

constexpr int k_in_code = 100; // more than any sum of better places

// How far from the top a word is found; nothing if nowhere.
std::optional<int> distance(const Topic& topic, const std::string& word)
{
  const std::string prose = prose_of(topic.page);
  int place = 0;
  for (const std::string_view text :
       {topic.code, topic.name, topic.summary, std::string_view(prose)}) {
    if (normal(text).find(word) != std::string::npos) {
      return place;
    }
    ++place;
  }
  return normal(topic.page).find(word) != std::string::npos ? std::optional(k_in_code)
                                                            : std::nullopt;
}

} // namespace

std::vector<Topic> all_topics()
{
  std::vector<Topic> topics;
  for (const rules::Rule* rule : rules::all_rules()) {
    topics.push_back(
        {"rule", rule->code, rule->name, rule->summary, rules::documentation_of(*rule)});
  }
  for (const trace::Symptom* symptom : trace::all_symptoms()) {
    topics.push_back({"symptom",
                      symptom->code,
                      symptom->name,
                      symptom->summary,
                      trace::documentation_of(*symptom)});
  }
  for (const inject::Operator* op : inject::all_operators()) {
    topics.push_back({"operator", op->code, op->name, op->summary, inject::documentation_of(*op)});
  }
  return topics;
}

std::vector<Topic> find_topics(const std::vector<Topic>& topics, std::string_view text)
{
  std::vector<std::string> words;
  for (const std::string_view word : split(text, ' ')) {
    if (!word.empty()) {
      words.push_back(normal(word));
    }
  }
  std::vector<std::pair<int, Topic>> found;
  for (const Topic& topic : topics) {
    int sum = words.empty() ? -1 : 0;
    for (const std::string& word : words) {
      const std::optional<int> one = distance(topic, word);
      sum = one && sum >= 0 ? sum + *one : -1;
    }
    if (sum >= 0) {
      found.emplace_back(sum, topic);
    }
  }
  std::ranges::stable_sort(found, {}, &std::pair<int, Topic>::first);
  // What merely uses a word in an example speaks of something else, if others speak of it.
  const bool is_spoken_of = !found.empty() && found.front().first < k_in_code;
  std::vector<Topic> ranked;
  for (auto& [sum, topic] : found) {
    if (!is_spoken_of || sum < k_in_code) {
      ranked.push_back(topic);
    }
  }
  return ranked;
}

} // namespace faultline::cli
