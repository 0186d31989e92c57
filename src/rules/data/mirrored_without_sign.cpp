#include "program/record/syntax_query.hpp"
#include "rules/reporter.hpp"

#include <algorithm>

namespace faultline::rules {

using program::Syntax;
using program::SyntaxKind;

namespace {

// `x[:, ::-1]`, `np.fliplr(x)`, `torch.flip(x, …)`, `hflip(x)`, `mirror(x)`.
bool is_flip(const Syntax& node)
{
  if (node.kind == SyntaxKind::slice) {
    const Syntax* step = node.child(2);
    return is(step, SyntaxKind::unary) && step->text == "-" && step->child(0) != nullptr &&
           step->child(0)->integer == 1;
  }
  constexpr std::string_view k_names[] = {"fliplr", "flip", "hflip", "horizontal_flip", "mirror"};
  return std::ranges::find(k_names, called_name(&node)) != std::end(k_names);
}

std::vector<std::string_view> names_of(const Syntax& node)
{
  std::vector<std::string_view> names;
  for (const Syntax* child : node.children) {
    if (!is(child, SyntaxKind::name)) {
      return {};
    }
    names.push_back(child->text);
  }
  return names;
}

// Distances to the two sides change places and nothing else: they have no sign.
bool is_distance(std::string_view name)
{
  return name.starts_with('l') || name.starts_with('r') || name.starts_with('t') ||
         name.starts_with('b') || name.starts_with('w') || name.starts_with('h');
}

// A list or tuple of just the names that were unpacked, in another order.
bool is_exchange(const Syntax& node, const std::vector<std::string_view>& unpacked)
{
  if (node.kind != SyntaxKind::list && node.kind != SyntaxKind::tuple) {
    return false;
  }
  const std::vector<std::string_view> names = names_of(node);
  return names.size() == unpacked.size() && names != unpacked &&
         std::ranges::is_permutation(names, unpacked);
}

// One block: the statements that go with the flip, nested ones left out.
void check_block(const Syntax& block, Reporter& report)
{
  const Syntax* flip = nullptr;
  std::vector<std::string_view> unpacked;
  for (const Syntax* statement : block.children) {
    if (!is(statement, SyntaxKind::assign)) {
      continue;
    }
    const Syntax *target = statement->child(0), *value = statement->child(1);
    if (contains(value, is_flip)) {
      flip = statement;
    }
    if (!unpacked.empty() && flip != nullptr) {
      const Syntax* exchange = find_syntax(
          value, [&unpacked](const Syntax& node) { return is_exchange(node, unpacked); });
      if (exchange != nullptr && std::ranges::none_of(unpacked, is_distance)) {
        report.add(exchange->span, "coordinates are swapped, but not mirrored")
            .label("no sign or side of the image changes")
            .note(flip->span, "the image is mirrored here")
            .help(
                "a mirrored position is the width minus it, a mirrored offset has the other sign");
      }
    }
    if (is(target, SyntaxKind::tuple) && is(value, SyntaxKind::name) &&
        target->children.size() >= 4) {
      unpacked = names_of(*target);
    }
  }
}

void check(const Program& program, Reporter& report)
{
  for_each_syntax(program, [&report](const Syntax& node) {
    if (node.kind == SyntaxKind::block) {
      check_block(node, report);
    }
  });
}

} // namespace

extern const Rule mirrored_without_sign{
    .name = "mirrored-without-sign",
    .summary = "Finds images that are mirrored with coordinates that only change places",
    .applies = "any",
    .type = "training/preprocessing-of-training-data/wrong-preprocessing/wrong-preprocessing-step",
    .fix_pattern = "data-wrangling",
    .severity = Severity::warning,
    .confidence = Confidence::medium,
    .check = check,
};

} // namespace faultline::rules
