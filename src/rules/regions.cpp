#include "rules/regions.hpp"

#include "program/names/api.hpp"

#include <algorithm>
#include <cctype>

namespace faultline::rules {

using program::as;
using Kind = Context::Kind;

bool is_inside(const Context* inner, const Context* outer)
{
  for (const Context* region = inner; region != nullptr; region = region->parent) {
    if (region == outer) {
      return true;
    }
  }
  return outer == nullptr;
}

bool happens_whenever(const Context* a, const Context* b)
{
  for (const Context* region = a; region != nullptr; region = region->parent) {
    const bool conditional = region->kind == Kind::branch || region->kind == Kind::loop ||
                             region->kind == Kind::handler || region->kind == Kind::comprehension;
    if (conditional && !is_inside(b, region)) {
      return false;
    }
  }
  return true;
}

bool is_optional(const Context* a, const Context* b)
{
  for (const Context* region = a; region != nullptr; region = region->parent) {
    const bool conditional = region->kind == Kind::branch || region->kind == Kind::handler;
    if (conditional && !is_inside(b, region)) {
      return true;
    }
  }
  return false;
}

bool gradient_off(const Call& call)
{
  for (const Context* region = call.context; region != nullptr; region = region->parent) {
    if (region->kind == Kind::with) {
      const auto* manager = as<Instance>(region->subject);
      if (manager != nullptr && manager->api != nullptr && manager->api->op == "grad_off") {
        return true;
      }
    } else if (region->kind == Kind::function) {
      const auto* function = as<program::Function>(region->subject);
      if (function != nullptr && function->gradient_off) {
        return true;
      }
    }
  }
  return false;
}

const Context* function_around(const Context* context)
{
  while (context != nullptr && context->kind != Kind::function) {
    context = context->parent;
  }
  return context;
}

std::string_view function_name(const Context* function)
{
  const auto* held = function != nullptr ? as<program::Function>(function->subject) : nullptr;
  return held != nullptr ? held->name : std::string_view();
}

// The words of an identifier or a line: lower case, split at everything that is no letter.
static std::vector<std::string> words_of(std::string_view text)
{
  std::vector<std::string> words(1);
  for (const char c : text) {
    if (std::isalpha(static_cast<unsigned char>(c)) == 0) {
      words.emplace_back();
      continue;
    }
    const bool upper = std::isupper(static_cast<unsigned char>(c)) != 0;
    if (upper && !words.back().empty()) {
      words.emplace_back();
    }
    words.back() += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  return words;
}

static bool speaks_of_evaluation(std::string_view text)
{
  static constexpr std::string_view k_words[] = {"eval",
                                                 "evaluate",
                                                 "evaluation",
                                                 "valid",
                                                 "validate",
                                                 "validation",
                                                 "val",
                                                 "test",
                                                 "dev",
                                                 "testing",
                                                 "predict",
                                                 "predictions",
                                                 "infer",
                                                 "inference",
                                                 "testloader",
                                                 "valloader",
                                                 "testset",
                                                 "valset"};
  const std::vector<std::string> words = words_of(text);
  return std::ranges::any_of(words, [](const std::string& word) {
    return std::ranges::find(k_words, word) != std::end(k_words);
  });
}

bool is_evaluation(const Program& program, const Context* context)
{
  for (const Context* region = context; region != nullptr; region = region->parent) {
    if (region->kind == Kind::function && speaks_of_evaluation(function_name(region))) {
      return true;
    }
    if (region->kind == Kind::loop) {
      // What is gone through stands in the first line: `for x, y in test_loader:`.
      const std::string_view whole = program.text(region->span);
      const std::string_view line = whole.substr(0, whole.find('\n'));
      const size_t in = line.find(" in ");
      if (in != std::string_view::npos && speaks_of_evaluation(line.substr(in + 4))) {
        return true;
      }
    }
  }
  return false;
}

// The round of the loop that `context` belongs to; null if it lies outside.
static const Context* round_around(const Context* context, const Context& first)
{
  for (const Context* region = context; region != nullptr; region = region->parent) {
    if (region->kind == Kind::loop && region->syntax == first.syntax &&
        region->parent == first.parent) {
      return region;
    }
  }
  return nullptr;
}

std::vector<Round> rounds_of(const Program& program, const program::Loop& loop)
{
  std::vector<Round> rounds;
  for (size_t i = loop.first_call; i < program.calls().size(); ++i) {
    const Context* round = round_around(program.calls()[i].context, *loop.context);
    if (round == nullptr) {
      break;
    }
    if (rounds.empty() || rounds.back().context != round) {
      rounds.push_back({.context = round, .first = i, .end = i});
    }
    rounds.back().end = i + 1;
  }
  return rounds;
}

} // namespace faultline::rules
