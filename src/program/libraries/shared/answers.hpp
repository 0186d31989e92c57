#pragma once

// Transfer functions that answer the same whatever a name is called with.

#include "program/machine/machine.hpp"

namespace faultline::program::answers {

Ref number(Machine& machine, Call& call);   // of which nothing is known
Ref positive(Machine& machine, Call& call); // or 0
Ref share(Machine& machine, Call& call);    // from 0 to 1
Ref count(Machine& machine, Call& call);    // a whole number, not negative
Ref truth(Machine& machine, Call& call);
Ref text(Machine& machine, Call& call);
Ref texts(Machine& machine, Call& call); // a list, of unknown length
Ref dict(Machine& machine, Call& call);  // with unknown entries
Ref none(Machine& machine, Call& call);

Ref pi(Machine& machine, Call& call);
Ref e(Machine& machine, Call& call);
Ref infinity(Machine& machine, Call& call);

Ref itself(Machine& machine, Call& call); // the object whose method is called

} // namespace faultline::program::answers
