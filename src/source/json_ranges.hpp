#pragma once

// Where things stand in a JSON text, so that one value can be replaced and every other byte stays.

#include "source/syntax.hpp"

#include <optional>
#include <string_view>
#include <vector>

namespace faultline::source {

// All of these expect valid JSON; `value` is the range of one value without the space around it.

ByteRange json_document(std::string_view json);

// The value of the member `key`, if `value` is an object that has one. Of several the last counts.
std::optional<ByteRange> json_member(std::string_view json, ByteRange value, std::string_view key);

// The values of an array; none if `value` is none.
std::vector<ByteRange> json_items(std::string_view json, ByteRange value);

} // namespace faultline::source
