#pragma once

// Small questions that the models of Python and of data libraries ask about the values they get.

#include "program/machine/machine.hpp"

#include <optional>
#include <string_view>
#include <vector>

namespace faultline::program {

// What a loop over a value would see. `open`: there may be more, each like `rest` (never null
// then).
struct Items {
  std::vector<Ref> items;
  bool open = false;
  Ref rest = nullptr;

  // Known items and `rest`, all in one.
  std::vector<Ref> all() const;
};
Items expand(Machine& machine, Ref iterable, Span span);

// An argument, default included; unknown if a required one is missing.
Ref take(Machine& machine, const Call& call, std::string_view parameter);

// Positional arguments that a signature's *args collected.
std::vector<Ref> positional(const Call& call);

// One of them all; null if there are none.
Ref join_all(Machine& machine, const std::vector<Ref>& values);

bool is_number(Ref value);   // Constant bool, int or float, or Number
bool is_integral(Ref value); // one without a fraction by its type
bool is_text(Ref value);     // Constant str or Text
bool is_float_constant(Ref value);
std::string_view path_of(Ref value); // of an ApiName; empty otherwise

// A new object of the class `path`, which a table must have; its constructor was `call`.
Instance* object_of(Machine& machine, std::string_view path, Call& call);
Ref find_attribute(const Instance& object, std::string_view name); // null if it was never set
void set_field(Machine& machine, Instance& object, std::string_view name, Ref value);

// Apply `one` to a value, or to each option of a Choice.
template <typename F> Ref for_each_option(Machine& machine, Ref value, F one)
{
  auto* const choice = as<Choice>(value);
  if (choice == nullptr) {
    return one(value);
  }
  Ref result = nullptr;
  for (const Ref option : choice->options) {
    const Ref mapped = one(option);
    result = result == nullptr ? mapped : machine.join(result, mapped);
  }
  return result;
}

} // namespace faultline::program
