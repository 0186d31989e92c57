// torch.utils.data: data sets, loaders and how samples become batches.

#include "program/libraries/shared/answers.hpp"
#include "program/libraries/shared/reading.hpp"
#include "program/libraries/shared/structure.hpp"
#include "program/libraries/torch/torch.hpp"
#include "program/names/tables.hpp"
#include "program/values/walk.hpp"

namespace faultline::program {

namespace torch {

namespace {

constexpr std::string_view k_inner = "@inner"; // the data set that a subset takes from

// A sample of any data set: what indexing it gives.
Ref sample_of(Machine& machine, Ref dataset, Call& call)
{
  if (dataset == nullptr) {
    return machine.unknown();
  }
  if (const auto* object = as<Instance>(dataset)) {
    const bool own = object->klass != nullptr && object->klass->attributes.contains("__iter__") &&
                     !object->klass->attributes.contains("__getitem__");
    const bool by_loop = own || (object->klass == nullptr && object->api != nullptr &&
                                 find_method(*object->api, "__getitem__") == nullptr &&
                                 find_method(*object->api, "__iter__") != nullptr);
    if (by_loop) {
      return machine.iterate(dataset, call.span);
    }
    return machine.item(dataset, machine.number(Interval::of(0, Interval::k_inf), true), call);
  }
  return machine.iterate(dataset, call.span);
}

// What torch makes of several samples that are tensors or arrays: they are stacked.
Tensor* stacked(Machine& machine, Call& call, const Tensor& sample, const Dim& batch)
{
  const bool known_kind = sample.library == Library::torch || sample.library == Library::numpy;
  Tensor* made =
      machine.data(known_kind ? Library::torch : sample.library,
                   sample.shape.has_rank() ? Shape::of({batch}).plus(sample.shape) : Shape::top(),
                   sample.dtype,
                   sample.interval);
  made->library = Library::torch;
  made->encoding = sample.encoding;
  made->classes = sample.classes;
  made->source = sample.source;
  made->device = sample.library == Library::numpy ? Device::cpu() : sample.device;
  made->requires_grad = Truth::no;
  made->leaf = Truth::yes;
  made->contiguous = Truth::yes;
  made->producer = &call;
  return made;
}

// Numbers become a tensor.
Tensor* stacked_numbers(Machine& machine, Call& call, Ref sample, const Dim& batch)
{
  Tensor* made = machine.data(Library::torch,
                              Shape::of({batch}),
                              is_integral(sample) ? DType::Kind::int64 : DType::Kind::float64,
                              machine.to_interval(sample));
  made->device = Device::cpu();
  made->requires_grad = Truth::no;
  made->leaf = Truth::yes;
  made->contiguous = Truth::yes;
  made->producer = &call;
  return made;
}

// What torch makes of a list of samples, each of which looks like `sample`.
Ref collated(Machine& machine, Call& call, Ref sample, const Dim& batch)
{
  return walk(sample, machine.unknown(), [&](Ref one, auto& into) -> Ref {
    if (const auto* tensor = as<Tensor>(one)) {
      return stacked(machine, call, *tensor, batch);
    }
    if (is_number(one)) {
      return stacked_numbers(machine, call, one, batch);
    }
    if (is_text(one)) {
      return machine.open_list(machine.text());
    }
    if (const auto* sequence = as<Sequence>(one)) {
      Sequence* made = machine.list(map_items(*sequence, into));
      made->open = sequence->open;
      if (sequence->rest != nullptr) {
        made->rest = into(sequence->rest);
      }
      return made;
    }
    if (const auto* dict = as<Dict>(one)) {
      return map_values(machine, *dict, into);
    }
    return machine.unknown();
  });
}

} // namespace

static Ref batch_of(Machine& machine, Call& call)
{
  const auto* loader = as<Instance>(call.self);
  if (loader == nullptr || loader->made_by == nullptr) {
    return machine.unknown();
  }
  const Call& made = *loader->made_by;
  const Ref sample = sample_of(machine, made.arg("dataset"), call);
  const Ref size = made.arg("batch_size");
  const Ref collate = made.arg("collate_fn");
  if (collate != nullptr && !machine.is_none(collate)) {
    Sequence* samples = machine.open_list(sample);
    return machine.call(collate, std::vector<Ref>{samples}, call.span);
  }
  if (machine.is_none(size) && machine.is_none(made.arg("batch_sampler"))) {
    return sample;
  }
  // The last batch may be smaller, unless it is dropped.
  const bool full = machine.to_bool(made.arg("drop_last")).value_or(false);
  const auto count = machine.to_int(size);
  return collated(machine, call, sample, full && count ? Dim::constant(*count) : Dim::batch());
}

static Ref batch_size(Machine& machine, Call& call)
{
  const auto* loader = as<Instance>(call.self);
  const Ref value = loader != nullptr && loader->made_by != nullptr
                        ? loader->made_by->arg(short_name(call))
                        : nullptr;
  return value != nullptr ? value : machine.unknown();
}

static Ref tensor_sample(Machine& machine, Call& call)
{
  const auto* set = as<Instance>(call.self);
  if (set == nullptr || set->made_by == nullptr) {
    return machine.unknown();
  }
  std::vector<Ref> parts;
  for (const Argument& argument : set->made_by->surplus) {
    if (argument.name == "*") {
      return machine.unknown();
    }
    Tensor& whole = as_tensor(machine, argument.value);
    Tensor* part = moved(machine,
                         call,
                         whole,
                         whole.shape.has_rank() && *whole.shape.rank() > 0 ? whole.shape.behind(1)
                                                                           : Shape::top());
    part->library = Library::torch;
    parts.push_back(part);
  }
  return machine.tuple(std::move(parts));
}

static void check_lengths(Machine& machine, Call& call)
{
  const Tensor* first = nullptr;
  for (const Argument& argument : call.surplus) {
    const auto* tensor = as<Tensor>(argument.value);
    if (tensor == nullptr || !tensor->shape.has_rank()) {
      continue;
    }
    if (first != nullptr &&
        first->shape.at(0).compare(tensor->shape.at(0)) == Dim::Comparison::different) {
      machine.problem(ProblemKind::sample_count,
                      argument.span,
                      "tensors of a data set differ in the number of samples: " +
                          first->shape.text() + " and " + tensor->shape.text(),
                      &call);
      return;
    }
    first = first == nullptr ? tensor : first;
  }
}

static Ref tensor_set(Machine& machine, Call& call)
{
  check_lengths(machine, call);
  return machine.none();
}

static Ref inner_sample(Machine& machine, Call& call)
{
  const auto* set = as<Instance>(call.self);
  if (set == nullptr) {
    return machine.unknown();
  }
  if (const auto found = set->attributes.find(k_inner); found != set->attributes.end()) {
    return sample_of(machine, found->second, call);
  }
  return machine.unknown();
}

static Ref wrap_set(Machine& machine, Call& call)
{
  auto* set = as<Instance>(call.self);
  const Ref dataset = operand_value(call, 0);
  if (set != nullptr && dataset != nullptr) {
    Ref inner = dataset;
    if (const auto* several = as<Sequence>(dataset)) {
      inner = several->items.empty() ? several->rest : several->items.front();
      set->items = several->items;
    }
    if (inner != nullptr) {
      set->attributes[k_inner] = inner;
      set->attributes["dataset"] = inner;
    }
  }
  return machine.none();
}

static Ref random_split(Machine& machine, Call& call)
{
  const Ref dataset = operand_value(call, 0, "dataset");
  const auto* lengths = as<Sequence>(operand_value(call, 1, "lengths"));
  const auto part = [&] {
    Instance* made = machine.instance(*find_api("torch.utils.data.Subset"), &call);
    if (dataset != nullptr) {
      made->attributes[k_inner] = dataset;
      made->attributes["dataset"] = dataset;
    }
    return made;
  };
  if (lengths == nullptr || lengths->open) {
    return machine.open_list(part());
  }
  std::vector<Ref> parts;
  for (size_t i = 0; i < lengths->items.size(); ++i) {
    parts.push_back(part());
  }
  return machine.list(std::move(parts));
}

static Ref default_collate(Machine& machine, Call& call)
{
  const auto* samples = as<Sequence>(operand_value(call, 0, "batch"));
  if (samples == nullptr) {
    return machine.unknown();
  }
  const Ref one = samples->items.empty() ? samples->rest : samples->items.front();
  return collated(machine, call, one, samples->open ? Dim::batch() : samples->length());
}

} // namespace torch

std::span<const Api> torch_data()
{
  using namespace torch;
  constexpr Role d = Role::dataset;
  constexpr Role m = Role::method;
  constexpr Role a = Role::attribute;
  constexpr Role o = Role::object;
  static constexpr Api k_rows[] = {
      {"torch.utils.data.DataLoader",
       "dataset, batch_size=1, shuffle=None, sampler=None, batch_sampler=None, num_workers=0, "
       "collate_fn=None, pin_memory=False, drop_last=False, timeout=0, worker_init_fn=None, "
       "multiprocessing_context=None, generator=None, *, prefetch_factor=None, "
       "persistent_workers=False, pin_memory_device=''",
       Role::loader,
       "data_loader"},
      {"torch.utils.data.DataLoader.__iter__", "", m, {}, 0, batch_of},
      {"torch.utils.data.DataLoader.dataset", "", a, {}, 0, batch_size},
      {"torch.utils.data.DataLoader.batch_size", "", a, {}, 0, batch_size},
      {"torch.utils.data.DataLoader.sampler", "", a, {}, 0, batch_size},
      {"torch.utils.data.DataLoader.drop_last", "", a, {}, 0, batch_size},
      {"torch.utils.data.DataLoader.num_workers", "", a, {}, 0, batch_size},
      {"torch.utils.data.Dataset", "*args, **kwargs", d},
      {"torch.utils.data.Dataset.__init__", "*args, **kwargs", m, {}, 0, nothing},
      {"torch.utils.data.IterableDataset", "*args, **kwargs", d},
      {"torch.utils.data.TensorDataset", "*tensors", d, "tensor_dataset"},
      {"torch.utils.data.TensorDataset.__init__", "*tensors", m, {}, 0, tensor_set},
      {"torch.utils.data.TensorDataset.__getitem__", "index", m, {}, 0, tensor_sample},
      {"torch.utils.data.TensorDataset.__iter__", "", m, {}, 0, tensor_sample},
      {"torch.utils.data.TensorDataset.tensors", "", a},
      {"torch.utils.data.Subset", "dataset, indices", d, "subset"},
      {"torch.utils.data.Subset.__init__", "dataset, indices", m, {}, 0, wrap_set},
      {"torch.utils.data.Subset.__getitem__", "index", m, {}, 0, inner_sample},
      {"torch.utils.data.Subset.__iter__", "", m, {}, 0, inner_sample},
      {"torch.utils.data.Subset.indices", "", a},
      {"torch.utils.data.Subset.dataset", "", a},
      {"torch.utils.data.ConcatDataset", "datasets", d, "concat_dataset"},
      {"torch.utils.data.ConcatDataset.__init__", "datasets", m, {}, 0, wrap_set},
      {"torch.utils.data.ConcatDataset.__getitem__", "index", m, {}, 0, inner_sample},
      {"torch.utils.data.ConcatDataset.__iter__", "", m, {}, 0, inner_sample},
      {"torch.utils.data.ChainDataset", "datasets", d, "concat_dataset"},
      {"torch.utils.data.ChainDataset.__init__", "datasets", m, {}, 0, wrap_set},
      {"torch.utils.data.ChainDataset.__iter__", "", m, {}, 0, inner_sample},
      {"torch.utils.data.StackDataset", "*args, **kwargs", d},
      {"torch.utils.data.random_split",
       "dataset, lengths, generator=None",
       Role::function,
       "random_split",
       k_random,
       random_split},
      {"torch.utils.data.default_collate", "batch", Role::function, {}, 0, default_collate},
      {"torch.utils.data._utils.collate.default_collate",
       "batch",
       Role::function,
       {},
       0,
       default_collate},
      {"torch.utils.data.get_worker_info", "", Role::function},
      {"torch.utils.data.Sampler", "data_source=None", o},
      {"torch.utils.data.Sampler.__init__", "data_source=None", m, {}, 0, nothing},
      {"torch.utils.data.Sampler.__iter__", "", m, {}, 0, answers::count},
      {"torch.utils.data.SequentialSampler",
       "data_source",
       o,
       {},
       0,
       nullptr,
       "torch.utils.data.Sampler"},
      {"torch.utils.data.RandomSampler",
       "data_source, replacement=False, num_samples=None, generator=None",
       o,
       "random_sampler",
       k_random,
       nullptr,
       "torch.utils.data.Sampler"},
      {"torch.utils.data.SubsetRandomSampler",
       "indices, generator=None",
       o,
       "random_sampler",
       k_random,
       nullptr,
       "torch.utils.data.Sampler"},
      {"torch.utils.data.WeightedRandomSampler",
       "weights, num_samples, replacement=True, generator=None",
       o,
       "random_sampler",
       k_random,
       nullptr,
       "torch.utils.data.Sampler"},
      {"torch.utils.data.BatchSampler",
       "sampler, batch_size, drop_last",
       o,
       {},
       0,
       nullptr,
       "torch.utils.data.Sampler"},
      {"torch.utils.data.DistributedSampler",
       "dataset, num_replicas=None, rank=None, shuffle=True, seed=0, drop_last=False",
       o,
       "distributed_sampler",
       k_random,
       nullptr,
       "torch.utils.data.Sampler"},
      {"torch.utils.data.DistributedSampler.set_epoch", "epoch", m, "set_epoch", 0, nothing},
  };
  return k_rows;
}

} // namespace faultline::program
