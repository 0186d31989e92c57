#pragma once

#include "program/values/value.hpp"

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace faultline::program {

// The names of a file, a function call or a class body.
struct Scope : Container {
  Scope() : Container(Kind::unknown) {}
  std::map<std::string_view, Ref> names;
  Scope* parent = nullptr; // the function around, not the file; may be null
  Unit* unit = nullptr;
  std::set<std::string_view> globals; // declared so
  std::set<std::string_view> nonlocals;
  std::vector<std::string> star_imports; // "keras.layers" of `from keras.layers import *`
};

} // namespace faultline::program
