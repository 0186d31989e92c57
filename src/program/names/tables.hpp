#pragma once

// Every table of library names. To add one, write a file that defines it and a line in tables.inc.

#include "program/names/api.hpp"

#include <span>
#include <string_view>

namespace faultline::program {

#define FL_TABLE(name) std::span<const Api> name();
#include "program/names/tables.inc"
#undef FL_TABLE

// `from` and all names below it are other spellings of `to`. See aliases.cpp.
struct Alias {
  std::string_view from;
  std::string_view to;
};
std::span<const Alias> torch_aliases();
std::span<const Alias> keras_aliases();
std::span<const Alias> tensorflow_aliases();
std::span<const Alias> data_aliases(); // data_names.cpp

// Names under which nothing influences tensors or training. See opaque.cpp.
std::span<const std::string_view> opaque_prefixes();
std::span<const std::string_view> data_opaque_prefixes(); // data_names.cpp

} // namespace faultline::program
