// Some of the elements, several tensors in one, one tensor in several.

#include "base/format.hpp"
#include "program/libraries/shared/arrays.hpp"
#include "program/libraries/shared/operators.hpp"
#include "program/libraries/shared/structure.hpp"
#include "program/libraries/torch/torch.hpp"
#include "program/names/tables.hpp"
#include "program/operations/intervals.hpp"
#include "program/operations/relations.hpp"

namespace faultline::program {

namespace torch {

namespace {

// The tensors of a list, and whether the list is known to the end.
struct Group {
  std::vector<Tensor*> tensors;
  bool closed = true;
};

Group tensors_in(Machine& machine, const Call& call, std::string_view name)
{
  Group group;
  const Argument* list = call.argument(name);
  std::vector<Ref> items;
  if (list != nullptr && as<Sequence>(list->value) != nullptr) {
    const auto* sequence = as<Sequence>(list->value);
    items = sequence->items;
    group.closed = !sequence->open;
    if (sequence->open && sequence->rest != nullptr) {
      items.push_back(sequence->rest);
    }
  } else if (list != nullptr) {
    group.closed = false;
    if (as<Tensor>(list->value) != nullptr) {
      items.push_back(list->value);
    }
  }
  for (const Ref item : items) {
    group.tensors.push_back(&as_tensor(machine, item));
  }
  return group;
}

Interval hull(const std::vector<Tensor*>& tensors)
{
  Interval all = Interval::bottom();
  for (const Tensor* tensor : tensors) {
    all.join(tensor->interval);
  }
  return all.is_bottom() ? Interval::top() : all;
}

DType common_type(const std::vector<Tensor*>& tensors)
{
  DType common = tensors.front()->dtype;
  for (const Tensor* tensor : tensors) {
    common = DType::promoted(common, tensor->dtype);
  }
  return common;
}

void check_devices(Machine& machine, Call& call, const std::vector<Tensor*>& tensors)
{
  for (const Tensor* tensor : tensors) {
    if (devices_clash(*tensors.front(), *tensor) && !defaults_changed(machine)) {
      machine.problem(ProblemKind::device,
                      call.span,
                      format("a tensor on {} meets one on {}",
                             tensors.front()->device.text(),
                             tensor->device.text()),
                      &call);
      return;
    }
  }
}

Tensor* merged(Machine& machine, Call& call, const Group& group, Shape shape)
{
  if (group.tensors.empty()) {
    return result(machine, call, as_tensor(machine, nullptr), Shape::top());
  }
  check_devices(machine, call, group.tensors);
  Tensor* made =
      result(machine, call, *group.tensors.front(), std::move(shape), hull(group.tensors));
  made->dtype = common_type(group.tensors);
  const Tensor& first = *group.tensors.front();
  bool alike = true;
  for (const Tensor* tensor : group.tensors) {
    alike = alike && tensor->encoding == first.encoding && tensor->source == first.source;
  }
  if (alike) {
    made->encoding = first.encoding;
    made->source = first.source;
    made->classes = first.classes;
  }
  return made;
}

} // namespace

static Ref cat(Machine& machine, Call& call)
{
  const Group group = tensors_in(machine, call, "tensors");
  const auto axis = int_option(machine, call, {"dim", "axis"});
  Shape shape = Shape::top();
  if (axis && !group.tensors.empty()) {
    Shaped joined = concatenated(shapes_of(group.tensors), *axis);
    if (joined.wrong && joined.wrong->kind == ProblemKind::concat) {
      for (const Tensor* tensor : group.tensors) {
        if (tensor->shape.rank().value_or(0) >= 3 && is_resized(tensor)) {
          joined.wrong->kind = ProblemKind::skip_size;
        }
      }
    }
    shape = checked(machine, call, joined, call.span);
    if (!group.closed) {
      shape = shape.with(*axis, Dim::top());
    }
  }
  return merged(machine, call, group, shape);
}

static Ref stack(Machine& machine, Call& call)
{
  const Group group = tensors_in(machine, call, "tensors");
  const auto axis = int_option(machine, call, {"dim", "axis"});
  Shape shape = Shape::top();
  if (axis && !group.tensors.empty()) {
    shape = checked(machine, call, stacked(shapes_of(group.tensors), *axis), call.span);
    if (!group.closed) {
      shape = shape.with(*axis, machine.fresh_symbol());
    }
  }
  return merged(machine, call, group, shape);
}

// hstack, vstack, dstack: the number is the axis once all have as many axes as are needed.
static Ref stack_along(Machine& machine, Call& call)
{
  const Group group = tensors_in(machine, call, "tensors");
  std::vector<Shape> shapes = shapes_of(group.tensors);
  int64_t axis = call.api->number;
  for (Shape& shape : shapes) {
    if (!shape.has_rank()) {
      return merged(machine, call, group, Shape::top());
    }
    if (axis == 1 && *shape.rank() == 1) {
      axis = 0; // vectors are joined end to end
    }
    if (call.api->number == 0 && *shape.rank() == 1) {
      shape = shape.inserted(0, Dim::constant(1));
    }
  }
  Shape shape = Shape::top();
  if (group.closed && call.api->number < 2) {
    shape = checked(machine, call, concatenated(shapes, axis), call.span);
  }
  return merged(machine, call, group, shape);
}

static Ref pieces(Machine& machine,
                  Call& call,
                  const Tensor& input,
                  int64_t axis,
                  const std::optional<std::vector<Dim>>& parts)
{
  if (!parts) {
    return machine.open_list(moved(machine, call, input, input.shape.with(axis, Dim::top())));
  }
  std::vector<Ref> items;
  for (const Shape& shape : split_into(input.shape, axis, *parts)) {
    items.push_back(moved(machine, call, input, shape));
  }
  return machine.tuple(std::move(items));
}

static Ref chunk(Machine& machine, Call& call)
{
  const Tensor& input = input_of(machine, call);
  const int64_t axis = int_option(machine, call, {"dim"}).value_or(0);
  const auto count = int_option(machine, call, {"chunks", "sections"});
  if (const auto wrong = axis_out_of_range(input.shape, axis, short_name(call))) {
    checked(machine, call, *wrong, call.span);
    return machine.open_list(moved(machine, call, input, Shape::top()));
  }
  return pieces(
      machine, call, input, axis, count ? chunk_sizes(input.shape.at(axis), *count) : std::nullopt);
}

static Ref split(Machine& machine, Call& call)
{
  const Tensor& input = input_of(machine, call);
  const int64_t axis = int_option(machine, call, {"dim"}).value_or(0);
  const Ref how = option(call, {"split_size_or_sections", "split_size"});
  if (const auto wrong = axis_out_of_range(input.shape, axis, "split")) {
    checked(machine, call, *wrong, call.span);
    return machine.open_list(moved(machine, call, input, Shape::top()));
  }
  if (const auto size = machine.to_int(how)) {
    return pieces(machine, call, input, axis, split_sizes(input.shape.at(axis), *size));
  }
  const auto parts = as<Sequence>(how) != nullptr ? machine.to_dims(how) : std::nullopt;
  if (parts) {
    Dim total = Dim::constant(0);
    for (const Dim& part : *parts) {
      total = total.plus(part);
    }
    if (total.compare(input.shape.at(axis)) == Dim::Comparison::different) {
      machine.problem(ProblemKind::reshape,
                      call.span,
                      format("parts of {} elements do not make up axis {} of {}",
                             total.text(),
                             axis,
                             input.shape.text()),
                      &call);
    }
  }
  return pieces(machine, call, input, axis, parts);
}

static Ref unbind(Machine& machine, Call& call)
{
  constexpr int64_t k_most = 256;
  const Tensor& input = input_of(machine, call);
  const int64_t axis = int_option(machine, call, {"dim"}).value_or(0);
  const auto place = input.shape.axis(axis);
  const Shape one = place ? input.shape.without(*place) : Shape::top();
  const auto count = input.shape.at(axis).constant();
  if (!count || *count > k_most) {
    return machine.open_list(moved(machine, call, input, one));
  }
  std::vector<Ref> items;
  for (int64_t i = 0; i < *count; ++i) {
    items.push_back(moved(machine, call, input, one));
  }
  return machine.tuple(std::move(items));
}

static Ref narrow(Machine& machine, Call& call)
{
  const Tensor& input = input_of(machine, call);
  const auto axis = int_option(machine, call, {"dim"});
  return moved(machine,
               call,
               input,
               axis ? input.shape.with(*axis, machine.to_dim(option(call, {"length"})))
                    : Shape::top());
}

static Ref select(Machine& machine, Call& call)
{
  const Tensor& input = input_of(machine, call);
  const auto axis = int_option(machine, call, {"dim"});
  const auto place = axis ? input.shape.axis(*axis) : std::nullopt;
  return moved(machine, call, input, place ? input.shape.without(*place) : Shape::top());
}

static Ref index_select(Machine& machine, Call& call)
{
  const Tensor& input = input_of(machine, call);
  const Tensor& index = as_tensor(machine, operand_value(call, 2, "index"));
  check_index_type(machine, call, index, operand_span(call, 2, "index"));
  const auto axis = int_option(machine, call, {"dim"});
  return moved(machine,
               call,
               input,
               axis ? checked(machine, call, taken(input.shape, *axis, index.shape), call.span)
                    : Shape::top());
}

static Ref masked_select(Machine& machine, Call& call)
{
  const Tensor& input = input_of(machine, call);
  check_mask_type(machine,
                  call,
                  as_tensor(machine, operand_value(call, 1, "mask")),
                  operand_span(call, 1, "mask"));
  return moved(machine, call, input, Shape::of({machine.fresh_symbol()}));
}

static Ref masked_fill(Machine& machine, Call& call)
{
  const Tensor& input = input_of(machine, call);
  const Tensor& mask = as_tensor(machine, operand_value(call, 1, "mask"));
  check_mask_type(machine, call, mask, operand_span(call, 1, "mask"));
  const Combined both = combined(input.shape, mask.shape);
  Tensor* made = moved(
      machine, call, input, checked(machine, call, both.result, operand_span(call, 1, "mask")));
  made->interval = joined(input.interval, machine.to_interval(operand_value(call, 2, "value")));
  made->contiguous = input.contiguous;
  return made;
}

static Ref gather(Machine& machine, Call& call)
{
  const Tensor& input = input_of(machine, call);
  const Tensor& index = as_tensor(machine, operand_value(call, 2, "index"));
  const Span span = operand_span(call, 2, "index");
  check_index_type(machine, call, index, span);
  const auto axis = int_option(machine, call, {"dim", "axis"});
  return moved(machine,
               call,
               input,
               axis ? checked(machine, call, gathered(input.shape, *axis, index.shape), span)
                    : index.shape);
}

static Ref scatter(Machine& machine, Call& call)
{
  const Tensor& input = input_of(machine, call);
  const Tensor& index = as_tensor(machine, operand_value(call, 2, "index"));
  const Span span = operand_span(call, 2, "index");
  check_index_type(machine, call, index, span);
  if (input.shape.has_rank() && index.shape.has_rank() && *index.shape.rank() > 0 &&
      *input.shape.rank() != *index.shape.rank()) {
    machine.problem(ProblemKind::gather,
                    span,
                    format("`{}` needs an index of the same rank: tensor {}, index {}",
                           short_name(call),
                           input.shape.text(),
                           index.shape.text()),
                    &call);
  }
  Tensor* made = moved(machine, call, input, input.shape);
  made->interval = joined(input.interval, machine.to_interval(operand_value(call, 3, "src")));
  return made;
}

static Ref where(Machine& machine, Call& call)
{
  const Ref condition = operand_value(call, 0, "condition");
  const Ref first = call.arg("input");
  if (first == nullptr || machine.is_none(first)) {
    const Tensor& mask = as_tensor(machine, condition);
    const Dim found = machine.fresh_symbol();
    std::vector<Ref> axes;
    for (size_t i = 0; i < mask.shape.rank().value_or(1); ++i) {
      Tensor* index = result(machine, call, mask, Shape::of({found}));
      index->dtype = DType::Kind::int64;
      axes.push_back(index);
    }
    return mask.shape.has_rank() ? machine.tuple(std::move(axes)) : machine.open_list(axes.front());
  }
  Tensor* made = binary_operation(machine, call, "where", first, call.arg("other"));
  const Combined all = combined(made->shape, as_tensor(machine, condition).shape);
  made->shape = checked(machine, call, all.result, call.span);
  return made;
}

static Ref nonzero(Machine& machine, Call& call)
{
  const Tensor& input = input_of(machine, call);
  const auto rank = input.shape.rank();
  Tensor* made =
      result(machine,
             call,
             input,
             Shape::of({machine.fresh_symbol(),
                        rank ? Dim::constant(static_cast<int64_t>(*rank)) : Dim::top()}));
  made->dtype = DType::Kind::int64;
  if (is_true(machine, call, "as_tuple")) {
    return machine.open_list(moved(machine, call, *made, Shape::of({made->shape.at(0)})));
  }
  return made;
}

static Ref unique(Machine& machine, Call& call)
{
  const Tensor& input = input_of(machine, call);
  const Dim count = machine.fresh_symbol();
  Tensor* values = moved(machine, call, input, Shape::of({count}));
  std::vector<Ref> results = {values};
  if (is_true(machine, call, "return_inverse")) {
    Tensor* inverse = moved(machine, call, input, input.shape);
    inverse->dtype = DType::Kind::int64;
    inverse->interval = Interval::top();
    results.push_back(inverse);
  }
  if (is_true(machine, call, "return_counts")) {
    Tensor* counts = moved(machine, call, input, Shape::of({count}));
    counts->dtype = DType::Kind::int64;
    counts->interval = Interval::of(1, Interval::k_inf);
    results.push_back(counts);
  }
  return results.size() == 1 ? results.front() : static_cast<Ref>(machine.tuple(results));
}

// Values and their places.
static Ref sorted(Machine& machine, Call& call)
{
  const Tensor& input = input_of(machine, call);
  Shape shape = input.shape;
  if (call.is("topk")) {
    const int64_t axis = int_option(machine, call, {"dim"}).value_or(-1);
    shape = shape.with(axis, machine.to_dim(option(call, {"k"})));
    const auto size = input.shape.at(axis).constant();
    const auto asked = int_option(machine, call, {"k"});
    if (size && asked && *asked > *size) {
      machine.problem(ProblemKind::index,
                      call.span,
                      format("the {} largest of {} elements along axis {} of {}",
                             *asked,
                             *size,
                             axis,
                             input.shape.text()),
                      &call);
    }
  }
  Tensor* values = moved(machine, call, input, shape);
  Tensor* places = result(machine, call, input, shape);
  places->dtype = DType::Kind::int64;
  places->requires_grad = Truth::no;
  return machine.tuple({values, places});
}

static Ref argsort(Machine& machine, Call& call)
{
  const Tensor& input = input_of(machine, call);
  Tensor* made = result(machine, call, input, input.shape);
  made->dtype = DType::Kind::int64;
  made->requires_grad = Truth::no;
  return made;
}

static Ref diagonal(Machine& machine, Call& call)
{
  const Tensor& input = input_of(machine, call);
  Shape shape = Shape::top();
  if (input.shape.rank() == 1) {
    shape = Shape::of({input.shape.at(0), input.shape.at(0)});
  } else if (input.shape.rank() == 2) {
    shape = Shape::of({input.shape.at(0).compare(input.shape.at(1)) == Dim::Comparison::equal
                           ? input.shape.at(0)
                           : Dim::top()});
  }
  Tensor* made = moved(machine, call, input, shape);
  if (input.shape.rank() == 1) {
    made->interval = joined(input.interval, Interval::point(0));
  }
  return made;
}

static Ref fewer(Machine& machine, Call& call)
{
  return moved(machine, call, input_of(machine, call), Shape::of_rank(1));
}

static Ref meshgrid(Machine& machine, Call& call)
{
  std::vector<Ref> inputs;
  for (const Argument& argument : call.surplus) {
    if (argument.name == "*") {
      return machine.open_list(machine.unknown());
    }
    if (argument.name.empty()) {
      inputs.push_back(argument.value);
    }
  }
  if (inputs.size() == 1 && as<Sequence>(inputs.front()) != nullptr) {
    inputs = machine.items_of(inputs.front());
  }
  std::vector<Dim> dims;
  for (const Ref input : inputs) {
    dims.push_back(as_tensor(machine, input).shape.elements());
  }
  const auto indexing = machine.to_string(option(call, {"indexing"}));
  if (indexing == "xy" && dims.size() >= 2) {
    std::swap(dims[0], dims[1]);
  }
  std::vector<Ref> grids;
  for (const Ref input : inputs) {
    grids.push_back(moved(machine, call, as_tensor(machine, input), Shape::of(dims)));
  }
  return machine.tuple(std::move(grids));
}

static Ref broadcast_tensors(Machine& machine, Call& call)
{
  Shape shape = Shape::scalar();
  std::vector<Ref> results;
  for (const Argument& argument : call.surplus) {
    const Combined both = combined(shape, as_tensor(machine, argument.value).shape);
    shape = checked(machine, call, both.result, call.span);
  }
  for (const Argument& argument : call.surplus) {
    results.push_back(moved(machine, call, as_tensor(machine, argument.value), shape));
  }
  return machine.tuple(std::move(results));
}

Ref one_hot(Machine& machine, Call& call)
{
  const Tensor& input = input_of(machine, call);
  check_index_type(machine, call, input, operand_span(call, 0, "tensor"));
  const auto classes = int_option(machine, call, {"num_classes"});
  const Dim depth = classes && *classes >= 0 ? Dim::constant(*classes) : Dim::top();
  if (classes && *classes > 0 && input.interval.is_known() &&
      input.interval.high() >= static_cast<double>(*classes)) {
    machine.problem(ProblemKind::gather,
                    call.span,
                    format("indices up to {:g} for {} classes", input.interval.high(), *classes),
                    &call);
  }
  Tensor* made =
      result(machine, call, input, input.shape.plus(Shape::of({depth})), Interval::of(0, 1));
  made->dtype = DType::Kind::int64;
  made->encoding = Encoding::one_hot;
  made->classes = depth.constant().value_or(0);
  made->source = input.source;
  return made;
}

} // namespace torch

std::span<const Api> torch_select()
{
  using namespace torch;
  constexpr Role f = Role::function;
  constexpr Role m = Role::method;
  constexpr uint32_t k_moves = k_reshaping;
  static constexpr Api k_rows[] = {
      {"torch.cat", "tensors, dim=0, *, out=None", f, "concat", k_merging, cat},
      {"torch.concat", "tensors, dim=0, *, out=None", f, "concat", k_merging, cat},
      {"torch.concatenate", "tensors, dim=0, *, out=None", f, "concat", k_merging, cat},
      {"torch.stack", "tensors, dim=0, *, out=None", f, "stack", k_merging, stack},
      {"torch.hstack", "tensors", f, "concat", k_merging, stack_along, {}, 1},
      {"torch.vstack", "tensors", f, "concat", k_merging, stack_along, {}, 0},
      {"torch.row_stack", "tensors", f, "concat", k_merging, stack_along, {}, 0},
      {"torch.dstack", "tensors", f, "concat", k_merging, stack_along, {}, 2},
      {"torch.column_stack", "tensors", f, "concat", k_merging, stack_along, {}, 2},
      {"torch.block_diag", "*tensors", f, {}, k_merging},
      {"torch.chunk", "input, chunks, dim=0", f, "split", k_moves, chunk},
      {"torch.tensor_split", "input, sections, dim=0", f, "split", k_moves, chunk},
      {"torch.Tensor.chunk", "chunks, dim=0", m, "split", k_moves, chunk},
      {"torch.Tensor.tensor_split", "sections, dim=0", m, "split", k_moves, chunk},
      {"torch.split", "tensor, split_size_or_sections, dim=0", f, "split", k_moves, split},
      {"torch.Tensor.split", "split_size, dim=0", m, "split", k_moves, split},
      {"torch.Tensor.split_with_sizes", "split_size, dim=0", m, "split", k_moves, split},
      {"torch.unbind", "input, dim=0", f, "unstack", k_moves, unbind},
      {"torch.Tensor.unbind", "dim=0", m, "unstack", k_moves, unbind},
      {"torch.narrow", "input, dim, start, length", f, "slice", k_moves, narrow},
      {"torch.Tensor.narrow", "dim, start, length", m, "slice", k_moves, narrow},
      {"torch.select", "input, dim, index", f, "slice", k_moves, select},
      {"torch.Tensor.select", "dim, index", m, "slice", k_moves, select},
      {"torch.index_select", "input, dim, index", f, "gather", k_moves, index_select},
      {"torch.Tensor.index_select", "dim, index", m, "gather", k_moves, index_select},
      {"torch.masked_select", "input, mask", f, "gather", k_moves, masked_select},
      {"torch.Tensor.masked_select", "mask", m, "gather", k_moves, masked_select},
      {"torch.masked_fill", "input, mask, value", f, "where", k_elementwise, masked_fill},
      {"torch.Tensor.masked_fill", "mask, value", m, "where", k_elementwise, masked_fill},
      {"torch.Tensor.masked_fill_",
       "mask, value",
       m,
       "where",
       k_elementwise | k_in_place,
       masked_fill},
      {"torch.Tensor.masked_scatter", "mask, source", m, "where", k_elementwise, masked_fill},
      {"torch.Tensor.masked_scatter_",
       "mask, source",
       m,
       "where",
       k_elementwise | k_in_place,
       masked_fill},
      {"torch.gather", "input, dim, index", f, "gather", k_moves, gather},
      {"torch.Tensor.gather", "dim, index", m, "gather", k_moves, gather},
      {"torch.take_along_dim", "input, dim, index", f, "gather", k_moves},
      {"torch.take", "input, index", f, "gather", k_moves},
      {"torch.Tensor.take", "index", m, "gather", k_moves},
      {"torch.scatter", "input, dim, index, src", f, {}, k_elementwise, scatter},
      {"torch.scatter_add", "input, dim, index, src", f, {}, k_elementwise, scatter},
      {"torch.Tensor.scatter", "dim, index, src=None, value=None", m, {}, k_elementwise, scatter},
      {"torch.Tensor.scatter_",
       "dim, index, src=None, value=None",
       m,
       {},
       k_elementwise | k_in_place,
       scatter},
      {"torch.Tensor.scatter_add", "dim, index, src", m, {}, k_elementwise, scatter},
      {"torch.Tensor.scatter_add_", "dim, index, src", m, {}, k_elementwise | k_in_place, scatter},
      {"torch.Tensor.scatter_reduce", "dim, index, src, reduce", m, {}, k_elementwise, scatter},
      {"torch.Tensor.index_add", "dim, index, source", m, {}, k_elementwise, keep},
      {"torch.Tensor.index_add_", "dim, index, source", m, {}, k_elementwise | k_in_place, keep},
      {"torch.Tensor.index_copy_", "dim, index, source", m, {}, k_elementwise | k_in_place, keep},
      {"torch.Tensor.index_fill_", "dim, index, value", m, {}, k_elementwise | k_in_place, keep},
      {"torch.Tensor.index_fill", "dim, index, value", m, {}, k_elementwise, keep},
      {"torch.Tensor.index_put_", "indices, values", m, {}, k_elementwise | k_in_place, keep},
      {"torch.where", "condition, input=None, other=None", f, "where", k_elementwise, where},
      {"torch.nonzero", "input, *, as_tuple=False", f, {}, k_no_gradient, nonzero},
      {"torch.argwhere", "input", f, {}, k_no_gradient, nonzero},
      {"torch.Tensor.nonzero", "as_tuple=False", m, {}, k_no_gradient, nonzero},
      {"torch.unique",
       "input, sorted=True, return_inverse=False, return_counts=False, dim=None",
       f,
       {},
       k_no_gradient,
       unique},
      {"torch.Tensor.unique",
       "sorted=True, return_inverse=False, return_counts=False, dim=None",
       m,
       {},
       k_no_gradient,
       unique},
      {"torch.unique_consecutive",
       "input, return_inverse=False, return_counts=False",
       f,
       {},
       k_no_gradient,
       unique},
      {"torch.topk", "input, k, dim=-1, largest=True, sorted=True", f, "topk", k_moves, sorted},
      {"torch.Tensor.topk", "k, dim=-1, largest=True, sorted=True", m, "topk", k_moves, sorted},
      {"torch.sort", "input, dim=-1, descending=False, stable=False", f, "sort", k_moves, sorted},
      {"torch.Tensor.sort", "dim=-1, descending=False, stable=False", m, "sort", k_moves, sorted},
      {"torch.argsort", "input, dim=-1, descending=False", f, {}, k_no_gradient, argsort},
      {"torch.Tensor.argsort", "dim=-1, descending=False", m, {}, k_no_gradient, argsort},
      {"torch.diag", "input, diagonal=0", f, {}, k_moves, diagonal},
      {"torch.Tensor.diag", "diagonal=0", m, {}, k_moves, diagonal},
      {"torch.diagonal", "input, offset=0, dim1=0, dim2=1", f, {}, k_moves, diagonal},
      {"torch.Tensor.diagonal", "offset=0, dim1=0, dim2=1", m, {}, k_moves, diagonal},
      {"torch.diag_embed", "input, offset=0, dim1=-2, dim2=-1", f, {}, k_moves},
      {"torch.combinations", "input, r=2", f, {}, k_moves},
      {"torch.cartesian_prod", "*tensors", f, {}, k_moves},
      {"torch.bincount", "input, weights=None, minlength=0", f, {}, k_no_gradient, fewer},
      {"torch.histc", "input, bins=100, min=0, max=0", f, {}, k_no_gradient, fewer},
      {"torch.searchsorted", "sorted_sequence, input, *, right=False", f, {}, k_no_gradient},
      {"torch.bucketize", "input, boundaries, *, right=False", f, {}, k_no_gradient, argsort},
      {"torch.roll", "input, shifts, dims=None", f, "identity", k_moves, keep},
      {"torch.Tensor.roll", "shifts, dims=None", m, "identity", k_moves, keep},
      {"torch.flip", "input, dims", f, "identity", k_moves, keep},
      {"torch.Tensor.flip", "*dims", m, "identity", k_moves, keep},
      {"torch.fliplr", "input", f, "identity", k_moves, keep},
      {"torch.flipud", "input", f, "identity", k_moves, keep},
      {"torch.rot90", "input, k=1, dims=(0, 1)", f, {}, k_moves},
      {"torch.meshgrid", "*tensors, indexing='ij'", f, {}, k_moves, meshgrid},
      {"torch.broadcast_tensors", "*tensors", f, "expand", k_moves, broadcast_tensors},
      {"torch.nn.functional.one_hot",
       "tensor, num_classes=-1",
       f,
       "one_hot",
       k_no_gradient,
       one_hot},
  };
  return k_rows;
}

} // namespace faultline::program
