#include "program/libraries/shared/answers.hpp"

namespace faultline::program::answers {

Ref number(Machine& machine, Call& /*call*/)
{
  return machine.number(Interval::top());
}

Ref positive(Machine& machine, Call& /*call*/)
{
  return machine.number(Interval::of(0, Interval::k_inf));
}

Ref share(Machine& machine, Call& /*call*/)
{
  return machine.number(Interval::of(0, 1));
}

Ref count(Machine& machine, Call& /*call*/)
{
  return machine.number(Interval::of(0, Interval::k_inf), true);
}

Ref truth(Machine& machine, Call& /*call*/)
{
  return machine.truth();
}

Ref text(Machine& machine, Call& /*call*/)
{
  return machine.text();
}

Ref texts(Machine& machine, Call& /*call*/)
{
  return machine.open_list(machine.text());
}

Ref dict(Machine& machine, Call& /*call*/)
{
  Dict* made = machine.dict();
  made->open = true;
  return made;
}

Ref none(Machine& machine, Call& /*call*/)
{
  return machine.none();
}

Ref pi(Machine& machine, Call& /*call*/)
{
  return machine.real(3.14159265358979323846);
}

Ref e(Machine& machine, Call& /*call*/)
{
  return machine.real(2.71828182845904523536);
}

Ref infinity(Machine& machine, Call& /*call*/)
{
  return machine.real(Interval::k_inf);
}

Ref itself(Machine& machine, Call& call)
{
  return call.self != nullptr ? call.self : machine.unknown();
}

} // namespace faultline::program::answers
