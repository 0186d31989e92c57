#pragma once

namespace faultline::program {

class Machine;

// Build each model that nothing built yet, as fit would.
void build_models(Machine& machine);

} // namespace faultline::program
