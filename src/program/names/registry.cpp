// All tables in one index, made once and never changed.

#include "base/text.hpp"
#include "program/names/api.hpp"
#include "program/names/signature.hpp"
#include "program/names/tables.hpp"

#include <algorithm>
#include <string>
#include <unordered_map>
#include <unordered_set>

namespace faultline::program {

namespace {

struct Registry {
  std::unordered_map<std::string_view, const Api*> rows;
  std::unordered_map<const Api*, std::vector<Parameter>> parameters;
  std::unordered_set<std::string_view> namespaces;
  std::unordered_map<std::string_view, std::string_view> aliases;
  std::unordered_set<std::string_view> opaque;

  Registry();
};

// Each proper prefix that ends before a dot, the longest first.
template <typename Visit> bool any_prefix(std::string_view path, Visit visit)
{
  for (size_t dot = path.rfind('.'); dot != std::string_view::npos;
       dot = path.rfind('.', dot - 1)) {
    if (visit(path.substr(0, dot))) {
      return true;
    }
    if (dot == 0) {
      break;
    }
  }
  return false;
}

Registry::Registry()
{
  for (const std::span<const Api> table : api_tables()) {
    for (const Api& row : table) {
      rows.emplace(row.name, &row);
      parameters.emplace(&row, parse_signature(row.signature));
      any_prefix(row.name, [this](std::string_view prefix) {
        return !namespaces.insert(prefix).second; // those above are known already
      });
    }
  }
  for (const std::span<const Alias> table :
       {torch_aliases(), keras_aliases(), tensorflow_aliases(), data_aliases()}) {
    for (const Alias& alias : table) {
      aliases.emplace(alias.from, alias.to);
    }
  }
  for (const std::span<const std::string_view> list : {opaque_prefixes(), data_opaque_prefixes()}) {
    for (const std::string_view prefix : list) {
      opaque.insert(prefix);
      any_prefix(prefix,
                 [this](std::string_view above) { return !namespaces.insert(above).second; });
    }
  }
}

const Registry& registry()
{
  static const Registry k_registry;
  return k_registry;
}

// The class whose methods a row inherits if it names none.
std::string_view usual_base(const Api& klass)
{
  const bool is_torch = klass.name.starts_with("torch.");
  switch (klass.role) {
  case Role::layer:
  case Role::loss:
  case Role::model:
    return is_torch                          ? "torch.nn.Module"
           : klass.role == Role::model       ? "keras.Model"
           : klass.role == Role::loss        ? "keras.losses.Loss"
           : klass.name.starts_with("keras") ? "keras.layers.Layer"
                                             : "";
  case Role::optimizer:
    return is_torch                               ? "torch.optim.Optimizer"
           : klass.name.starts_with("tensorflow") ? "tensorflow.train.Optimizer"
                                                  : "keras.optimizers.Optimizer";
  case Role::scheduler:
    return is_torch ? "torch.optim.lr_scheduler.LRScheduler" : "";
  case Role::metric:
    return "keras.metrics.Metric";
  case Role::callback:
    return "keras.callbacks.Callback";
  case Role::dataset:
    return is_torch ? "torch.utils.data.Dataset" : "";
  default:
    return {};
  }
}

const Api* own_row(std::string_view path)
{
  const auto found = registry().rows.find(path);
  return found != registry().rows.end() ? found->second : nullptr;
}

} // namespace

std::vector<std::span<const Api>> api_tables()
{
  return {
#define FL_TABLE(name) name(),
#include "program/names/tables.inc"
#undef FL_TABLE
  };
}

const Api* find_method(const Api& klass, std::string_view name)
{
  constexpr int k_deepest = 8; // of inheritance
  const Api* owner = &klass;
  for (int depth = 0; owner != nullptr && depth < k_deepest; ++depth) {
    if (const Api* row = own_row(std::string(owner->name) + '.' + std::string(name))) {
      return row;
    }
    const std::string_view base = owner->base.empty() ? usual_base(*owner) : owner->base;
    owner = base.empty() || base == owner->name ? nullptr : own_row(base);
  }
  return nullptr;
}

const Api* find_api(std::string_view path)
{
  if (const Api* row = own_row(path)) {
    return row;
  }
  const size_t dot = path.rfind('.');
  if (dot == std::string_view::npos) {
    return nullptr;
  }
  const Api* klass = own_row(path.substr(0, dot));
  return klass != nullptr ? find_method(*klass, path.substr(dot + 1)) : nullptr;
}

std::string canonical_path(std::string_view written)
{
  constexpr int k_longest_chain = 8;
  const auto& aliases = registry().aliases;
  std::string path(written);
  for (int step = 0; step < k_longest_chain; ++step) {
    std::string next;
    const auto replace = [&](std::string_view prefix) {
      const auto found = aliases.find(prefix);
      if (found == aliases.end()) {
        return false;
      }
      next = std::string(found->second) + path.substr(prefix.size());
      return true;
    };
    if (!replace(path) && !any_prefix(path, replace)) {
      break;
    }
    path = std::move(next);
  }
  return path;
}

bool is_namespace(std::string_view path)
{
  return registry().namespaces.contains(path);
}

bool is_modelled_library(std::string_view path)
{
  constexpr std::string_view k_libraries[] = {
      "builtins", "torch", "torchvision", "tensorflow", "keras", "numpy", "sklearn", "pandas"};
  const std::string_view library = path.substr(0, path.find('.'));
  return std::ranges::find(k_libraries, library) != std::end(k_libraries);
}

bool is_opaque(std::string_view path)
{
  const auto& opaque = registry().opaque;
  const auto listed = [&](std::string_view prefix) { return opaque.contains(prefix); };
  return listed(path) || any_prefix(path, listed);
}

const std::vector<Parameter>& parameters_of(const Api& api)
{
  static const std::vector<Parameter> k_none;
  const auto found = registry().parameters.find(&api);
  return found != registry().parameters.end() ? found->second : k_none;
}

} // namespace faultline::program
