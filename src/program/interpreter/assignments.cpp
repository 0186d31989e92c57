#include "program/interpreter/assignments.hpp"

#include "program/interpreter/expressions.hpp"
#include "program/interpreter/interpreter.hpp"
#include "program/interpreter/operators.hpp"
#include "program/interpreter/tensor_index.hpp"

#include <algorithm>

namespace faultline::program {

static void unpack(Interpreter& m, const Syntax& target, Ref value);

void assign_name(Interpreter& m, std::string_view name, Ref value)
{
  Scope* scope = m.scope;
  if (scope->globals.contains(name)) {
    scope = m.unit->globals;
  } else if (scope->nonlocals.contains(name)) {
    for (Scope* outer = scope->parent; outer != nullptr; outer = outer->parent) {
      if (outer->names.contains(name)) {
        scope = outer;
        break;
      }
    }
  }
  m.touch(*scope);
  scope->names[name] = value;
}

void assign(Interpreter& m, const Syntax* target, Ref value)
{
  if (target == nullptr) {
    return;
  }
  switch (target->kind) {
  case SyntaxKind::name:
    assign_name(m, target->text, value);
    return;
  case SyntaxKind::attribute:
    m.set_attribute(evaluate(m, target->child(0)), target->text, value, target->span);
    return;
  case SyntaxKind::subscript: {
    const Ref object = evaluate(m, target->child(0));
    const Ref index = evaluate_index(m, *target);
    if (auto* dict = as<Dict>(object)) {
      m.touch(*dict);
      const auto* key = as<Constant>(index);
      for (auto& [old, held] : dict->items) {
        const auto* other = as<Constant>(old);
        if (key != nullptr && other != nullptr && key->value == other->value) {
          held = value;
          return;
        }
      }
      dict->items.emplace_back(index, value);
    } else if (auto* sequence = as<Sequence>(object)) {
      const std::optional<int64_t> at = m.to_int(index);
      m.touch(*sequence);
      const auto size = static_cast<int64_t>(sequence->items.size());
      if (at && *at >= -size && *at < size) {
        sequence->items[static_cast<size_t>(*at < 0 ? *at + size : *at)] = value;
      } else {
        sequence->open = true;
      }
    } else if (auto* holder = as<Instance>(object);
               holder != nullptr && m.to_int(index) && !holder->items.empty()) {
      m.touch(*holder);
      const auto size = static_cast<int64_t>(holder->items.size());
      const int64_t at = *m.to_int(index) < 0 ? *m.to_int(index) + size : *m.to_int(index);
      if (at >= 0 && at < size) {
        holder->items[static_cast<size_t>(at)] = value;
      }
    } else if (as<Tensor>(object) != nullptr) {
      operator_call(m,
                    "operator.setitem",
                    {{.name = "a", .value = object, .span = target->child(0)->span, .given = true},
                     {.name = "index", .value = index, .span = target->span, .given = true},
                     {.name = "value", .value = value, .span = target->span, .given = true}},
                    target->span);
    }
    return;
  }
  case SyntaxKind::tuple:
  case SyntaxKind::list:
    unpack(m, *target, value);
    return;
  case SyntaxKind::star:
    assign(m, target->child(0), m.open_list(nullptr));
    return;
  default:
    return;
  }
}

static void unpack(Interpreter& m, const Syntax& target, Ref value)
{
  const size_t wanted = target.children.size();
  if (const auto* choice = as<Choice>(value)) {
    // The first option that has as many parts.
    for (const Ref option : choice->options) {
      const auto* sequence = as<Sequence>(option);
      if (sequence != nullptr && sequence->items.size() == wanted) {
        value = option;
        break;
      }
    }
  }
  // A record such as a named tuple.
  if (const auto* record = as<Instance>(value);
      record != nullptr && record->klass == nullptr && record->items.size() == wanted) {
    value = m.tuple(record->items);
  }
  const auto* sequence = as<Sequence>(value);
  const auto star = std::ranges::find_if(
      target.children, [](const Syntax* child) { return child->kind == SyntaxKind::star; });
  if (sequence != nullptr && !sequence->open && star != target.children.end() &&
      sequence->items.size() + 1 >= wanted) {
    const auto place = static_cast<size_t>(star - target.children.begin());
    const size_t many = sequence->items.size() + 1 - wanted;
    const std::vector<Ref> items = sequence->items;
    for (size_t i = 0; i < wanted; ++i) {
      if (i == place) {
        const auto first = items.begin() + static_cast<std::ptrdiff_t>(place);
        assign(m,
               target.children[i]->child(0),
               m.list({first, first + static_cast<std::ptrdiff_t>(many)}));
      } else {
        assign(m, target.children[i], items[i < place ? i : i + many - 1]);
      }
    }
    return;
  }
  if (sequence != nullptr && sequence->items.size() == wanted) {
    const std::vector<Ref> items = sequence->items;
    for (size_t i = 0; i < wanted; ++i) {
      assign(m, target.children[i], items[i]);
    }
    return;
  }
  for (size_t i = 0; i < wanted; ++i) {
    Ref part = nullptr;
    if (auto* tensor = as<Tensor>(value)) {
      Call& call = m.record("operator.getitem", find_api("operator.getitem"), target.span);
      part = index_tensor(m, *tensor, m.integer(static_cast<int64_t>(i)), call);
      m.finish(call, part);
    } else if (sequence != nullptr && i < sequence->items.size()) {
      part = sequence->items[i];
    } else if (sequence != nullptr && sequence->rest != nullptr) {
      part = sequence->rest;
    } else {
      m.stand_at(target.children[i]->span);
      part = m.unknown();
    }
    assign(m, target.children[i], part);
  }
}

void execute_augment(Interpreter& m, const Syntax& statement)
{
  const Ref before = evaluate(m, statement.child(0));
  const Ref value = evaluate(m, statement.child(1));
  m.stand_at(statement.span);
  if (auto* sequence = as<Sequence>(before);
      sequence != nullptr && statement.text == "+" && sequence->type == Sequence::Type::list) {
    m.touch(*sequence);
    if (const auto* more = as<Sequence>(value)) {
      sequence->items.insert(sequence->items.end(), more->items.begin(), more->items.end());
      sequence->open = sequence->open || more->open;
      sequence->rest = sequence->rest == nullptr ? more->rest : sequence->rest;
    } else {
      sequence->open = true;
    }
    return;
  }
  const Ref result = evaluate_binary(m, statement.text, before, value, statement, true);
  // Without gradients PyTorch changes the tensor that is there: a weight stays a weight.
  const auto* tensor = as<Tensor>(before);
  const bool element = statement.child(0)->kind == SyntaxKind::subscript;
  if (tensor != nullptr && tensor->library == Library::torch && m.gradient_off() && !element) {
    return;
  }
  assign(m, statement.child(0), result);
}

} // namespace faultline::program
