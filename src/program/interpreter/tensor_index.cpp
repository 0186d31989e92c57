#include "program/interpreter/tensor_index.hpp"

#include "base/format.hpp"

#include <algorithm>
#include <cmath>
#include <span>

namespace faultline::program {

// The size of axis `size` after [from:to:step]; unknown where a bound is.
static Dim sliced(const Machine& machine, const Dim& size, const Slice& slice, bool of_samples)
{
  const std::optional<int64_t> step =
      machine.is_none(slice.step) ? std::optional<int64_t>(1) : machine.to_int(slice.step);
  const bool from_start = machine.is_none(slice.from);
  const bool to_end = machine.is_none(slice.to);
  constexpr int64_t k_longest_step = int64_t{1} << 40; // of no use, but sums must not overflow
  if (!step || *step == 0 || *step > k_longest_step || *step < -k_longest_step) {
    return Dim::top();
  }
  if (from_start && to_end) {
    return *step == 1 || *step == -1 ? size : size.ceil_div(std::abs(*step));
  }
  if (*step < 0) {
    return Dim::top();
  }
  const std::optional<int64_t> whole = size.constant();
  const std::optional<int64_t> from =
      from_start ? std::optional<int64_t>(0) : machine.to_int(slice.from);
  const std::optional<int64_t> to = to_end ? std::nullopt : machine.to_int(slice.to);
  if (!whole) {
    // Of an axis that is not known: x[n:] and x[:-n] leave out n, and we take them to be there.
    if (to_end && from && *from >= 0) {
      return size.minus(Dim::constant(*from)).ceil_div(*step);
    }
    if (from_start && to && *to < 0) {
      return size.plus(Dim::constant(*to)).ceil_div(*step);
    }
    // Columns that are asked for by number exist; of samples there may be fewer.
    const int64_t count = to.value_or(-1) - from.value_or(0);
    if (!of_samples && from && *from >= 0 && to && count >= 0) {
      return Dim::constant(count).ceil_div(*step);
    }
    return Dim::top();
  }
  if (!from || (!to_end && !to)) {
    return Dim::top();
  }
  const auto clip = [&](int64_t place) {
    return std::clamp<int64_t>(place < 0 ? place + *whole : place, 0, *whole);
  };
  const int64_t first = clip(*from);
  const int64_t last = clip(to.value_or(*whole));
  return Dim::constant(last > first ? (last - first + *step - 1) / *step : 0);
}

// x[x >= 5] holds no number below 5; nothing if the selection says nothing of the values.
static std::optional<Interval> selected(const Machine& machine, const Tensor& tensor, Ref index)
{
  const auto* mask = as<Tensor>(index);
  const Call* test = mask != nullptr ? mask->producer : nullptr;
  const std::optional<double> limit = test != nullptr && test->arg("a") == &tensor
                                          ? machine.to_double(test->arg("b"))
                                          : std::nullopt;
  if (!limit || !tensor.interval.is_known()) {
    return std::nullopt;
  }
  const bool whole = tensor.dtype.is_integer() && std::floor(*limit) == *limit;
  const double beyond = whole ? 1 : 0;
  std::optional<double> low;
  std::optional<double> high;
  if (test->is("greater_equal") || test->is("equal")) {
    low = *limit;
  } else if (test->is("greater")) {
    low = *limit + beyond;
  }
  if (test->is("less_equal") || test->is("equal")) {
    high = *limit;
  } else if (test->is("less")) {
    high = *limit - beyond;
  }
  return low || high ? std::optional(tensor.interval.clipped(low, high)) : std::nullopt;
}

// Which classes a selection still holds is not known; of images it holds some.
static void forget_selected(const Machine& machine, Tensor& made, const Tensor& from, Ref index)
{
  if (made.encoding != Encoding::image) {
    made.interval = selected(machine, from, index).value_or(Interval::top());
    made.classes = 0;
  }
}

// TensorFlow takes numbers and slices only; a mask is converted, so it is left alone.
static void
refuse_index_array(Machine& machine, const Tensor& tensor, const Shape& index, Call& call)
{
  const bool refuses = tensor.library == Library::tensorflow && index.rank().value_or(0) > 0;
  if (refuses) {
    Problem& problem =
        machine.problem(ProblemKind::index,
                        call.span,
                        "a tensor of TensorFlow cannot be indexed by a list or array",
                        &call);
    problem.help = "select with `tf.gather(tensor, indices, axis=...)`";
  }
}

static bool is_ellipsis(Ref part)
{
  const auto* name = as<ApiName>(part);
  return name != nullptr && name->path == "builtins.Ellipsis";
}

// Stands for an axis that there is, and for one only.
static bool takes_axis(Ref part)
{
  const auto* name = as<ApiName>(part);
  const bool is_new_axis =
      part->kind == Kind::none || (name != nullptr && name->path.ends_with(".newaxis"));
  return !is_ellipsis(part) && !is_new_axis;
}

// A column of a frame, a mask of the same rank: not an axis by position.
static bool selects_elements(const Machine& m, Ref index)
{
  const auto* mask = as<Tensor>(index);
  return m.to_string(index) || index->kind == Kind::unknown ||
         (mask != nullptr && mask->dtype == DType(DType::Kind::boolean) &&
          mask->shape.rank() != std::optional<size_t>(1));
}

namespace {

// The axes of `made`, which is `tensor` indexed by one part after the other.
struct Selection {
  Machine& m;
  Call& call;
  const Tensor& tensor;
  Tensor& made;
  std::vector<Dim> dims = {};
  size_t axis = 0;     // the next one of `tensor`
  bool listed = false; // several index arrays make one axis

  void keep(size_t count);
  bool take(Ref part); // false if what is left is not known
  bool take_array(Tensor& array);
};

void Selection::keep(size_t count)
{
  for (size_t i = 0; i < count; ++i) {
    dims.push_back(tensor.shape.dims()[axis++]);
  }
}

bool Selection::take(Ref part)
{
  const Dim size = tensor.shape.dims()[axis++];
  if (const std::optional<int64_t> at = m.to_int(part); at && part->kind == Kind::constant) {
    const std::optional<int64_t> whole = size.constant();
    if (whole && (*at >= *whole || *at < -*whole)) {
      m.problem(ProblemKind::index,
                call.span,
                format("index {} is outside of axis {} of size {}", *at, axis - 1, *whole),
                &call);
    }
  } else if (const auto* slice = as<Slice>(part)) {
    dims.push_back(sliced(m, size, *slice, axis == 1));
  } else if (part->kind == Kind::number) {
    // An index that is not known still drops the axis.
  } else if (auto* array = as<Tensor>(part)) {
    return take_array(*array);
  } else if (const auto* list = as<Sequence>(part)) {
    refuse_index_array(m, tensor, Shape::of_rank(1), call);
    if (!listed) {
      dims.push_back(list->length());
      listed = true;
    }
  } else {
    return false;
  }
  return true;
}

bool Selection::take_array(Tensor& array)
{
  if (array.dtype == DType(DType::Kind::boolean)) {
    dims.push_back(m.fresh_symbol());
    forget_selected(m, made, tensor, &array);
    return true;
  }
  if (!array.dtype.is_unknown()) {
    refuse_index_array(m, tensor, array.shape, call);
  }
  if (listed) {
    return true;
  }
  if (array.shape.has_rank()) {
    dims.insert(dims.end(), array.shape.dims().begin(), array.shape.dims().end());
    listed = true;
  }
  return listed;
}

} // namespace

// Nothing if the result has an unknown shape.
static std::optional<Shape> selected_shape(
    Machine& m, Call& call, const Tensor& tensor, std::span<const Ref> parts, Tensor& made)
{
  if (parts.size() == 1 && selects_elements(m, parts.front())) {
    forget_selected(m, made, tensor, parts.front());
    return std::nullopt;
  }
  // Two ellipses are an error wherever the program runs.
  if (!tensor.shape.has_rank() || std::ranges::count_if(parts, is_ellipsis) > 1) {
    return std::nullopt;
  }
  const size_t rank = *tensor.shape.rank();
  const auto taken = static_cast<size_t>(std::ranges::count_if(parts, takes_axis));
  if (taken > rank) {
    m.problem(ProblemKind::index,
              call.span,
              format("{} indices for a tensor of shape {}", taken, tensor.shape.text()),
              &call);
    return std::nullopt;
  }
  Selection selection{m, call, tensor, made};
  for (const Ref part : parts) {
    if (is_ellipsis(part)) {
      selection.keep(rank - taken);
    } else if (!takes_axis(part)) {
      selection.dims.push_back(Dim::constant(1));
    } else if (!selection.take(part)) {
      return std::nullopt;
    }
  }
  if (std::ranges::none_of(parts, is_ellipsis)) {
    selection.keep(rank - selection.axis);
  }
  return Shape::of(std::move(selection.dims));
}

Ref index_tensor(Machine& m, Tensor& tensor, Ref index, Call& call)
{
  if (call.arguments.empty()) {
    call.arguments = {{.name = "a", .value = &tensor, .span = call.span, .given = true}};
  }
  Tensor* made = m.like(call, tensor);
  made->literal = nullptr;
  std::vector<Ref> parts = {index};
  if (const auto* several = as<Sequence>(index);
      several != nullptr && several->type == Sequence::Type::tuple) {
    parts = several->items;
  }
  made->shape = selected_shape(m, call, tensor, parts, *made).value_or(Shape::top());
  return made;
}

} // namespace faultline::program
