#include "rules/facts.hpp"
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
    return step != nullptr && step->kind == SyntaxKind::unary && step->text == "-" &&
           step->child(0) != nullptr && step->child(0)->integer == 1;
  }
  constexpr std::string_view k_names[] = {"fliplr", "flip", "hflip", "horizontal_flip", "mirror"};
  const Syntax* callee = node.kind == SyntaxKind::call ? node.child(0) : nullptr;
  const bool named = callee != nullptr &&
                     (callee->kind == SyntaxKind::attribute || callee->kind == SyntaxKind::name);
  return named && std::ranges::find(k_names, callee->text) != std::end(k_names);
}

bool has_flip(const Syntax* node)
{
  return node != nullptr && (is_flip(*node) || std::ranges::any_of(node->children, has_flip));
}

std::vector<std::string_view> names_of(const Syntax& node)
{
  std::vector<std::string_view> names;
  for (const Syntax* child : node.children) {
    if (child == nullptr || child->kind != SyntaxKind::name) {
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
const Syntax* find_exchange(const Syntax* node, const std::vector<std::string_view>& unpacked)
{
  if (node == nullptr) {
    return nullptr;
  }
  if (node->kind == SyntaxKind::list || node->kind == SyntaxKind::tuple) {
    const std::vector<std::string_view> names = names_of(*node);
    if (names.size() == unpacked.size() && names != unpacked &&
        std::ranges::is_permutation(names, unpacked)) {
      return node;
    }
  }
  for (const Syntax* child : node->children) {
    if (const Syntax* found = find_exchange(child, unpacked)) {
      return found;
    }
  }
  return nullptr;
}

// One block: the statements that go with the flip, nested ones left out.
void check_block(const Syntax& block, Reporter& report)
{
  const Syntax* flip = nullptr;
  std::vector<std::string_view> unpacked;
  for (const Syntax* statement : block.children) {
    if (statement == nullptr || statement->kind != SyntaxKind::assign) {
      continue;
    }
    const Syntax *target = statement->child(0), *value = statement->child(1);
    if (has_flip(value)) {
      flip = statement;
    }
    if (!unpacked.empty() && flip != nullptr) {
      const Syntax* exchange = find_exchange(value, unpacked);
      if (exchange != nullptr && std::ranges::none_of(unpacked, is_distance)) {
        report.add(exchange->span, "coordinates change places, but are not mirrored")
            .label("no sign or side of the image changes")
            .note(flip->span, "the image is mirrored here")
            .help(
                "a mirrored position is the width minus it, a mirrored offset has the other sign");
      }
    }
    if (target != nullptr && target->kind == SyntaxKind::tuple && value != nullptr &&
        value->kind == SyntaxKind::name && target->children.size() >= 4) {
      unpacked = names_of(*target);
    }
  }
}

void check_all(const Syntax* node, Reporter& report)
{
  if (node == nullptr) {
    return;
  }
  if (node->kind == SyntaxKind::block) {
    check_block(*node, report);
  }
  for (const Syntax* child : node->children) {
    check_all(child, report);
  }
}

void check(const Program& program, Reporter& report)
{
  for (const auto& unit : program.units()) {
    if (unit->syntax != nullptr) {
      check_all(&unit->syntax->root(), report);
    }
  }
}

} // namespace

extern const Rule mirrored_without_sign{
    .name = "mirrored-without-sign",
    .summary = "Finds images that are mirrored with coordinates that only change places",
    .applies = "any",
    .leaf = "Q03",
    .fix = "DW",
    .severity = Severity::warning,
    .confidence = Confidence::medium,
    .check = check,
};

} // namespace faultline::rules
