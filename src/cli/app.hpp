#pragma once

namespace faultline::cli {

// Parse the command line, run the command, return the exit status.
int run_app(int argc, char** argv);

} // namespace faultline::cli
