#include "cli/app.hpp"

int main(int argc, char** argv)
{
  return faultline::cli::run_app(argc, argv);
}
