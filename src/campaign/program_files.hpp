#pragma once

#include "base/file.hpp"
#include "campaign/spec.hpp"

namespace faultline::campaign {

// What a run is given of the program's folder: all its files but the campaign file itself and the
// folders of campaigns (`--out`), so that neither can change what the program does.
Result<FileTree> program_files(const Spec& spec);

} // namespace faultline::campaign
