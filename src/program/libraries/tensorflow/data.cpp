// tf.data: a Dataset keeps one of its elements as the attribute `element`; every method gives a new
// data set, whose constructor call leads back to the one before.

#include "program/libraries/tensorflow/data.hpp"

#include "base/format.hpp"
#include "program/libraries/shared/structure.hpp"
#include "program/libraries/tensorflow/tf.hpp"
#include "program/names/tables.hpp"
#include "program/values/walk.hpp"

#include <functional>

namespace faultline::program {

namespace tf {

Instance* dataset(Machine& machine, Call& call, Ref element, Dim count)
{
  Instance* made = machine.instance(*find_api("tensorflow.data.Dataset"), &call);
  made->attributes["element"] = element;
  made->attributes["length"] = machine.integer(count);
  return made;
}

Ref map_tensors(Machine& machine, Ref value, const std::function<Ref(Tensor&)>& change)
{
  return walk(value, machine.unknown(), [&](Ref one, auto& into) -> Ref {
    if (const auto* list = as<Sequence>(one)) {
      Sequence* made = machine.list(map_items(*list, into));
      made->type = list->type;
      made->open = list->open;
      made->rest = list->rest;
      return made;
    }
    if (const auto* dict = as<Dict>(one)) {
      return map_values(machine, *dict, into);
    }
    Tensor* tensor = machine.to_tensor(one);
    return tensor != nullptr ? change(*tensor) : machine.unknown();
  });
}

} // namespace tf

namespace {

Ref element_of(Machine& machine, Ref data)
{
  const auto* object = as<Instance>(data);
  if (object == nullptr) {
    return machine.unknown();
  }
  const auto found = object->attributes.find("element");
  return found != object->attributes.end() ? found->second : machine.unknown();
}

Dim length_of(Machine& machine, Ref data)
{
  const auto* object = as<Instance>(data);
  if (object == nullptr) {
    return Dim::top();
  }
  const auto found = object->attributes.find("length");
  return found != object->attributes.end() ? machine.to_dim(found->second) : Dim::top();
}

Tensor* part_of(Machine& machine, Call& call, const Tensor& input, Shape shape)
{
  Tensor* made = tf::moved(machine, call, input, std::move(shape));
  made->library = Library::tensorflow;
  made->requires_grad = Truth::no;
  return made;
}

Dim first_axis(Machine& machine, Ref value)
{
  return walk(value, Dim::top(), [&machine](Ref one, auto& into) -> Dim {
    if (const auto* list = as<Sequence>(one);
        list != nullptr && list->type == Sequence::Type::tuple) {
      return list->items.empty() ? Dim::top() : into(list->items.front());
    }
    if (const auto* dict = as<Dict>(one)) {
      return dict->items.empty() ? Dim::top() : into(dict->items.front().second);
    }
    const Tensor* tensor = machine.to_tensor(one);
    return tensor != nullptr ? tensor->shape.at(0) : Dim::top();
  });
}

// Arrays of a tuple must have as many rows each.
void check_rows(Machine& machine, Call& call, Ref value)
{
  const auto* list = as<Sequence>(value);
  if (list == nullptr || list->type != Sequence::Type::tuple) {
    return;
  }
  const Dim rows = first_axis(machine, value);
  for (const Ref item : list->items) {
    const Tensor* tensor = machine.to_tensor(item);
    if (tensor != nullptr && tensor->shape.rank() >= 1 &&
        tensor->shape.at(0).compare(rows) == Dim::Comparison::different) {
      machine.problem(ProblemKind::sample_count,
                      call.span,
                      format("{} samples, but {} labels", rows.text(), tensor->shape.at(0).text()),
                      &call);
      return;
    }
  }
}

// A list of numbers is an array here; only tuples and dicts are structure.
Ref slice_of(Machine& machine, Call& call, Ref value)
{
  return walk(value, machine.unknown(), [&](Ref one, auto& into) -> Ref {
    if (const auto* list = as<Sequence>(one);
        list != nullptr && list->type == Sequence::Type::tuple) {
      return machine.tuple(map_items(*list, into));
    }
    if (const auto* dict = as<Dict>(one)) {
      return map_values(machine, *dict, into);
    }
    const Tensor* tensor = machine.to_tensor(one);
    if (tensor == nullptr) {
      return machine.unknown();
    }
    return part_of(
        machine, call, *tensor, tensor->shape.rank() >= 1 ? tensor->shape.behind(1) : Shape::top());
  });
}

Ref from_slices(Machine& machine, Call& call)
{
  const Ref tensors = call.arg("tensors");
  if (tensors == nullptr) {
    return tf::dataset(machine, call, machine.unknown(), Dim::top());
  }
  check_rows(machine, call, tensors);
  return tf::dataset(machine, call, slice_of(machine, call, tensors), first_axis(machine, tensors));
}

Ref from_tensors(Machine& machine, Call& call)
{
  const Ref tensors = call.arg("tensors");
  return tf::dataset(
      machine, call, tensors != nullptr ? tensors : machine.unknown(), Dim::constant(1));
}

// The generator is called once; output_shapes and output_types say what it yields.
Ref from_generator(Machine& machine, Call& call)
{
  const Ref generator = call.arg("generator");
  Ref element = machine.unknown();
  if (generator != nullptr && generator->kind != Kind::unknown) {
    element = machine.iterate(machine.call(generator, std::vector<Ref>{}, call.span), call.span);
  }
  return tf::dataset(machine, call, element, Dim::top());
}

Ref range(Machine& machine, Call& call)
{
  Tensor* number = tf::result(machine, call, Shape::scalar(), DType::Kind::int64);
  const Ref only = call.surplus.size() == 1 ? call.surplus.front().value : nullptr;
  return tf::dataset(machine, call, number, machine.to_dim(only));
}

Ref zip(Machine& machine, Call& call)
{
  std::vector<Ref> items;
  Dim count = Dim::top();
  std::vector<Ref> sets = machine.items_of(call.arg("datasets"));
  if (sets.empty()) {
    for (const Argument& argument : call.surplus) {
      sets.push_back(argument.value);
    }
  }
  for (const Ref one : sets) {
    items.push_back(element_of(machine, one));
    count = length_of(machine, one);
  }
  return tf::dataset(machine, call, machine.tuple(std::move(items)), count);
}

// The same elements: shuffle, repeat, prefetch, cache …
Ref same_elements(Machine& machine, Call& call)
{
  const bool keeps = call.is("shuffle") || call.is("prefetch") || call.is("cache");
  return tf::dataset(machine,
                     call,
                     element_of(machine, call.self),
                     keeps ? length_of(machine, call.self) : Dim::top());
}

Ref counted(Machine& machine, Call& call)
{
  return tf::dataset(
      machine, call, element_of(machine, call.self), machine.to_dim(call.arg("count")));
}

Ref skipped(Machine& machine, Call& call)
{
  const Dim rest = length_of(machine, call.self).minus(machine.to_dim(call.arg("count")));
  return tf::dataset(machine, call, element_of(machine, call.self), rest);
}

std::vector<Ref> unpacked(Ref element)
{
  if (const auto* list = as<Sequence>(element);
      list != nullptr && list->type == Sequence::Type::tuple && !list->open) {
    return list->items;
  }
  return {element};
}

Ref map(Machine& machine, Call& call)
{
  const Ref function = call.arg("map_func");
  const Ref element = element_of(machine, call.self);
  if (function == nullptr) {
    return tf::dataset(machine, call, machine.unknown(), Dim::top());
  }
  const Argument* written = call.argument("map_func");
  const Ref value = machine.call(function, unpacked(element), written->span);
  return tf::dataset(machine, call, value, length_of(machine, call.self));
}

Ref flat_map(Machine& machine, Call& call)
{
  const Ref function = call.arg("map_func");
  const Ref element = element_of(machine, call.self);
  if (function == nullptr) {
    return tf::dataset(machine, call, machine.unknown(), Dim::top());
  }
  const Ref inner = machine.call(function, unpacked(element), call.span);
  return tf::dataset(machine, call, element_of(machine, inner), Dim::top());
}

Ref filter(Machine& machine, Call& call)
{
  const Ref element = element_of(machine, call.self);
  if (const Ref predicate = call.arg("predicate")) {
    machine.call(predicate, unpacked(element), call.span);
  }
  return tf::dataset(machine, call, element, Dim::top());
}

// An axis in front: of the batch size if the last, smaller batch is dropped.
Ref batch(Machine& machine, Call& call)
{
  const bool whole = machine.truthiness(call.arg("drop_remainder")).value_or(false);
  const auto size = machine.to_int(call.arg("batch_size"));
  const Dim front = whole && size ? Dim::constant(*size) : Dim::batch();
  const Ref element =
      tf::map_tensors(machine, element_of(machine, call.self), [&](Tensor& tensor) -> Ref {
        return part_of(machine, call, tensor, Shape::of({front}).plus(tensor.shape));
      });
  Dim count = Dim::top();
  if (size && *size > 0) {
    const Dim samples = length_of(machine, call.self);
    count = whole ? samples.floor_div(*size) : samples.ceil_div(*size);
  }
  return tf::dataset(machine, call, element, count);
}

// Axes of unknown size are padded to the longest, or to the sizes given.
Ref padded_batch(Machine& machine, Call& call)
{
  const Ref given = call.arg("padded_shapes");
  size_t n = 0;
  const std::vector<Ref> shapes = machine.items_of(given);
  const Ref element =
      tf::map_tensors(machine, element_of(machine, call.self), [&](Tensor& tensor) -> Ref {
        Shape shape = tensor.shape;
        if (n < shapes.size() && as<Sequence>(shapes[n]) != nullptr) {
          const Shape wanted = tf::shape_of(machine, shapes[n]);
          shape = wanted.rank() == shape.rank() || !shape.has_rank() ? wanted : shape;
        }
        ++n;
        return part_of(machine, call, tensor, Shape::of({Dim::batch()}).plus(shape));
      });
  return tf::dataset(machine, call, element, Dim::top());
}

Ref unbatch(Machine& machine, Call& call)
{
  const Ref element =
      tf::map_tensors(machine, element_of(machine, call.self), [&](Tensor& tensor) -> Ref {
        return part_of(machine,
                       call,
                       tensor,
                       tensor.shape.rank() >= 1 ? tensor.shape.behind(1) : Shape::top());
      });
  return tf::dataset(machine, call, element, Dim::top());
}

Ref window(Machine& machine, Call& call)
{
  const Ref element =
      tf::map_tensors(machine, element_of(machine, call.self), [&](Tensor& tensor) -> Ref {
        return tf::dataset(machine, call, &tensor, machine.to_dim(call.arg("size")));
      });
  return tf::dataset(machine, call, element, Dim::top());
}

Ref apply(Machine& machine, Call& call)
{
  const Ref function = call.arg("transformation_func");
  if (function == nullptr || (function->kind != Kind::function && function->kind != Kind::api)) {
    return tf::dataset(machine, call, machine.unknown(), Dim::top());
  }
  return machine.call(function, std::vector<Ref>{call.self}, call.span);
}

Ref one_element(Machine& machine, Call& call)
{
  return element_of(machine, call.self);
}

Ref iterator(Machine& machine, Call& call)
{
  Instance* made = machine.instance(*find_api("tensorflow.data.Iterator"), &call);
  made->attributes["element"] = element_of(machine, call.self);
  return made;
}

Ref enumerate(Machine& machine, Call& call)
{
  Tensor* number = tf::result(machine, call, Shape::scalar(), DType::Kind::int64);
  return tf::dataset(machine,
                     call,
                     machine.tuple({number, element_of(machine, call.self)}),
                     length_of(machine, call.self));
}

Ref as_arrays(Machine& machine, Call& call)
{
  const Ref element =
      tf::map_tensors(machine, element_of(machine, call.self), [&](Tensor& tensor) -> Ref {
        Tensor* made = part_of(machine, call, tensor, tensor.shape);
        made->library = Library::numpy;
        return made;
      });
  return machine.open_list(element);
}

Ref lines(Machine& machine, Call& call)
{
  Tensor* line = tf::result(machine, call, Shape::scalar(), DType::Kind::string);
  return tf::dataset(machine, call, line, Dim::top());
}

Ref cardinality(Machine& machine, Call& call)
{
  return machine.integer(length_of(machine, call.self));
}

constexpr Api
method(std::string_view name, std::string_view signature, std::string_view op, Transfer transfer)
{
  return {name, signature, Role::method, op, 0, transfer};
}

// Something that a session runs for its effect.
static Ref operation(Machine& machine, Call& call)
{
  return machine.tensor(call, Shape::scalar());
}

// One row a line.
// clang-format off
constexpr Api k_rows[] = {
    {"tensorflow.data.Dataset", "variant_tensor=None", Role::dataset, "dataset", 0, lines},
    {"tensorflow.data.Dataset.from_tensor_slices", "tensors, name=None", Role::function, "from_slices", 0, from_slices},
    {"tensorflow.data.Dataset.from_tensors", "tensors, name=None", Role::function, "from_slices", 0, from_tensors},
    {"tensorflow.data.Dataset.from_generator", "generator, output_types=None, output_shapes=None, args=None, output_signature=None, name=None", Role::function, "from_generator", 0, from_generator},
    {"tensorflow.data.Dataset.range", "*args, **kwargs", Role::function, "from_slices", 0, range},
    {"tensorflow.data.Dataset.zip", "datasets=None, *args, **kwargs", Role::function, "zip", 0, zip},
    {"tensorflow.data.Dataset.list_files", "file_pattern, shuffle=None, seed=None", Role::function, "list_files", 0, lines},
    {"tensorflow.data.TextLineDataset", "filenames, **kwargs", Role::function, "read_lines", 0, lines},
    {"tensorflow.data.TFRecordDataset", "filenames, **kwargs", Role::function, "read_records", 0, lines},
    {"tensorflow.data.FixedLengthRecordDataset", "filenames, record_bytes, **kwargs", Role::function, "read_records", 0, lines},
    method("tensorflow.data.Dataset.map", "map_func, num_parallel_calls=None, deterministic=None, name=None", "map", map),
    method("tensorflow.data.Dataset.flat_map", "map_func, name=None", "map", flat_map),
    method("tensorflow.data.Dataset.interleave", "map_func, cycle_length=None, block_length=None, **kwargs", "map", flat_map),
    method("tensorflow.data.Dataset.filter", "predicate, name=None", "filter", filter),
    method("tensorflow.data.Dataset.batch", "batch_size, drop_remainder=False, num_parallel_calls=None, **kwargs", "batch", batch),
    method("tensorflow.data.Dataset.ragged_batch", "batch_size, drop_remainder=False, **kwargs", "batch", batch),
    method("tensorflow.data.Dataset.padded_batch", "batch_size, padded_shapes=None, padding_values=None, drop_remainder=False, name=None", "batch", padded_batch),
    method("tensorflow.data.Dataset.unbatch", "name=None", "unbatch", unbatch),
    method("tensorflow.data.Dataset.shuffle", "buffer_size, seed=None, reshuffle_each_iteration=None, name=None", "shuffle", same_elements),
    method("tensorflow.data.Dataset.repeat", "count=None, name=None", "repeat_data", same_elements),
    method("tensorflow.data.Dataset.prefetch", "buffer_size, name=None", "prefetch", same_elements),
    method("tensorflow.data.Dataset.cache", "filename='', name=None", "cache", same_elements),
    method("tensorflow.data.Dataset.take", "count, name=None", "take", counted),
    method("tensorflow.data.Dataset.skip", "count, name=None", "skip", skipped),
    method("tensorflow.data.Dataset.shard", "num_shards, index, name=None", "shard", same_elements),
    method("tensorflow.data.Dataset.concatenate", "dataset, name=None", "concat_data", same_elements),
    method("tensorflow.data.Dataset.with_options", "options, name=None", "options", same_elements),
    method("tensorflow.data.Dataset.window", "size, shift=None, stride=1, drop_remainder=False, name=None", "window", window),
    method("tensorflow.data.Dataset.enumerate", "start=0, name=None", "enumerate", enumerate),
    method("tensorflow.data.Dataset.apply", "transformation_func", "apply", apply),
    {"tensorflow.data.Dataset.reduce", "initial_state, reduce_func, name=None", Role::opaque},
    method("tensorflow.data.Dataset.cardinality", "", {}, cardinality),
    method("tensorflow.data.Dataset.as_numpy_iterator", "", "iterate", as_arrays),
    method("tensorflow.data.Dataset.get_single_element", "name=None", {}, one_element),
    method("tensorflow.data.Dataset.make_one_shot_iterator", "", "iterator", iterator),
    method("tensorflow.data.Dataset.make_initializable_iterator", "shared_name=None", "iterator", iterator),
    method("tensorflow.data.Dataset.__iter__", "", "iterate", one_element),
    {"tensorflow.data.Dataset.output_types", {}, Role::attribute},
    {"tensorflow.data.Dataset.output_shapes", {}, Role::attribute},
    {"tensorflow.data.Dataset.element_spec", {}, Role::attribute},
    {"tensorflow.data.Dataset.class_names", {}, Role::attribute},
    {"tensorflow.data.Dataset.file_paths", {}, Role::attribute},
    {"tensorflow.data.Iterator", "", Role::object, "iterator"},
    {"tensorflow.data.Iterator.from_structure", "output_types, output_shapes=None, **kwargs", Role::object, "iterator", 0, nullptr, "tensorflow.data.Iterator"},
    method("tensorflow.data.Iterator.get_next", "name=None", "get_next", one_element),
    method("tensorflow.data.Iterator.__iter__", "", "get_next", one_element),
    method("tensorflow.data.Iterator.__next__", "", "get_next", one_element),
    method("tensorflow.data.Iterator.next", "", "get_next", one_element),
    {"tensorflow.data.Iterator.make_initializer", "dataset, name=None", Role::method, {}, 0, operation},
    {"tensorflow.data.Iterator.string_handle", "name=None", Role::opaque},
    {"tensorflow.data.Iterator.initializer", {}, Role::attribute, {}, 0, operation},
    {"tensorflow.data.make_one_shot_iterator", "dataset", Role::object, "iterator", 0, nullptr, "tensorflow.data.Iterator"},
    {"tensorflow.data.make_initializable_iterator", "dataset", Role::object, "iterator", 0, nullptr, "tensorflow.data.Iterator"},
};
// clang-format on

} // namespace

std::span<const Api> tf_data()
{
  return k_rows;
}

} // namespace faultline::program
