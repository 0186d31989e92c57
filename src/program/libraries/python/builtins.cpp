// Python's built-in functions that make or walk over collections.

#include "program/libraries/shared/reading.hpp"
#include "program/names/tables.hpp"

#include <algorithm>
#include <cmath>

namespace faultline::program {

static constexpr int64_t k_most_items = 128;

static Ref range_of(Machine& m, Call& call)
{
  const bool one = call.given("stop") == nullptr;
  const Ref first = one ? m.integer(0) : take(m, call, "start");
  const Ref last = one ? take(m, call, "start") : take(m, call, "stop");
  const auto start = m.to_int(first);
  const auto stop = m.to_int(last);
  const auto step = m.to_int(take(m, call, "step"));
  if (start && stop && step && *step != 0) {
    // In doubles, so that extreme bounds do not overflow.
    const double span = static_cast<double>(*stop) - static_cast<double>(*start);
    const double count = std::max(0.0, std::ceil(span / static_cast<double>(*step)));
    if (count <= k_most_items) {
      std::vector<Ref> items;
      for (int64_t i = 0; i < static_cast<int64_t>(count); ++i) {
        items.push_back(m.integer(*start + i * *step));
      }
      return m.list(std::move(items));
    }
    const double begin = static_cast<double>(*start);
    const double end = begin + (count - 1) * static_cast<double>(*step);
    return m.open_list(m.number(Interval::of(std::min(begin, end), std::max(begin, end)), true));
  }
  Interval interval = Interval::top();
  const Interval low = m.to_interval(first);
  const Interval high = m.to_interval(last);
  if (step && *step > 0 && low.is_known()) {
    const double top = high.is_known() ? high.high() - 1 : Interval::k_inf;
    interval = Interval::of(low.low(), std::max(low.low(), top));
  }
  return m.open_list(m.number(interval, true));
}

static Ref length(Machine& m, Call& call)
{
  return for_each_option(m, take(m, call, "object"), [&](Ref object) -> Ref {
    if (const auto* sequence = as<Sequence>(object)) {
      if (!sequence->open) {
        return m.integer(sequence->length());
      }
      return m.number(Interval::of(static_cast<double>(sequence->items.size()), Interval::k_inf),
                      true);
    }
    if (const auto* dict = as<Dict>(object); dict != nullptr && !dict->open) {
      return m.integer(static_cast<int64_t>(dict->items.size()));
    }
    if (const auto text = m.to_string(object)) {
      return m.integer(static_cast<int64_t>(text->size()));
    }
    if (const auto* tensor = as<Tensor>(object)) {
      const Dim rows = tensor->shape.at(0);
      return rows.is_unknown() ? m.number(Interval::of(0, Interval::k_inf), true) : m.integer(rows);
    }
    if (auto* instance = as<Instance>(object)) {
      if (const Ref known = find_attribute(*instance, "length")) {
        return known;
      }
      const bool own =
          instance->klass != nullptr && instance->klass->attributes.contains("__len__");
      if (own || (instance->api != nullptr && find_method(*instance->api, "__len__") != nullptr)) {
        return m.call(m.attribute(instance, "__len__", call.span), std::vector<Ref>{}, call.span);
      }
      if (!instance->items.empty()) {
        return m.integer(static_cast<int64_t>(instance->items.size()));
      }
    }
    return m.number(Interval::of(0, Interval::k_inf), true);
  });
}

static Ref enumerated(Machine& m, Call& call)
{
  const Items items = expand(m, take(m, call, "iterable"), call.span);
  const auto start = m.to_int(take(m, call, "start"));
  std::vector<Ref> pairs;
  for (size_t i = 0; i < items.items.size(); ++i) {
    const Ref index =
        start ? m.integer(*start + static_cast<int64_t>(i)) : m.number(Interval::top(), true);
    pairs.push_back(m.tuple({index, items.items[i]}));
  }
  Sequence* const result = m.list(std::move(pairs));
  if (items.open) {
    const Interval indices =
        start ? Interval::of(static_cast<double>(*start), Interval::k_inf) : Interval::top();
    result->open = true;
    result->rest = m.tuple({m.number(indices, true), items.rest});
  }
  return result;
}

// Rows of several collections walked over together.
struct Columns {
  std::vector<Items> columns;
  size_t shortest = 0; // as far as items are known in all of them
  bool open = false;   // every one may go on
};

static Columns columns_of(Machine& m, const std::vector<Ref>& iterables, Span span)
{
  Columns result;
  result.open = !iterables.empty();
  bool first = true;
  for (const Ref iterable : iterables) {
    result.columns.push_back(expand(m, iterable, span));
    const Items& items = result.columns.back();
    if (!items.open) {
      result.shortest = first ? items.items.size() : std::min(result.shortest, items.items.size());
      first = false;
      result.open = false;
    }
  }
  return result;
}

static std::vector<Ref> row_of(const Columns& columns, size_t n)
{
  std::vector<Ref> row;
  for (const Items& items : columns.columns) {
    row.push_back(n < items.items.size() ? items.items[n] : items.rest);
  }
  return row;
}

static Ref zipped(Machine& m, Call& call)
{
  const Columns columns = columns_of(m, positional(call), call.span);
  if (columns.open) {
    std::vector<Ref> row;
    for (const Items& items : columns.columns) {
      row.push_back(join_all(m, items.all()));
    }
    return m.open_list(m.tuple(std::move(row)));
  }
  std::vector<Ref> rows;
  for (size_t n = 0; n < columns.shortest; ++n) {
    rows.push_back(m.tuple(row_of(columns, n)));
  }
  return m.list(std::move(rows));
}

static Ref mapped(Machine& m, Call& call)
{
  const Ref function = take(m, call, "function");
  const Columns columns = columns_of(m, positional(call), call.span);
  if (columns.open) {
    std::vector<Ref> row;
    for (const Items& items : columns.columns) {
      row.push_back(join_all(m, items.all()));
    }
    return m.open_list(m.call(function, std::move(row), call.span));
  }
  std::vector<Ref> results;
  for (size_t n = 0; n < columns.shortest; ++n) {
    results.push_back(m.call(function, row_of(columns, n), call.span));
  }
  return m.list(std::move(results));
}

static Ref filtered(Machine& m, Call& call)
{
  const Ref function = take(m, call, "function");
  const Items items = expand(m, take(m, call, "iterable"), call.span);
  std::vector<Ref> kept;
  bool sure = !items.open;
  for (const Ref item : items.items) {
    const Ref verdict =
        m.is_none(function) ? item : m.call(function, std::vector<Ref>{item}, call.span);
    const auto truth = m.truthiness(verdict);
    sure = sure && truth.has_value();
    if (truth.value_or(true)) {
      kept.push_back(item);
    }
  }
  if (sure) {
    return m.list(std::move(kept));
  }
  if (items.rest != nullptr) {
    kept.push_back(items.rest);
  }
  return m.open_list(join_all(m, kept));
}

static Ref collected(Machine& m, Call& call, Sequence::Type type)
{
  Items items;
  if (call.given("iterable") != nullptr) {
    items = expand(m, take(m, call, "iterable"), call.span);
  }
  Sequence* const result = m.list(std::move(items.items));
  result->type = type;
  result->open = items.open;
  result->rest = items.rest;
  return result;
}

static Ref make_list(Machine& m, Call& call)
{
  return collected(m, call, Sequence::Type::list);
}
static Ref make_tuple(Machine& m, Call& call)
{
  return collected(m, call, Sequence::Type::tuple);
}
static Ref make_set(Machine& m, Call& call)
{
  return collected(m, call, Sequence::Type::set);
}

static Ref make_dict(Machine& m, Call& call)
{
  Dict* const result = m.dict();
  for (const Argument& argument : call.surplus) {
    if (!argument.name.empty()) {
      result->items.emplace_back(m.string(std::string(argument.name)), argument.value);
      continue;
    }
    if (const auto* other = as<Dict>(argument.value)) {
      result->items.insert(result->items.begin(), other->items.begin(), other->items.end());
      result->open = result->open || other->open;
      continue;
    }
    const Items pairs = expand(m, argument.value, call.span);
    result->open = result->open || pairs.open;
    for (const Ref pair : pairs.items) {
      const std::vector<Ref> sides = m.items_of(pair);
      if (sides.size() == 2) {
        result->items.emplace_back(sides[0], sides[1]);
      } else {
        result->open = true;
      }
    }
  }
  return result;
}

static Ref reversed(Machine& m, Call& call)
{
  Items items = expand(m, take(m, call, "sequence"), call.span);
  if (items.open) {
    return m.open_list(join_all(m, items.all()));
  }
  std::reverse(items.items.begin(), items.items.end());
  return m.list(std::move(items.items));
}

static Ref sorted(Machine& m, Call& call)
{
  Items items = expand(m, take(m, call, "iterable"), call.span);
  if (items.open) {
    return m.open_list(join_all(m, items.all()));
  }
  const auto backwards = m.to_bool(take(m, call, "reverse"));
  const bool numbers = std::all_of(items.items.begin(), items.items.end(), [&](Ref item) {
    return m.to_double(item).has_value();
  });
  const bool texts = std::all_of(items.items.begin(), items.items.end(), [&](Ref item) {
    return m.to_string(item).has_value();
  });
  if ((numbers || texts) && backwards && m.is_none(take(m, call, "key"))) {
    std::stable_sort(items.items.begin(), items.items.end(), [&](Ref a, Ref b) {
      const Ref low = *backwards ? b : a;
      const Ref high = *backwards ? a : b;
      return numbers ? m.to_double(low) < m.to_double(high) : m.to_string(low) < m.to_string(high);
    });
    return m.list(std::move(items.items));
  }
  if (items.items.empty()) {
    return m.list({});
  }
  // The order is not known, the number of items is.
  const Ref any = join_all(m, items.items);
  return m.list(std::vector<Ref>(items.items.size(), any));
}

static Ref same_iterator(Machine& m, Call& call)
{
  return take(m, call, "iterable");
}

static Ref next_item(Machine& m, Call& call)
{
  const Ref iterator = take(m, call, "iterator");
  if (const auto* sequence = as<Sequence>(iterator)) {
    // A list stands for a generator; which of its items comes next is not followed.
    if (sequence->items.size() == 1 && !sequence->open) {
      return sequence->items.front();
    }
    const Items items = expand(m, iterator, call.span);
    const Ref any = join_all(m, items.all());
    return any != nullptr ? any : m.unknown();
  }
  return m.iterate(iterator, call.span);
}

static constexpr Api k_rows[] = {
    {"builtins.range", "start, stop=None, step=1", Role::function, {}, 0, range_of},
    {"builtins.xrange", "start, stop=None, step=1", Role::function, {}, 0, range_of},
    {"six.moves.range", "start, stop=None, step=1", Role::function, {}, 0, range_of},
    {"six.moves.xrange", "start, stop=None, step=1", Role::function, {}, 0, range_of},
    {"past.builtins.xrange", "start, stop=None, step=1", Role::function, {}, 0, range_of},
    {"builtins.len", "object", Role::function, {}, 0, length},
    {"builtins.enumerate", "iterable, start=0", Role::function, {}, 0, enumerated},
    {"builtins.zip", "*iterables, strict=False", Role::function, {}, 0, zipped},
    {"six.moves.zip", "*iterables", Role::function, {}, 0, zipped},
    {"itertools.izip", "*iterables", Role::function, {}, 0, zipped},
    {"builtins.map", "function, *iterables", Role::function, {}, 0, mapped},
    {"six.moves.map", "function, *iterables", Role::function, {}, 0, mapped},
    {"builtins.filter", "function, iterable", Role::function, {}, 0, filtered},
    {"six.moves.filter", "function, iterable", Role::function, {}, 0, filtered},
    {"builtins.list", "iterable=()", Role::object, {}, 0, make_list},
    {"builtins.tuple", "iterable=()", Role::object, {}, 0, make_tuple},
    {"builtins.set", "iterable=()", Role::object, {}, 0, make_set},
    {"builtins.frozenset", "iterable=()", Role::object, {}, 0, make_set},
    {"builtins.dict", "*args, **kwargs", Role::object, {}, 0, make_dict},
    {"collections.OrderedDict", "*args, **kwargs", Role::object, {}, 0, make_dict},
    {"builtins.reversed", "sequence", Role::function, {}, 0, reversed},
    {"builtins.sorted", "iterable, *, key=None, reverse=False", Role::function, {}, 0, sorted},
    {"builtins.iter", "iterable, sentinel=None", Role::function, {}, 0, same_iterator},
    {"builtins.next", "iterator, default=None", Role::function, {}, 0, next_item},
};

std::span<const Api> python_builtins()
{
  return k_rows;
}

} // namespace faultline::program
