#include "rules/values.hpp"

#include <array>
#include <cmath>

namespace faultline::rules {

using program::as;

template <typename T> static const T* constant(Ref value)
{
  const auto* found = as<program::Constant>(value);
  return found != nullptr ? std::get_if<T>(&found->value) : nullptr;
}

std::optional<bool> bool_of(Ref value)
{
  const bool* found = constant<bool>(value);
  return found != nullptr ? std::optional(*found) : std::nullopt;
}

std::optional<int64_t> int_of(Ref value)
{
  if (const int64_t* whole = constant<int64_t>(value)) {
    return *whole;
  }
  const double* real = constant<double>(value);
  const bool is_whole = real != nullptr && std::nearbyint(*real) == *real && std::abs(*real) < 1e15;
  return is_whole ? std::optional(static_cast<int64_t>(*real)) : std::nullopt;
}

std::optional<double> number_of(Ref value)
{
  if (const double* real = constant<double>(value)) {
    return *real;
  }
  const int64_t* whole = constant<int64_t>(value);
  return whole != nullptr ? std::optional(static_cast<double>(*whole)) : std::nullopt;
}

std::optional<std::string_view> text_of(Ref value)
{
  const std::string* found = constant<std::string>(value);
  return found != nullptr ? std::optional<std::string_view>(*found) : std::nullopt;
}

std::optional<std::vector<int64_t>> ints_of(Ref value)
{
  if (const std::optional<int64_t> one = int_of(value)) {
    return std::vector<int64_t>{*one};
  }
  const auto* sequence = as<program::Sequence>(value);
  if (sequence == nullptr || sequence->open) {
    return std::nullopt;
  }
  std::vector<int64_t> numbers;
  for (const Ref item : sequence->items) {
    const std::optional<int64_t> number = int_of(item);
    if (!number) {
      return std::nullopt;
    }
    numbers.push_back(*number);
  }
  return numbers;
}

std::string_view op_of(Ref value)
{
  if (value == nullptr) {
    return {};
  }
  if (value->kind == program::Kind::none) {
    return "linear";
  }
  if (const auto* name = as<program::ApiName>(value)) {
    return name->api != nullptr ? name->api->op : std::string_view();
  }
  if (const auto* object = as<Instance>(value)) {
    return object->klass == nullptr && object->api != nullptr ? object->api->op
                                                              : std::string_view();
  }
  const std::optional<std::string_view> word = text_of(value);
  if (!word) {
    return {};
  }
  constexpr std::array<std::string_view, 2> k_modules = {"keras.activations.",
                                                         "keras.initializers."};
  for (const std::string_view module : k_modules) {
    if (const program::Api* api = program::find_api(std::string(module) + std::string(*word))) {
      return api->op;
    }
  }
  return {};
}

const program::Argument* written_setting(const Call& call,
                                         std::initializer_list<std::string_view> names)
{
  for (const std::string_view name : names) {
    const program::Argument* setting = call.setting(name);
    if (setting != nullptr && setting->given) {
      return setting;
    }
  }
  return nullptr;
}

Ref setting_of(const Call& call, std::initializer_list<std::string_view> names)
{
  for (const std::string_view name : names) {
    if (const Ref value = call.setting_value(name)) {
      return value;
    }
  }
  return nullptr;
}

} // namespace faultline::rules
