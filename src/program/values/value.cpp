#include "program/values/value.hpp"

namespace faultline::program {

Ref Dict::find(std::string_view key) const
{
  for (const auto& [held, value] : items) {
    const auto* constant = as<Constant>(held);
    const std::string* word =
        constant != nullptr ? std::get_if<std::string>(&constant->value) : nullptr;
    if (word != nullptr && *word == key) {
      return value;
    }
  }
  return nullptr;
}

} // namespace faultline::program
