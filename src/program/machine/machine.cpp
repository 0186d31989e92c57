#include "program/machine/machine.hpp"

#include <algorithm>

namespace faultline::program {

Ref Machine::unknown(std::string why)
{
  auto* made = make<Unknown>();
  made->why = std::move(why);
  return made;
}

Ref Machine::none()
{
  if (m_none == nullptr) {
    m_none = make<None>();
  }
  return m_none;
}

Ref Machine::boolean(bool value)
{
  auto* made = make<Constant>();
  made->value = value;
  return made;
}

Ref Machine::truth()
{
  return number(Interval::of(0, 1), true);
}

Ref Machine::integer(int64_t value)
{
  auto* made = make<Constant>();
  made->value = value;
  return made;
}

Ref Machine::integer(Dim dim)
{
  if (const std::optional<int64_t> value = dim.constant()) {
    return integer(*value);
  }
  auto* made = make<Number>();
  made->integer = true;
  made->dim = dim;
  return made;
}

Ref Machine::real(double value)
{
  auto* made = make<Constant>();
  made->value = value;
  return made;
}

Ref Machine::number(Interval interval, bool is_integer)
{
  auto* made = make<Number>();
  made->integer = is_integer;
  made->interval = interval;
  return made;
}

Ref Machine::string(std::string value)
{
  constexpr size_t k_most_bytes = size_t{64} << 20U;
  m_text_bytes += value.size();
  if (m_text_bytes > k_most_bytes) {
    return text();
  }
  auto* made = make<Constant>();
  made->value = std::move(value);
  return made;
}

Ref Machine::text()
{
  return make<Text>();
}

Sequence* Machine::list(std::vector<Ref> items)
{
  constexpr size_t k_most_items = 10'000'000;
  auto* made = make<Sequence>();
  m_listed += items.size();
  if (m_listed > k_most_items && !items.empty()) {
    made->open = true;
    return made;
  }
  made->items = std::move(items);
  return made;
}

Sequence* Machine::tuple(std::vector<Ref> items)
{
  Sequence* made = list(std::move(items));
  made->type = Sequence::Type::tuple;
  return made;
}

Sequence* Machine::open_list(Ref rest)
{
  Sequence* made = list({});
  made->open = true;
  made->rest = rest;
  return made;
}

Dict* Machine::dict()
{
  return make<Dict>();
}

Instance* Machine::instance(const Api& api, Call* made_by)
{
  auto* made = make<Instance>();
  made->api = &api;
  made->made_by = made_by;
  m_program.m_instances.push_back(made);
  return made;
}

Tensor* Machine::tensor(Call& call, Shape shape, DType dtype, Interval interval)
{
  auto* made = make<Tensor>();
  made->origin = call.span;
  made->shape = std::move(shape);
  made->dtype = dtype;
  made->interval = interval;
  made->producer = &call;
  made->leaf = Truth::no;
  made->requires_grad = Truth::no;
  bool first = true;
  for (const Tensor* input : call.inputs()) {
    if (first || made->library == Library::numpy) {
      made->library = input->library;
    }
    if (first) {
      made->device = input->device;
      first = false;
    }
    if (input->requires_grad == Truth::yes) {
      made->requires_grad = Truth::yes;
    } else if (input->requires_grad == Truth::unknown && made->requires_grad == Truth::no) {
      made->requires_grad = Truth::unknown;
    }
  }
  if (first) {
    made->requires_grad = Truth::unknown;
    made->library = call.name.starts_with("torch")        ? Library::torch
                    : call.name.starts_with("tensorflow") ? Library::tensorflow
                    : call.name.starts_with("keras")      ? Library::keras
                    : call.name.starts_with("numpy")      ? Library::numpy
                                                          : Library::other;
  }
  if (gradient_off() || call.has(k_no_gradient)) {
    made->requires_grad = Truth::no;
  } else if (call.has(k_learning)) {
    made->requires_grad = Truth::yes;
  }
  return made;
}

Tensor* Machine::like(Call& call, const Tensor& input)
{
  Tensor* made = tensor(call, input.shape, input.dtype, input.interval);
  made->library = input.library;
  made->encoding = input.encoding;
  made->classes = input.classes;
  made->source = input.source;
  made->literal = input.literal;
  made->contiguous = input.contiguous;
  made->device = input.device;
  return made;
}

Tensor* Machine::data(Library library, Shape shape, DType dtype, Interval interval)
{
  auto* made = make<Tensor>();
  made->library = library;
  made->shape = std::move(shape);
  made->dtype = dtype;
  made->interval = interval;
  return made;
}

const DataSource* Machine::source(DataSource data)
{
  return &m_program.m_sources.emplace_back(std::move(data));
}

Dim Machine::fresh_symbol()
{
  return Dim::symbol(++m_last_symbol);
}

std::string_view Machine::keep(std::string text)
{
  return m_program.m_strings.emplace_back(std::move(text));
}

Ref Machine::call(Ref callee, std::vector<Ref> arguments, Span span)
{
  std::vector<Argument> bound;
  bound.reserve(arguments.size());
  for (const Ref argument : arguments) {
    bound.push_back({.name = {}, .value = argument, .span = span, .given = true});
  }
  return call(callee, std::move(bound), span);
}

Ref Machine::call_api(std::string_view path, std::vector<Argument> arguments, Span span)
{
  auto* name = make<ApiName>();
  name->path = std::string(path);
  name->written = name->path;
  name->api = find_api(path);
  return call(name, std::move(arguments), span);
}

Problem& Machine::problem(ProblemKind kind, Span span, std::string message, const Call* call)
{
  Problem& made = m_program.m_problems.emplace_back();
  made.kind = kind;
  made.span = span;
  made.message = std::move(message);
  made.call = call;
  return made;
}

LossUse& Machine::loss_use(Call& call)
{
  LossUse& made = m_program.m_losses.emplace_back();
  made.call = &call;
  made.span = call.span;
  return made;
}

void Machine::gap(std::string what, Span span)
{
  constexpr size_t k_most = 1000; // enough to say what is missing
  if (m_program.m_gaps.size() < k_most) {
    m_program.m_gaps.push_back({std::move(what), span});
  }
}

bool Machine::gradient_off() const
{
  for (const Context* region = context(); region != nullptr; region = region->parent) {
    if (region->kind == Context::Kind::with) {
      const auto* manager = as<Instance>(region->subject);
      if (manager != nullptr && manager->api != nullptr && manager->api->op == "grad_off") {
        return true;
      }
    }
    if (region->kind == Context::Kind::function) {
      const auto* function = as<Function>(region->subject);
      if (function != nullptr && function->gradient_off) {
        return true;
      }
    }
  }
  return false;
}

} // namespace faultline::program
