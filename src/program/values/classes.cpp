#include "program/values/classes.hpp"

#include "program/values/walk.hpp"

namespace faultline::program {

Ref find_in_class(const Class& klass, std::string_view name)
{
  return walk(&klass, Ref(nullptr), [name](const Class* one, auto& into) -> Ref {
    if (const auto found = one->attributes.find(name); found != one->attributes.end()) {
      return found->second;
    }
    for (const Ref base : one->bases) {
      if (const Ref found = into(as<Class>(base))) {
        return found;
      }
    }
    return nullptr;
  });
}

} // namespace faultline::program
