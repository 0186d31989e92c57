#pragma once

#include "evaluate/subject.hpp"
#include "evaluate/verdict.hpp"

#include <string>

namespace faultline::evaluate {

// Why a tool missed a fault, or what it got right, in one sentence without a full stop: "said at
// another place: the nearest is train.py:12, 5 lines from the right one; the type is …, not …".
std::string reason_for(const Judgement& judgement, const Subject& subject);

} // namespace faultline::evaluate
