#include "base/result.hpp"

#include <cstdlib>
#include <iostream>

namespace faultline {

void assertion_failed(const char* condition, std::string_view why, const char* file, int line)
{
  std::cerr << "faultline: internal error: " << why << " (" << condition << " at " << file << ':'
            << line << ")\n";
  std::abort();
}

} // namespace faultline
