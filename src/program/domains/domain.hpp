#pragma once

// A domain is a plain value with a lattice: bottom says "no value reaches here", top says "could be
// anything". One generic test (tests/program/domains/laws_test.cpp) checks the laws for all of
// them.

#include <concepts>
#include <ostream>

namespace faultline::program {

enum class Effect { unchanged, changed };

template <typename D>
concept Domain = std::equality_comparable<D> && requires(D d, const D& other, std::ostream& os)
{
  {
    D::bottom()
    } -> std::same_as<D>;
  {
    D::top()
    } -> std::same_as<D>;
  {
    d.join(other)
    } -> std::same_as<Effect>; // *this becomes the least upper bound
  {
    d.widen(other)
    } -> std::same_as<Effect>; // like join, but chains of it are finite
  {
    other.contains(other)
    } -> std::same_as<bool>; // a.contains(b): b ⊑ a
  {
    os << other
    } -> std::same_as<std::ostream&>;
};

} // namespace faultline::program
