#include "program/libraries/python/options.hpp"

#include "program/values/walk.hpp"

#include <algorithm>

namespace faultline::program {

std::string option_name(std::string_view flag)
{
  while (flag.starts_with('-')) {
    flag.remove_prefix(1);
  }
  std::string name(flag);
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

static Ref copy_of(Machine& m, const Constant& constant)
{
  return std::visit(
      [&](const auto& known) -> Ref {
        using T = std::decay_t<decltype(known)>;
        if constexpr (std::is_same_v<T, bool>) {
          return m.boolean(known);
        } else if constexpr (std::is_same_v<T, int64_t>) {
          return m.integer(known);
        } else if constexpr (std::is_same_v<T, double>) {
          return m.real(known);
        } else {
          return m.string(known);
        }
      },
      constant.value);
}

Ref assumed(Machine& m, Ref value)
{
  return walk(value, Ref(nullptr), [&m](Ref one, auto& into) -> Ref {
    Ref copy = nullptr;
    if (const auto* constant = as<Constant>(one)) {
      copy = copy_of(m, *constant);
    } else if (const auto* list = as<Sequence>(one); list != nullptr && !list->open) {
      std::vector<Ref> items;
      for (const Ref item : list->items) {
        const Ref inner = into(item);
        items.push_back(inner != nullptr ? inner : item);
      }
      Sequence* const made = m.list(std::move(items));
      made->type = list->type;
      copy = made;
    } else {
      // None and objects are shared: they cannot be marked without marking all their uses.
      return one;
    }
    copy->assumed = true;
    copy->origin = one->origin;
    return copy;
  });
}

Ref value_of_type(Machine& m, Ref type)
{
  if (type == nullptr || m.is_none(type)) {
    return m.text();
  }
  const std::string_view path = path_of(type);
  const std::string_view name = m.to_string(type).value_or(path);
  if (name == "builtins.int" || name == "int" || name == "click.INT") {
    return m.number(Interval::top(), true);
  }
  if (name == "builtins.float" || name == "float" || name == "click.FLOAT") {
    return m.number(Interval::top());
  }
  if (name == "builtins.str" || name == "str" || name == "string" || name == "click.STRING") {
    return m.text();
  }
  if (name == "builtins.bool" || name == "bool" || name == "click.BOOL") {
    return m.truth();
  }
  return m.unknown();
}

Ref converted(Machine& m, Ref value, Ref type)
{
  // argparse converts only strings.
  if (!path_of(type).empty() && m.to_string(value)) {
    return m.call(type, std::vector<Ref>{value}, value->origin);
  }
  return value;
}

void set_option(Machine& m, Dict& options, std::string_view name, Ref value)
{
  for (auto& [key, place] : options.items) {
    if (m.to_string(key) == name) {
      place = value;
      return;
    }
  }
  options.items.emplace_back(m.string(std::string(name)), value);
}

} // namespace faultline::program
