#pragma once

// Small questions about a program that several rules ask. One more belongs here as soon as a second
// rule needs it.

#include "rules/rule.hpp"

#include <optional>
#include <string>

namespace faultline::rules {

class Reporter;

// Report each problem of that kind: the models found it, the rule gives it a code.
void report_problems(const Program& program, Reporter& report, program::ProblemKind kind);

// The call that gave `tensor` its values: operations that only move elements (reshape, squeeze,
// permute) or leave them alone (dropout, casts, copies) are passed over. Null if data or a
// parameter is reached, or `tensor` is null.
const Call* value_producer(const Tensor* tensor);

// The white space in front of `span` if nothing else stands there on its line.
std::optional<std::string> indentation(const Program& program, Span span);

// What a call reads as in a message: "nn.Softmax", "F.softmax", "softmax".
std::string written(const Program& program, const Call& call);

} // namespace faultline::rules
