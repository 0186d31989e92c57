#include "program/interpreter/contents.hpp"

#include <algorithm>
#include <optional>

namespace faultline::program {

static void join_names(Machine& m, Content& into, const Content& other)
{
  for (auto& [name, value] : into.names) {
    const auto found = other.names.find(name);
    value = found != other.names.end() ? m.join(value, found->second) : value;
  }
  for (const auto& [name, value] : other.names) {
    into.names.try_emplace(name, value);
  }
}

static void join_items(Machine& m, Content& into, const Content& other)
{
  if (into.items.size() == other.items.size()) {
    for (size_t i = 0; i < other.items.size(); ++i) {
      into.items[i] = m.join(into.items[i], other.items[i]);
    }
    return;
  }
  // Items that only some paths have: the longer list, with the rest open.
  if (other.items.size() > into.items.size()) {
    into.items = other.items;
  }
  into.open = true;
}

static void join_content(Machine& m, Content& into, const Content& other)
{
  join_names(m, into, other);
  join_items(m, into, other);
  if (into.pairs.size() < other.pairs.size()) {
    into.pairs = other.pairs;
    into.open = true;
  }
  into.open = into.open || other.open;
  into.rest = into.rest == nullptr ? other.rest : m.join(into.rest, other.rest);
  into.device.join(other.device);
}

static std::vector<Container*> touched_by_any(const std::vector<Contents>& outcomes)
{
  std::vector<Container*> touched;
  for (const Contents& outcome : outcomes) {
    for (const auto& [container, content] : outcome) {
      if (std::ranges::find(touched, container) == touched.end()) {
        touched.push_back(container);
      }
    }
  }
  return touched;
}

void keep_either(Machine& m, const std::vector<Contents>& outcomes)
{
  for (Container* container : touched_by_any(outcomes)) {
    const Content before = content_of(*container);
    std::optional<Content> result;
    for (const Contents& outcome : outcomes) {
      const Content* after = outcome.find(container);
      const Content& content = after != nullptr ? *after : before;
      if (result) {
        join_content(m, *result, content);
      } else {
        result = content;
      }
    }
    m.touch(*container);
    restore(*container, std::move(*result));
  }
}

// Any value between those of two trips round a loop, and beyond in the direction it went.
static Ref widened(Machine& m, Ref before, Ref now)
{
  const auto* constant = as<Constant>(now);
  const auto* before_constant = as<Constant>(before);
  if (constant != nullptr && before_constant != nullptr &&
      constant->value == before_constant->value) {
    return now;
  }
  if (constant != nullptr && !std::holds_alternative<std::string>(constant->value)) {
    Interval interval = m.to_interval(before);
    interval.widen(m.to_interval(now));
    return m.number(interval, m.to_int(now).has_value());
  }
  return m.join(before, now);
}

// What was added to a list on each trip becomes one item that stands for any number of them.
static void widen_items(Machine& m, Content& now, size_t before)
{
  Ref rest = now.rest;
  for (const Ref item : now.items) {
    rest = rest == nullptr ? item : m.join(rest, item);
  }
  now.items.resize(before);
  now.rest = rest;
  now.open = true;
}

void widen(Machine& m, const Contents& before)
{
  for (const auto& [container, old] : before) {
    Content now = content_of(*container);
    for (auto& [name, value] : now.names) {
      const auto earlier = old.names.find(name);
      if (earlier != old.names.end() && earlier->second != value) {
        value = widened(m, earlier->second, value);
      }
    }
    if (now.items.size() > old.items.size() && container->kind == Kind::sequence) {
      widen_items(m, now, old.items.size());
    }
    now.open = now.open || now.pairs.size() > old.pairs.size();
    m.touch(*container);
    restore(*container, std::move(now));
  }
}

} // namespace faultline::program
