#include "program/interpreter/contents.hpp"

#include <algorithm>

namespace faultline::program {

void keep_either(Machine& m, std::vector<Contents> outcomes)
{
  std::vector<Container*> touched;
  for (const Contents& outcome : outcomes) {
    for (const auto& [container, content] : outcome) {
      if (std::ranges::find(touched, container) == touched.end()) {
        touched.push_back(container);
      }
    }
  }
  for (Container* container : touched) {
    const Content before = content_of(*container);
    std::optional<Content> result;
    for (const Contents& outcome : outcomes) {
      const auto found = outcome.find(container);
      const Content& content = found != outcome.end() ? found->second : before;
      if (!result) {
        result = content;
        continue;
      }
      for (auto& [name, value] : result->names) {
        const auto other = content.names.find(name);
        value = other != content.names.end() ? m.join(value, other->second) : value;
      }
      for (const auto& [name, value] : content.names) {
        result->names.try_emplace(name, value);
      }
      if (result->items.size() == content.items.size()) {
        for (size_t i = 0; i < content.items.size(); ++i) {
          result->items[i] = m.join(result->items[i], content.items[i]);
        }
      } else {
        // Items that only some paths have: the longer list, with the rest open.
        if (content.items.size() > result->items.size()) {
          std::swap(result->items, const_cast<Content&>(content).items);
        }
        result->open = true;
      }
      if (result->pairs.size() < content.pairs.size()) {
        result->pairs = content.pairs;
        result->open = true;
      }
      result->open = result->open || content.open;
      result->rest = result->rest == nullptr ? content.rest : m.join(result->rest, content.rest);
      result->device.join(content.device);
    }
    m.touch(*container);
    restore(*container, std::move(*result));
  }
}

void widen(Machine& m, const Contents& before)
{
  for (const auto& [container, old] : before) {
    Content now = content_of(*container);
    for (auto& [name, value] : now.names) {
      const auto earlier = old.names.find(name);
      if (earlier == old.names.end() || earlier->second == value) {
        continue;
      }
      const auto* constant = as<Constant>(value);
      const auto* before_constant = as<Constant>(earlier->second);
      if (constant != nullptr && before_constant != nullptr &&
          constant->value == before_constant->value) {
        continue;
      }
      if (constant != nullptr && !std::holds_alternative<std::string>(constant->value)) {
        Interval interval = m.to_interval(earlier->second);
        interval.widen(m.to_interval(value));
        value = m.number(interval, m.to_int(value).has_value());
      } else {
        value = m.join(earlier->second, value);
      }
    }
    if (now.items.size() > old.items.size() && container->kind == Kind::sequence) {
      now.open = true;
      Ref rest = now.rest;
      for (const Ref item : now.items) {
        rest = rest == nullptr ? item : m.join(rest, item);
      }
      now.items.resize(old.items.size());
      now.rest = rest;
    }
    if (now.pairs.size() > old.pairs.size()) {
      now.open = true;
    }
    m.touch(*container);
    restore(*container, std::move(now));
  }
}

} // namespace faultline::program
