// Must not compile, and must say why: the test structure.unknown_label.
#include "source/label.hpp"

constexpr faultline::source::FaultType k_type = "api/missing-api-cal";
