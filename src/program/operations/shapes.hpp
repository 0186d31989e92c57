#pragma once

// The shape rules that all frameworks share, as pure functions: shapes in, a shape or what is wrong
// out. Unknown in, unknown out: what is not known is never wrong. Axes count from the end when
// negative.

#include "program/domains/shape.hpp"
#include "program/record/program.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace faultline::program {

struct Wrong {
  ProblemKind kind;
  std::string message; // lower case, with the concrete values seen
  std::string help = {};
};

// A shape (unknown if something is wrong), and what is wrong if something is.
struct Shaped {
  Shape shape = Shape::top();
  std::optional<Wrong> wrong = std::nullopt;

  Shaped(Shape known) : shape(std::move(known)) {}
  Shaped(Wrong what) : wrong(std::move(what)) {}
};

// Of two sizes that must be equal, the one that says more.
Dim better_known(const Dim& a, const Dim& b);
Shape better_known(const Shape& a, const Shape& b); // axis by axis; `a` if the ranks differ

// --- Windows that slide: convolution, pooling, unfolding (shapes_window.cpp). ---

struct Window {
  int64_t kernel = 1;
  int64_t stride = 1;
  int64_t dilation = 1;
  int64_t before = 0; // padding
  int64_t after = 0;
  bool same = false;     // the padding that makes the result ceil(n / stride)
  bool round_up = false; // torch's ceil_mode
};

Dim window_size(const Dim& n, const Window& window);
// torch's formula; `extra` is output_padding.
Dim transposed_size(const Dim& n, const Window& window, int64_t extra);

// Axes `first`, `first` + 1 … each under its window. No windows: those `count` axes become unknown.
Shaped slide(const Shape& input,
             size_t first,
             size_t count,
             const std::optional<std::vector<Window>>& windows);
Shaped slide_transposed(const Shape& input,
                        size_t first,
                        size_t count,
                        const std::optional<std::vector<Window>>& windows,
                        const std::vector<int64_t>& extra);
// Axes `first` … grow by `factors`.
Shape upsampled(const Shape& input, size_t first, std::span<const double> factors);
// Padding in front of and behind the axes `first` …; negative crops.
Shaped
padded(const Shape& input, size_t first, std::span<const std::pair<int64_t, int64_t>> amounts);

// --- The same elements in another shape (shapes_reshape.cpp). ---

// `to` may hold one -1.
Shaped reshaped(const Shape& from, const std::vector<Dim>& to);
Shaped flattened(const Shape& input, int64_t first_axis, int64_t last_axis);
Shaped transposed(const Shape& input, int64_t a, int64_t b);
Shaped permuted(const Shape& input, std::span<const int64_t> order);
Shaped moved(const Shape& input, int64_t from, int64_t to); // numpy.moveaxis
Shaped with_new_axis(const Shape& input, int64_t axis);     // negative counts in the result
// Without the axis; an axis that is surely not 1 stays (torch) and is not wrong here. Size unknown:
// the rank is unknown.
Shaped squeezed(const Shape& input, int64_t axis);
Shape squeezed(const Shape& input); // all axes of size 1; unknown sizes make the rank unknown

// --- Several tensors (shapes_merge.cpp). ---

struct Combined {
  Shaped result;
  bool both_grow = false;
};
Combined combined(const Shape& a, const Shape& b); // element-wise, broadcast
Shaped concatenated(std::span<const Shape> shapes, int64_t axis);
Shaped stacked(std::span<const Shape> shapes, int64_t axis);
Shaped matrix_product(const Shape& a, const Shape& b); // torch.matmul, tf.matmul, numpy.matmul
Shaped dot_product(const Shape& a, const Shape& b);    // numpy.dot
Shaped tensor_product(const Shape& a,
                      const Shape& b,
                      std::span<const int64_t> axes_a,
                      std::span<const int64_t> axes_b); // tensordot
Shaped einsum(std::string_view equation, std::span<const Shape> shapes);
// A matrix (…, n, n) is wanted.
std::optional<Wrong> not_square(const Shape& input, std::string_view what);

// --- Fewer or other elements (shapes_select.cpp). ---

// No axes: all of them.
Shaped reduced(const Shape& input, const std::optional<std::vector<int64_t>>& axes, bool keep);
std::optional<Wrong> axis_out_of_range(const Shape& input, int64_t axis, std::string_view what);
Shaped expanded(const Shape& input, const std::vector<Dim>& sizes); // -1 keeps; grows only from 1
Shaped broadcast_to(const Shape& input, const Shape& target);
Shape tiled(const Shape& input, const std::vector<Dim>& counts);       // ranks aligned at the right
Shaped gathered(const Shape& input, int64_t axis, const Shape& index); // torch.gather
Shaped taken(const Shape& input, int64_t axis, const Shape& index);    // numpy.take, tf.gather
// Parts of the given sizes along an axis.
std::vector<Shape> split_into(const Shape& input, int64_t axis, std::span<const Dim> sizes);
// At most `count` parts as torch.chunk makes them; nothing if the size is not known.
std::optional<std::vector<Dim>> chunk_sizes(const Dim& n, int64_t count);
std::optional<std::vector<Dim>> split_sizes(const Dim& n, int64_t size); // the last may be smaller

// --- Indexing (shapes_index.cpp). ---

// One part of `x[…]`.
struct Index {
  enum class Kind : uint8_t { integer, slice, new_axis, ellipsis, mask, array, unknown };
  Kind kind = Kind::unknown;
  Dim at = Dim::top(); // integer: its value; mask: how many elements it selects
  // Slice bounds: nothing if left out, unknown if not known.
  std::optional<Dim> from = std::nullopt;
  std::optional<Dim> to = std::nullopt;
  std::optional<Dim> step = std::nullopt;
  Shape shape = Shape::top(); // of a mask or array of indices
};
Dim slice_size(const Dim& n, const Index& slice);
Shaped indexed(const Shape& input, std::span<const Index> parts);

} // namespace faultline::program
