#pragma once

// The idioms that the rules about numbers tell apart, so that one mistake is reported once and by
// its own name: log(softmax(x)), log(1 - p), exp(x) / sum(exp(x)) …

#include "rules/numerics/operands.hpp"

namespace faultline::rules::numeric {

// Ranks of the rules that may see the same operation; the most specific is the highest.
constexpr int k_plain_operation = 0;
constexpr int k_known_idiom = 2;      // log(softmax(x))
constexpr int k_known_complement = 3; // log(1 - p)
constexpr int k_known_formula = 4;    // y * log(p)
constexpr int k_broken_guard = 6;

bool is_logarithm(const Call& call); // of any base

// The operand of a logarithm that reaches 0 or less, in code that learns or prepares data, without
// a check of the program's own. Nothing if the logarithm is safe, or not known to be unsafe.
std::optional<Operand> unsafe_logarithm(const Program& program, const Call& call);

// p of `1 - p`; null if it is none.
const Tensor* complemented(const Tensor* tensor);
// The softmax or sigmoid whose output `tensor` holds; null if it is none.
const Call* probability_source(const Tensor* tensor);
// What the danger of a logarithm of `tensor` comes from: p itself for p and for 1 - p.
const Tensor* danger_origin(const Tensor* tensor);

// The square of something, written as x ** 2, x * x, square(x): that something; null if it is none.
const Tensor* squared(const Tensor* tensor);
// A reduction of exponentials gave `tensor`: the call of exp; null if it is none.
const Call* summed_exponential(const Tensor* tensor);
// The exponent had its maximum subtracted, so that nothing overflows.
bool is_shifted_by_maximum(const Call& exponential);

// exp(x) / sum(exp(x)): the call of exp in the numerator; null if `division` is no such softmax.
const Call* hand_written_softmax(const Call& division);
// log(sum(exp(x))): the call of exp; null if `logarithm` is none.
const Call* hand_written_logsumexp(const Call& logarithm);

// Nothing bounds the exponent of a hand-written softmax or log-sum-exp, so that it may overflow.
struct UnboundedExponent {
  double limit = 0;                   // exp of more overflows
  Severity severity = Severity::info; // warning if it is known to, where something learns
};
std::optional<UnboundedExponent> unbounded_exponent(const Call& formula, const Call& exponential);

// The tensor whose Euclidean length `tensor` is, by a library's norm or written out; null if none.
const Tensor* normed(const Tensor* tensor);
// The call that measured the spread of which `tensor` is the standard deviation; null if none.
const Call* deviation_source(const Tensor* tensor);
// The call that compared values, if `tensor` is a mask or is computed from masks only.
const Call* mask_source(const Tensor* tensor);

// A plain number is added: the other operand; null if `tensor` is no such sum.
const Tensor* without_offset(const Tensor* tensor, double* offset = nullptr);

} // namespace faultline::rules::numeric
