#include "program/record/call.hpp"

#include "program/values/walk.hpp"

namespace faultline::program {

static const Argument* find(const std::vector<Argument>& arguments, std::string_view name)
{
  for (const Argument& argument : arguments) {
    if (argument.name == name) {
      return &argument;
    }
  }
  return nullptr;
}

const Argument* Call::argument(std::string_view parameter) const
{
  return find(arguments, parameter);
}

Ref Call::arg(std::string_view parameter) const
{
  const Argument* found = find(arguments, parameter);
  return found != nullptr ? found->value : nullptr;
}

const Argument* Call::given(std::string_view parameter) const
{
  const Argument* found = find(arguments, parameter);
  return found != nullptr && found->given ? found : nullptr;
}

const Argument* Call::keyword(std::string_view wanted) const
{
  return find(surplus, wanted);
}

const Argument* Call::setting(std::string_view parameter) const
{
  if (layer != nullptr) {
    return layer->made_by != nullptr ? layer->made_by->argument(parameter) : nullptr;
  }
  return argument(parameter);
}

Ref Call::setting_value(std::string_view parameter) const
{
  const Argument* found = setting(parameter);
  return found != nullptr ? found->value : nullptr;
}

// The tensors that a call gets as a value: itself, or in a list such as those of `concat`. One that
// is there twice is an input twice.
static void collect(Ref value, std::vector<Tensor*>& out)
{
  constexpr WalkLimits k_limits = {.depth = 3};
  walk(
      value,
      true,
      [&out](Ref one, auto& into) {
        if (Tensor* tensor = as<Tensor>(one)) {
          out.push_back(tensor);
        } else if (const auto* sequence = as<Sequence>(one)) {
          for (const Ref item : sequence->items) {
            into(item);
          }
        }
        return true;
      },
      Again::visit,
      k_limits);
}

std::vector<Tensor*> Call::inputs() const
{
  std::vector<Tensor*> tensors;
  collect(self, tensors);
  for (const Argument& argument : arguments) {
    collect(argument.value, tensors);
  }
  for (const Argument& argument : surplus) {
    collect(argument.value, tensors);
  }
  return tensors;
}

Tensor* Call::input(size_t n) const
{
  const std::vector<Tensor*> all = inputs();
  return n < all.size() ? all[n] : nullptr;
}

const Context* Call::within(Context::Kind kind) const
{
  for (const Context* region = context; region != nullptr; region = region->parent) {
    if (region->kind == kind) {
      return region;
    }
  }
  return nullptr;
}

} // namespace faultline::program
