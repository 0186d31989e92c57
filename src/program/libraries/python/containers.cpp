// Methods of lists, tuples, sets and dicts.

#include "program/libraries/shared/answers.hpp"
#include "program/libraries/shared/reading.hpp"
#include "program/names/tables.hpp"

#include <algorithm>

namespace faultline::program {

// The list that a method changes; null if it is not one that we follow.
static Sequence* changed_list(Machine& m, const Call& call)
{
  auto* const list = as<Sequence>(call.self);
  if (list != nullptr) {
    m.touch(*list);
  }
  return list;
}

static Dict* changed_dict(Machine& m, const Call& call)
{
  auto* const dict = as<Dict>(call.self);
  if (dict != nullptr) {
    m.touch(*dict);
  }
  return dict;
}

// From here on only the kinds of items are known, not their number or order.
static void forget_order(Machine& m, Sequence& list)
{
  std::vector<Ref> all = list.items;
  if (list.open && list.rest == nullptr) {
    all = {m.unknown()};
  } else if (list.rest != nullptr) {
    all.push_back(list.rest);
  }
  list.rest = join_all(m, all);
  list.items.clear();
  list.open = true;
}

// A list that takes in itself doubles; beyond this only the kinds of its items are known.
static constexpr size_t k_longest_list = 1 << 16;

static void add_item(Machine& m, Sequence& list, Ref item)
{
  if (!list.open && list.items.size() >= k_longest_list) {
    forget_order(m, list);
  }
  if (list.open) {
    list.rest = list.rest == nullptr ? item : m.join(list.rest, item);
  } else {
    list.items.push_back(item);
  }
}

static Ref append(Machine& m, Call& call)
{
  if (Sequence* const list = changed_list(m, call)) {
    add_item(m, *list, take(m, call, "item"));
  }
  return m.none();
}

static Ref extend(Machine& m, Call& call)
{
  if (Sequence* const list = changed_list(m, call)) {
    const Items more = expand(m, take(m, call, "items"), call.span);
    for (const Ref item : more.items) {
      add_item(m, *list, item);
    }
    if (more.open) {
      const bool was_open = list->open;
      list->open = true;
      if (was_open && list->rest == nullptr) {
        list->rest = m.unknown();
      }
      add_item(m, *list, more.rest);
    }
  }
  return m.none();
}

static Ref insert(Machine& m, Call& call)
{
  if (Sequence* const list = changed_list(m, call)) {
    const auto index = m.to_int(take(m, call, "index"));
    if (!index || list->open) {
      add_item(m, *list, take(m, call, "item"));
      forget_order(m, *list);
      return m.none();
    }
    const auto size = static_cast<int64_t>(list->items.size());
    const int64_t place = std::clamp(*index < 0 ? *index + size : *index, int64_t{0}, size);
    list->items.insert(list->items.begin() + place, take(m, call, "item"));
  }
  return m.none();
}

static Ref pop(Machine& m, Call& call)
{
  Sequence* const list = changed_list(m, call);
  if (list == nullptr) {
    return m.unknown();
  }
  const auto index = m.to_int(take(m, call, "index"));
  const auto size = static_cast<int64_t>(list->items.size());
  if (!list->open && index) {
    const int64_t place = *index < 0 ? *index + size : *index;
    if (place < 0 || place >= size) {
      return m.unknown();
    }
    const Ref item = list->items[static_cast<size_t>(place)];
    list->items.erase(list->items.begin() + place);
    return item;
  }
  forget_order(m, *list);
  return list->rest != nullptr ? list->rest : m.unknown();
}

static Ref remove(Machine& m, Call& call)
{
  if (Sequence* const list = changed_list(m, call)) {
    forget_order(m, *list);
  }
  return m.none();
}

static Ref clear_list(Machine& m, Call& call)
{
  if (Sequence* const list = changed_list(m, call)) {
    list->items.clear();
    list->open = false;
    list->rest = nullptr;
  }
  return m.none();
}

static Ref reverse(Machine& m, Call& call)
{
  if (Sequence* const list = changed_list(m, call)) {
    if (list->open) {
      forget_order(m, *list);
    }
    std::reverse(list->items.begin(), list->items.end());
  }
  return m.none();
}

static Ref sort(Machine& m, Call& call)
{
  if (Sequence* const list = changed_list(m, call); list != nullptr && list->items.size() > 1) {
    const Ref any = join_all(m, list->items);
    std::fill(list->items.begin(), list->items.end(), any);
  }
  return m.none();
}

static Ref copy_list(Machine& m, Call& call)
{
  const auto* list = as<Sequence>(call.self);
  if (list == nullptr) {
    return call.self;
  }
  Sequence* const result = m.list(list->items);
  result->type = list->type;
  result->open = list->open;
  result->rest = list->rest;
  return result;
}

// A set's size depends on which members are equal: only constants are told apart.
static Ref add_member(Machine& m, Call& call)
{
  if (Sequence* const set = changed_list(m, call)) {
    const Ref member = take(m, call, "item");
    const auto text = m.to_string(member);
    const auto number = m.to_double(member);
    if (set->open || (!text && !number)) {
      add_item(m, *set, member);
      forget_order(m, *set);
      return m.none();
    }
    const bool there = std::any_of(set->items.begin(), set->items.end(), [&](Ref item) {
      return text ? m.to_string(item) == text : m.to_double(item) == number;
    });
    if (!there) {
      set->items.push_back(member);
    }
  }
  return m.none();
}

static Ref combined_set(Machine& m, Call& call)
{
  // Called on the class, `set.union(a, b)`, it has no object.
  std::vector<Ref> all;
  if (call.self != nullptr) {
    all = expand(m, call.self, call.span).all();
  }
  for (const Ref other : positional(call)) {
    const std::vector<Ref> more = expand(m, other, call.span).all();
    all.insert(all.end(), more.begin(), more.end());
  }
  const Ref any = join_all(m, all);
  Sequence* const result = m.open_list(any != nullptr ? any : m.unknown());
  result->type = Sequence::Type::set;
  return result;
}

static Ref update_set(Machine& m, Call& call)
{
  if (Sequence* const set = changed_list(m, call)) {
    for (const Ref other : positional(call)) {
      for (const Ref item : expand(m, other, call.span).all()) {
        add_item(m, *set, item);
      }
    }
    forget_order(m, *set);
  }
  return m.none();
}

// --- Dicts. ---

enum class Side { keys, values, both };

static Ref members(Machine& m, const Call& call, Side side)
{
  const auto* dict = as<Dict>(call.self);
  if (dict == nullptr) {
    return m.open_list(side == Side::both ? m.tuple({m.unknown(), m.unknown()}) : m.unknown());
  }
  std::vector<Ref> items;
  for (const auto& [key, value] : dict->items) {
    items.push_back(side == Side::keys     ? key
                    : side == Side::values ? value
                                           : m.tuple({key, value}));
  }
  Sequence* const result = m.list(std::move(items));
  if (dict->open) {
    result->open = true;
    result->rest = side == Side::both ? m.tuple({m.unknown(), m.unknown()}) : m.unknown();
  }
  return result;
}

static Ref dict_items(Machine& m, Call& call)
{
  return members(m, call, Side::both);
}
static Ref dict_keys(Machine& m, Call& call)
{
  return members(m, call, Side::keys);
}
static Ref dict_values(Machine& m, Call& call)
{
  return members(m, call, Side::values);
}

static bool same_key(Machine& m, Ref a, Ref b)
{
  const auto text = m.to_string(a);
  return text ? m.to_string(b) == text : m.to_double(a) && m.to_double(a) == m.to_double(b);
}

static void put(Machine& m, Dict& dict, Ref key, Ref value)
{
  for (auto& [known, place] : dict.items) {
    if (known == key || same_key(m, known, key)) {
      place = value;
      return;
    }
  }
  dict.items.emplace_back(key, value);
}

// Null if the dict surely does not have the key; unknown if that is not known.
static Ref look_up(Machine& m, const Dict& dict, Ref key)
{
  const bool known_key = m.to_string(key) || m.to_double(key);
  for (const auto& [other, value] : dict.items) {
    if (same_key(m, other, key)) {
      return value;
    }
  }
  const bool all_known = std::all_of(dict.items.begin(), dict.items.end(), [&](const auto& item) {
    return m.to_string(item.first) || m.to_double(item.first);
  });
  if (known_key && !dict.open && all_known) {
    return nullptr;
  }
  if (!known_key && !dict.open && !dict.items.empty()) {
    std::vector<Ref> values;
    for (const auto& item : dict.items) {
      values.push_back(item.second);
    }
    return join_all(m, values);
  }
  return m.unknown();
}

static Ref get(Machine& m, Call& call)
{
  const auto* dict = as<Dict>(call.self);
  if (dict == nullptr) {
    return m.unknown();
  }
  const Ref found = look_up(m, *dict, take(m, call, "key"));
  return found != nullptr ? found : take(m, call, "default");
}

static Ref set_default(Machine& m, Call& call)
{
  Dict* const dict = changed_dict(m, call);
  if (dict == nullptr) {
    return m.unknown();
  }
  if (const Ref found = look_up(m, *dict, take(m, call, "key"))) {
    return found;
  }
  dict->items.emplace_back(take(m, call, "key"), take(m, call, "default"));
  return take(m, call, "default");
}

static Ref pop_key(Machine& m, Call& call)
{
  Dict* const dict = changed_dict(m, call);
  if (dict == nullptr) {
    return m.unknown();
  }
  const Ref key = take(m, call, "key");
  const Ref found = look_up(m, *dict, key);
  std::erase_if(dict->items, [&](const auto& item) { return same_key(m, item.first, key); });
  if (found != nullptr) {
    return found;
  }
  return call.given("default") != nullptr ? take(m, call, "default") : m.unknown();
}

static Ref update(Machine& m, Call& call)
{
  Dict* const dict = changed_dict(m, call);
  if (dict == nullptr) {
    return m.none();
  }
  for (const Argument& argument : call.surplus) {
    if (!argument.name.empty()) {
      put(m, *dict, m.string(std::string(argument.name)), argument.value);
    } else if (const auto* other = as<Dict>(argument.value)) {
      for (const auto& [key, value] : other->items) {
        put(m, *dict, key, value);
      }
      dict->open = dict->open || other->open;
    } else {
      dict->open = true;
    }
  }
  return m.none();
}

static Ref copy_dict(Machine& m, Call& call)
{
  const auto* dict = as<Dict>(call.self);
  if (dict == nullptr) {
    return call.self;
  }
  Dict* const result = m.dict();
  result->items = dict->items;
  result->open = dict->open;
  return result;
}

static Ref clear_dict(Machine& m, Call& call)
{
  if (Dict* const dict = changed_dict(m, call)) {
    dict->items.clear();
    dict->open = false;
  }
  return m.none();
}

static Ref has_key(Machine& m, Call& call)
{
  const auto* dict = as<Dict>(call.self);
  if (dict == nullptr) {
    return m.truth();
  }
  const Ref found = look_up(m, *dict, take(m, call, "key"));
  return found == nullptr ? m.boolean(false) : m.truth();
}

static Ref from_keys(Machine& m, Call& call)
{
  Dict* const result = m.dict();
  const Items keys = expand(m, take(m, call, "iterable"), call.span);
  for (const Ref key : keys.items) {
    put(m, *result, key, take(m, call, "value"));
  }
  result->open = keys.open;
  return result;
}

static constexpr Api k_rows[] = {
    {"builtins.list.append", "item", Role::method, {}, k_in_place, append},
    {"builtins.list.extend", "items", Role::method, {}, k_in_place, extend},
    {"builtins.list.insert", "index, item", Role::method, {}, k_in_place, insert},
    {"builtins.list.pop", "index=-1", Role::method, {}, k_in_place, pop},
    {"builtins.list.popleft", "index=0", Role::method, {}, k_in_place, pop},
    {"builtins.list.appendleft", "item, index=0", Role::method, {}, k_in_place, insert},
    {"builtins.list.remove", "item", Role::method, {}, k_in_place, remove},
    {"builtins.list.clear", "", Role::method, {}, k_in_place, clear_list},
    {"builtins.list.reverse", "", Role::method, {}, k_in_place, reverse},
    {"builtins.list.sort", "*, key=None, reverse=False", Role::method, {}, k_in_place, sort},
    {"builtins.list.copy", "", Role::method, {}, 0, copy_list},
    {"builtins.list.index", "item, start=0, stop=None", Role::method, {}, 0, answers::count},
    {"builtins.list.count", "item", Role::method, {}, 0, answers::count},
    {"builtins.tuple.index", "item, start=0, stop=None", Role::method, {}, 0, answers::count},
    {"builtins.tuple.count", "item", Role::method, {}, 0, answers::count},

    {"builtins.set.add", "item", Role::method, {}, k_in_place, add_member},
    {"builtins.set.update", "*others", Role::method, {}, k_in_place, update_set},
    {"builtins.set.discard", "item", Role::method, {}, k_in_place, remove},
    {"builtins.set.remove", "item", Role::method, {}, k_in_place, remove},
    {"builtins.set.pop", "index=None", Role::method, {}, k_in_place, pop},
    {"builtins.set.clear", "", Role::method, {}, k_in_place, clear_list},
    {"builtins.set.copy", "", Role::method, {}, 0, copy_list},
    {"builtins.set.union", "*others", Role::method, {}, 0, combined_set},
    {"builtins.set.intersection", "*others", Role::method, {}, 0, combined_set},
    {"builtins.set.difference", "*others", Role::method, {}, 0, combined_set},
    {"builtins.set.symmetric_difference", "*others", Role::method, {}, 0, combined_set},
    {"builtins.set.issubset", "other", Role::method, {}, 0, answers::truth},
    {"builtins.set.issuperset", "other", Role::method, {}, 0, answers::truth},
    {"builtins.set.isdisjoint", "other", Role::method, {}, 0, answers::truth},

    {"builtins.dict.items", "", Role::method, {}, 0, dict_items},
    {"builtins.dict.iteritems", "", Role::method, {}, 0, dict_items},
    {"builtins.dict.keys", "", Role::method, {}, 0, dict_keys},
    {"builtins.dict.iterkeys", "", Role::method, {}, 0, dict_keys},
    {"builtins.dict.values", "", Role::method, {}, 0, dict_values},
    {"builtins.dict.itervalues", "", Role::method, {}, 0, dict_values},
    {"builtins.dict.get", "key, default=None", Role::method, {}, 0, get},
    {"builtins.dict.setdefault", "key, default=None", Role::method, {}, k_in_place, set_default},
    {"builtins.dict.pop", "key, default=None", Role::method, {}, k_in_place, pop_key},
    {"builtins.dict.popitem", "last=True", Role::method},
    {"builtins.dict.update", "*args, **kwargs", Role::method, {}, k_in_place, update},
    {"builtins.dict.copy", "", Role::method, {}, 0, copy_dict},
    {"builtins.dict.clear", "", Role::method, {}, k_in_place, clear_dict},
    {"builtins.dict.has_key", "key", Role::method, {}, 0, has_key},
    {"builtins.dict.fromkeys", "iterable, value=None", Role::method, {}, 0, from_keys},
    {"builtins.dict.move_to_end", "key, last=True", Role::opaque},
    {"builtins.dict.most_common", "n=None", Role::method},
};

std::span<const Api> python_containers()
{
  return k_rows;
}

} // namespace faultline::program
