#pragma once

// Python values that break whoever trusts them, for the sweep over all modelled names and for the
// fuzzer that writes programs.

#include <array>
#include <string_view>

namespace faultline::program {

// Defines the names of k_hostile_values.
inline constexpr std::string_view k_hostile_definitions = R"(
import unheard_of
inside_itself = []
inside_itself.append(inside_itself)
own_value = {}
own_value['own'] = own_value
own_value[0] = inside_itself
pair = (inside_itself, own_value)
inside_itself.append(pair)
deep = 0
for level in range(100):
    deep = [deep]
doubled = [0]
for level in range(60):
    doubled = [doubled, doubled]
nested_tuples = ((((1, 2), (3, 4)), ((5, 6), (7,))), ())
huge = 9223372036854775807
least = -9223372036854775808
beyond = 10 ** 400
def again(*arguments, **options):
    return again(*arguments, **options)
class Base(unheard_of.Base):
    def __getattr__(self, name):
        return getattr(self, name)
    def __iter__(self):
        return iter(self)
    def __getitem__(self, index):
        return self[index]
    def __call__(self, *arguments):
        return self(*arguments)
    @property
    def shape(self):
        return self.shape
class Class(Base):
    pass
for level in range(40):
    class Class(Class, Class):
        pass
own_attribute = Class()
own_attribute.own = own_attribute
own_attribute.items = [own_attribute]
unknown = unheard_of.value
star = [*unknown, *inside_itself]
)";

inline constexpr std::array<std::string_view, 20> k_hostile_values = {
    "inside_itself", "own_value", "pair",     "deep",      "doubled",       "nested_tuples", "huge",
    "least",         "beyond",    "again",    "Class",     "own_attribute", "unknown",       "star",
    "None",          "''",        "*unknown", "**unknown", "lambda x: x",   "[[1, 2], [3]]"};

} // namespace faultline::program
