#pragma once

#include "program/domains/dim.hpp"

#include <initializer_list>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

namespace faultline::program {

// The sizes of all axes of a tensor, or unknown rank (top).
class Shape {
public:
  static Shape bottom();
  static Shape top(); // unknown rank
  static Shape scalar() { return of({}); }
  static Shape of(std::vector<Dim> dims);
  static Shape constants(std::initializer_list<int64_t> dims);
  // Known rank, all sizes unknown.
  static Shape of_rank(size_t rank);

  bool is_bottom() const { return m_bottom; }
  bool has_rank() const { return m_dims.has_value(); }
  std::optional<size_t> rank() const;
  const std::vector<Dim>& dims() const; // only if has_rank()

  // The place of `axis` (negative counts from the end) if the rank is known and it is in range.
  std::optional<size_t> axis(int64_t axis) const;
  // The size of that axis; unknown if the rank is unknown or the axis is out of range.
  Dim at(int64_t axis) const;
  Dim elements() const; // product of all sizes; unknown if any is

  Shape with(int64_t axis, Dim dim) const; // replaced; the same if out of range
  Shape inserted(size_t position, Dim dim) const;
  Shape without(size_t position) const;
  Shape behind(size_t first) const;    // dims from `first` on
  Shape plus(const Shape& tail) const; // concatenated; unknown if either rank is

  // All of both known and equal, provably different somewhere, or undecided.
  Dim::Comparison compare(const Shape& other) const;

  Effect join(const Shape& other);
  Effect widen(const Shape& other) { return join(other); }
  bool contains(const Shape& other) const;

  std::string text() const; // "(B, 28, 28, 1)", "(B,)", "()", "unknown shape"
  friend bool operator==(const Shape&, const Shape&) = default;
  friend std::ostream& operator<<(std::ostream& os, const Shape& s) { return os << s.text(); }

private:
  bool m_bottom = false;
  std::optional<std::vector<Dim>> m_dims;
};

// Two shapes aligned at the right, as NumPy and all frameworks do it.
struct Broadcast {
  enum class Outcome { fits, impossible, undecided } outcome = Outcome::undecided;
  Shape shape;
  bool both_grow =
      false;       // each operand has an axis of size 1 (or missing) that the other stretches
  Dim left, right; // the sizes that clash, if impossible
};
Broadcast broadcast(const Shape& a, const Shape& b);

} // namespace faultline::program
