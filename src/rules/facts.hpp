#pragma once

// Small questions about a program that several rules ask. One more belongs here as soon as a second
// rule needs it.

#include "rules/rule.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace faultline::rules {

class Draft;
class Reporter;

// Report each problem of that kind: the models found it, the rule gives it a code.
void report_problems(const Program& program, Reporter& report, program::ProblemKind kind);

// A rule's check that is nothing else.
template <program::ProblemKind kind> void check_problems(const Program& program, Reporter& report)
{
  report_problems(program, report, kind);
}

// Say where `data` were loaded, if that is known.
void note_loader(Draft& draft, const Tensor& data);

// The last character: in front of it goes what is added to a call or to a text in quotes.
Span last_character(Span span);

// The call that gave `tensor` its values: operations that only move elements (reshape, squeeze,
// permute) or leave them alone (dropout, casts, copies) are passed over. Null if data or a
// parameter is reached, or `tensor` is null.
const Call* value_producer(const Tensor* tensor);

// The white space in front of `span` if nothing else stands there on its line.
std::optional<std::string> indentation(const Program& program, Span span);

// What a call reads as in a message: "nn.Softmax", "F.softmax", "softmax".
std::string written(const Program& program, const Call& call);
// The same of a loss: `'mse'` of compile, `nn.MSELoss` of a call. Nothing if what is written is
// long.
std::optional<std::string> written_loss(const Program& program, const LossUse& use);

// A cross entropy between classes, whose labels are one-hot or indices.
bool is_categorical(program::LossKind kind);
// The number of outputs of what a loss is given, along the axis of classes.
std::optional<int64_t> output_width(const LossUse& use);

} // namespace faultline::rules
