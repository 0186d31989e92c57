#pragma once

namespace faultline::cli {

// Read the command line, do what it says, give the exit status.
int run_app(int argc, char** argv);

} // namespace faultline::cli
