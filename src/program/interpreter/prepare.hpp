#pragma once

namespace faultline::program {

// Builds what every analysis needs (the registry of names, mainly), so that the first one does not
// take longer than the others.
void prepare();

} // namespace faultline::program
