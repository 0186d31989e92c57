// What a name holds after two branches meet.

#include "program/machine/machine.hpp"

#include <algorithm>

namespace faultline::program {

static bool is_numeric(Ref value)
{
  if (const auto* found = as<Constant>(value)) {
    return !std::holds_alternative<std::string>(found->value);
  }
  return value->kind == Kind::number;
}

static bool is_string(Ref value)
{
  const auto* found = as<Constant>(value);
  return value->kind == Kind::text ||
         (found != nullptr && std::holds_alternative<std::string>(found->value));
}

static bool is_whole(Ref value)
{
  if (const auto* number = as<Number>(value)) {
    return number->integer;
  }
  const auto* found = as<Constant>(value);
  return found != nullptr && !std::holds_alternative<double>(found->value);
}

// No option of a Choice is a Choice.
static std::vector<Ref> options_of(Ref value)
{
  const auto* choice = as<Choice>(value);
  return choice != nullptr ? choice->options : std::vector<Ref>{value};
}

static void add_option(std::vector<Ref>& options, Ref value)
{
  const auto* constant = as<Constant>(value);
  const bool known = std::ranges::any_of(options, [&](Ref option) {
    const auto* other = as<Constant>(option);
    return option == value || (option->kind == Kind::none && value->kind == Kind::none) ||
           (constant != nullptr && other != nullptr && constant->value == other->value);
  });
  if (!known) {
    options.push_back(value);
  }
}

Ref Machine::join(Ref a, Ref b)
{
  return joined(a, b, 0);
}

Ref Machine::joined(Ref a, Ref b, size_t depth)
{
  constexpr size_t k_most_options = 4;
  constexpr size_t k_deepest = 4;
  constexpr size_t k_most_joins = 5'000'000; // in one program
  if (a == b || b == nullptr) {
    return a;
  }
  if (a == nullptr) {
    return b;
  }
  if (++m_joins > k_most_joins) {
    return unknown();
  }
  if (a->kind == Kind::unknown || b->kind == Kind::unknown) {
    return a->kind == Kind::unknown ? a : b;
  }
  const auto* left = as<Constant>(a);
  const auto* right = as<Constant>(b);
  if (left != nullptr && right != nullptr && left->value == right->value) {
    return a->assumed ? a : b;
  }
  if (is_numeric(a) && is_numeric(b)) {
    Interval interval = to_interval(a);
    interval.join(to_interval(b));
    Dim dim = to_dim(a);
    dim.join(to_dim(b));
    auto* made = as<Number>(number(interval, is_whole(a) && is_whole(b)));
    made->dim = dim;
    return made;
  }
  if (is_string(a) && is_string(b) && (left == nullptr || right == nullptr)) {
    return text();
  }
  if (auto* x = as<Tensor>(a)) {
    if (const auto* y = as<Tensor>(b)) {
      auto* made = make<Tensor>();
      // The later of the two operations stands for the path that does more.
      const bool later = y->producer != nullptr &&
                         (x->producer == nullptr || x->producer->order < y->producer->order);
      *made = later ? *y : *x;
      made->shape.join(later ? x->shape : y->shape);
      made->dtype.join(later ? x->dtype : y->dtype);
      made->interval.join(later ? x->interval : y->interval);
      made->device.join(later ? x->device : y->device);
      const auto both = [](auto one, auto other, auto otherwise) {
        return one == other ? one : otherwise;
      };
      made->requires_grad = both(x->requires_grad, y->requires_grad, Truth::unknown);
      made->leaf = both(x->leaf, y->leaf, Truth::unknown);
      made->contiguous = both(x->contiguous, y->contiguous, Truth::unknown);
      made->encoding = both(x->encoding, y->encoding, Encoding::unknown);
      made->classes = both(x->classes, y->classes, int64_t{0});
      made->source = both(x->source, y->source, static_cast<const DataSource*>(nullptr));
      made->literal = nullptr;
      return made;
    }
  }
  if (const auto* x = as<Sequence>(a)) {
    const auto* y = as<Sequence>(b);
    if (y != nullptr && x->type == y->type && depth < k_deepest) {
      if (x->items.size() == y->items.size() && x->open == y->open) {
        std::vector<Ref> items;
        for (size_t i = 0; i < x->items.size(); ++i) {
          items.push_back(joined(x->items[i], y->items[i], depth + 1));
        }
        Sequence* made = list(std::move(items));
        made->type = x->type;
        made->open = x->open;
        made->rest = joined(x->rest, y->rest, depth + 1);
        return made;
      }
      if (x->type == Sequence::Type::list) {
        Ref rest = joined(x->rest, y->rest, depth + 1);
        for (const auto* one : {x, y}) {
          for (const Ref item : one->items) {
            rest = joined(rest, item, depth + 1);
          }
        }
        return open_list(rest);
      }
    }
  }
  std::vector<Ref> options;
  for (const Ref one : {a, b}) {
    for (const Ref option : options_of(one)) {
      add_option(options, option);
    }
  }
  if (options.size() == 1) {
    return options.front();
  }
  if (options.size() > k_most_options) {
    return unknown();
  }
  auto* made = make<Choice>();
  made->options = std::move(options);
  return made;
}

} // namespace faultline::program
