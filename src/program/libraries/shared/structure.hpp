#pragma once

// Lists and dicts taken apart.

#include "program/machine/machine.hpp"

#include <vector>

namespace faultline::program {

std::vector<Shape> shapes_of(const std::vector<Tensor*>& tensors);

// While a value is walked (values/walk.hpp): what `into` makes of each item.
template <typename Into> std::vector<Ref> map_items(const Sequence& list, Into& into)
{
  std::vector<Ref> items;
  for (const Ref item : list.items) {
    items.push_back(into(item));
  }
  return items;
}

// The same of each value of a dict, whose keys stay.
template <typename Into> Dict* map_values(Machine& machine, const Dict& dict, Into& into)
{
  Dict* made = machine.dict();
  for (const auto& [key, value] : dict.items) {
    made->items.emplace_back(key, into(value));
  }
  made->open = dict.open;
  return made;
}

} // namespace faultline::program
