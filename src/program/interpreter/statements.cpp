#include "base/format.hpp"
#include "program/interpreter/interpreter.hpp"
#include "program/values/classes.hpp"

#include <algorithm>

namespace faultline::program {

Interpreter::Flow Interpreter::execute_block(const Syntax* block)
{
  if (block == nullptr) {
    return Flow::normal;
  }
  if (block->kind != SyntaxKind::block) {
    return execute(block);
  }
  for (const Syntax* statement : block->children) {
    const Flow flow = execute(statement);
    if (flow != Flow::normal) {
      return flow;
    }
  }
  return Flow::normal;
}

Interpreter::Flow Interpreter::execute(const Syntax* statement)
{
  const Deeper deeper(*this);
  if (statement == nullptr || deeper.too_deep() || !step()) {
    return Flow::normal;
  }
  m_here = statement->span;
  switch (statement->kind) {
  case SyntaxKind::block:
    return execute_block(statement);
  case SyntaxKind::expression: {
    const size_t before = m_program.m_calls.size();
    evaluate(statement->child(0));
    // The outermost call of the statement is the first recorded whose span is the whole.
    for (size_t i = before; i < m_program.m_calls.size(); ++i) {
      if (m_program.m_calls[i].span == statement->child(0)->span) {
        m_program.m_calls[i].discarded = true;
      }
    }
    return Flow::normal;
  }
  case SyntaxKind::assign: {
    // a = b = value
    std::vector<const Syntax*> targets = {statement->child(0)};
    const Syntax* value = statement->child(1);
    while (value != nullptr && value->kind == SyntaxKind::assign) {
      targets.push_back(value->child(0));
      value = value->child(1);
    }
    const Ref result = evaluate(value);
    for (const Syntax* target : targets) {
      assign(target, result);
    }
    return Flow::normal;
  }
  case SyntaxKind::augment:
    execute_augment(*statement);
    return Flow::normal;
  case SyntaxKind::return_: {
    const Ref value = statement->children.empty()       ? none()
                      : statement->children.size() == 1 ? evaluate(statement->child(0))
                                                        : evaluate_sequence(*statement);
    if (!m_frames.empty()) {
      m_frames.back().result =
          m_frames.back().result == nullptr ? value : join(m_frames.back().result, value);
    }
    return Flow::returned;
  }
  case SyntaxKind::raise_:
    for (const Syntax* child : statement->children) {
      evaluate(child);
    }
    return Flow::raised;
  case SyntaxKind::print:
  case SyntaxKind::exec:
  case SyntaxKind::assert_:
    for (const Syntax* child : statement->children) {
      evaluate(child);
    }
    return Flow::normal;
  case SyntaxKind::global:
    for (const Syntax* name : statement->children) {
      m_scope->globals.insert(name->text);
    }
    return Flow::normal;
  case SyntaxKind::nonlocal:
    for (const Syntax* name : statement->children) {
      m_scope->nonlocals.insert(name->text);
    }
    return Flow::normal;
  case SyntaxKind::import:
    execute_import(*statement);
    return Flow::normal;
  case SyntaxKind::import_from:
    execute_import_from(*statement);
    return Flow::normal;
  case SyntaxKind::if_:
    return execute_if(*statement);
  case SyntaxKind::for_:
    return execute_for(*statement);
  case SyntaxKind::while_:
    return execute_while(*statement);
  case SyntaxKind::try_:
    return execute_try(*statement);
  case SyntaxKind::with:
    return execute_with(*statement);
  case SyntaxKind::match_:
    return execute_match(*statement);
  case SyntaxKind::function:
    define_function(*statement);
    return Flow::normal;
  case SyntaxKind::class_:
    define_class(*statement);
    return Flow::normal;
  case SyntaxKind::break_:
    return Flow::broke;
  case SyntaxKind::continue_:
    return Flow::continued;
  case SyntaxKind::broken:
    gap("syntax not understood", statement->span);
    return Flow::normal;
  default:
    return Flow::normal;
  }
}

Interpreter::Flow Interpreter::branch(const std::vector<std::function<Flow()>>& alternatives)
{
  std::vector<Contents> outcomes;
  std::vector<Flow> flows;
  for (const std::function<Flow()>& alternative : alternatives) {
    m_trail.begin();
    const Flow flow = alternative();
    Contents outcome = m_trail.undo();
    flows.push_back(flow);
    // A path that left the function leaves nothing behind in it.
    if (flow != Flow::returned && flow != Flow::raised) {
      outcomes.push_back(std::move(outcome));
    }
  }
  if (outcomes.empty()) {
    return std::ranges::find(flows, Flow::returned) != flows.end() ? Flow::returned : Flow::raised;
  }
  merge(std::move(outcomes));
  if (std::ranges::find(flows, Flow::normal) != flows.end()) {
    return Flow::normal;
  }
  return std::ranges::find(flows, Flow::continued) != flows.end() ? Flow::continued : Flow::broke;
}

void Interpreter::merge(std::vector<Contents> outcomes)
{
  std::vector<Container*> touched;
  for (const Contents& outcome : outcomes) {
    for (const auto& [container, content] : outcome) {
      if (std::ranges::find(touched, container) == touched.end()) {
        touched.push_back(container);
      }
    }
  }
  for (Container* container : touched) {
    const Content before = content_of(*container);
    std::optional<Content> result;
    for (const Contents& outcome : outcomes) {
      const auto found = outcome.find(container);
      const Content& content = found != outcome.end() ? found->second : before;
      if (!result) {
        result = content;
        continue;
      }
      for (auto& [name, value] : result->names) {
        const auto other = content.names.find(name);
        value = other != content.names.end() ? join(value, other->second) : value;
      }
      for (const auto& [name, value] : content.names) {
        result->names.try_emplace(name, value);
      }
      if (result->items.size() == content.items.size()) {
        for (size_t i = 0; i < content.items.size(); ++i) {
          result->items[i] = join(result->items[i], content.items[i]);
        }
      } else {
        // Items that only some paths have: the longer list, with the rest open.
        if (content.items.size() > result->items.size()) {
          std::swap(result->items, const_cast<Content&>(content).items);
        }
        result->open = true;
      }
      if (result->pairs.size() < content.pairs.size()) {
        result->pairs = content.pairs;
        result->open = true;
      }
      result->open = result->open || content.open;
      result->rest = result->rest == nullptr ? content.rest : join(result->rest, content.rest);
      result->device.join(content.device);
    }
    touch(*container);
    restore(*container, std::move(*result));
  }
}

Interpreter::Flow Interpreter::execute_if(const Syntax& statement)
{
  const Ref condition = evaluate(statement.child(0));
  const std::optional<bool> known = truthiness(condition);
  const auto run = [&](size_t side) {
    Region region(*this,
                  {.kind = Context::Kind::branch,
                   .syntax = &statement,
                   .span = statement.span,
                   .subject = condition,
                   .iteration = side});
    return execute_block(statement.child(side));
  };
  if (known && !condition->assumed) {
    return execute_block(statement.child(*known ? 1 : 2));
  }
  return branch({[&] { return run(1); }, [&] { return run(2); }});
}

Interpreter::Flow Interpreter::iteration(const Syntax& loop,
                                         Ref iterable,
                                         size_t number,
                                         const Syntax* target,
                                         Ref value,
                                         const Syntax* body)
{
  Region region(*this,
                {.kind = Context::Kind::loop,
                 .syntax = &loop,
                 .span = loop.span,
                 .subject = iterable,
                 .iteration = number});
  size_t fact = 0;
  if (number == 0) {
    fact = m_program.m_loops.size();
    m_program.m_loops.push_back({.context = &region.context(),
                                 .iterable = iterable,
                                 .span = loop.span,
                                 .first_call = m_program.m_calls.size(),
                                 .end_call = 0,
                                 .endless = target == nullptr && value != nullptr});
  }
  if (target != nullptr) {
    assign(target, value);
  }
  const Flow flow = execute_block(body);
  if (number == 0) {
    m_program.m_loops[fact].end_call = m_program.m_calls.size();
  }
  return flow;
}

Interpreter::Flow Interpreter::execute_for(const Syntax& statement)
{
  const Ref iterable = evaluate(statement.child(1));
  const Syntax* target = statement.child(0);
  const Syntax* body = statement.child(2);
  std::vector<Ref> items;
  bool exact = false;
  if (const auto* sequence = as<Sequence>(iterable)) {
    items = sequence->items;
    exact = !sequence->open;
    if (sequence->open) {
      items.push_back(sequence->rest != nullptr ? sequence->rest : unknown());
    }
  } else if (const auto* object = as<Instance>(iterable);
             object != nullptr && !object->items.empty() && object->api != nullptr &&
             (object->api->role == Role::model || object->api->role == Role::layer)) {
    items = object->items;
    exact = true;
  } else {
    items = {iterate(iterable, statement.child(1)->span)};
  }
  if (exact && items.empty()) {
    return execute_block(statement.child(3));
  }
  // Of a long loop only the first trips are made, so what hangs on the number of the trip is open.
  constexpr size_t k_few = 16;
  if (exact && items.size() > k_few) {
    for (size_t i = 0; i < 2; ++i) {
      if (const auto* constant = as<Constant>(items[i])) {
        auto* open = make<Constant>();
        open->value = constant->value;
        open->assumed = true;
        items[i] = open;
      }
    }
  }
  constexpr size_t k_short = 4; // a list this short is gone through whatever the body does
  size_t built = 0;
  for (size_t i = 0; i < m_limits.unroll && !m_exhausted; ++i) {
    const bool last = i + 1 >= 2;
    if (i >= items.size() && exact) {
      break;
    }
    const size_t before = m_program.m_instances.size();
    Ref item = items[std::min(i, items.size() - 1)];
    if (i == 1 && exact && built == 0 && items.size() > k_short) {
      // The last time round stands for all others, so that no branch is left out.
      for (const size_t other : {size_t{2}, size_t{3}, items.size() - 1}) {
        item = join(item, items[other]);
      }
    }
    m_trail.begin();
    const Flow flow = iteration(statement, iterable, i, target, item, body);
    const Contents changed = m_trail.commit();
    built += static_cast<size_t>(
        std::count_if(m_program.m_instances.begin() + static_cast<std::ptrdiff_t>(before),
                      m_program.m_instances.end(),
                      [](const Instance* made) {
                        return made->api->role == Role::layer || made->api->role == Role::model;
                      }));
    if (flow == Flow::returned || flow == Flow::raised) {
      // An unconditional return in a loop over something of unknown length may never be reached.
      return exact ? flow : Flow::normal;
    }
    if (flow == Flow::broke) {
      break;
    }
    const bool builds = built > 0 && exact;
    if (last && !builds && !(exact && items.size() <= k_short)) {
      widen(changed);
      break;
    }
    if (!exact && last) {
      break;
    }
  }
  return execute_block(statement.child(3));
}

Interpreter::Flow Interpreter::execute_while(const Syntax& statement)
{
  const Ref condition = evaluate(statement.child(0));
  const std::optional<bool> known = truthiness(condition);
  if (known == false && !condition->assumed) {
    return execute_block(statement.child(2));
  }
  const bool endless = known == true && !condition->assumed;
  for (size_t i = 0; i < 2 && !m_exhausted; ++i) {
    m_trail.begin();
    const Flow flow = iteration(
        statement, nullptr, i, nullptr, endless ? condition : nullptr, statement.child(1));
    const Contents changed = m_trail.commit();
    if (flow == Flow::returned || flow == Flow::raised) {
      return flow;
    }
    if (flow == Flow::broke) {
      break;
    }
    if (i == 1) {
      widen(changed);
    }
    evaluate(statement.child(0));
  }
  return Flow::normal;
}

// What a second trip round the loop still changed may take any such value.
void Interpreter::widen(const Contents& before)
{
  for (const auto& [container, old] : before) {
    Content now = content_of(*container);
    for (auto& [name, value] : now.names) {
      const auto earlier = old.names.find(name);
      if (earlier == old.names.end() || earlier->second == value) {
        continue;
      }
      const auto* constant = as<Constant>(value);
      const auto* before_constant = as<Constant>(earlier->second);
      if (constant != nullptr && before_constant != nullptr &&
          constant->value == before_constant->value) {
        continue;
      }
      if (constant != nullptr && !std::holds_alternative<std::string>(constant->value)) {
        Interval interval = to_interval(earlier->second);
        interval.widen(to_interval(value));
        value = this->number(interval, to_int(value).has_value());
      } else {
        value = join(earlier->second, value);
      }
    }
    if (now.items.size() > old.items.size() && container->kind == Kind::sequence) {
      now.open = true;
      Ref rest = now.rest;
      for (const Ref item : now.items) {
        rest = rest == nullptr ? item : join(rest, item);
      }
      now.items.resize(old.items.size());
      now.rest = rest;
    }
    if (now.pairs.size() > old.pairs.size()) {
      now.open = true;
    }
    touch(*container);
    restore(*container, std::move(now));
  }
}

Interpreter::Flow Interpreter::execute_try(const Syntax& statement)
{
  const size_t handlers = statement.split;
  Flow flow = execute_block(statement.child(0));
  if (flow == Flow::raised && handlers > 0) {
    flow = Flow::normal;
  }
  const Syntax* otherwise = statement.child(1 + handlers);
  if (flow == Flow::normal && otherwise != nullptr) {
    flow = execute_block(otherwise);
  }
  for (size_t i = 0; i < handlers; ++i) {
    const Syntax& handler = *statement.child(1 + i);
    const auto run = [&] {
      Region region(*this,
                    {.kind = Context::Kind::handler, .syntax = &handler, .span = handler.span});
      if (handler.child(0) != nullptr) {
        evaluate(handler.child(0));
      }
      if (!handler.text.empty()) {
        assign_name(handler.text, unknown());
      }
      return execute_block(handler.child(1));
    };
    // A handler that does not come back does not count against the path that needs none.
    const Flow after = branch({[] { return Flow::normal; }, run});
    if (flow != Flow::normal && after == Flow::normal && flow != Flow::returned) {
      flow = Flow::normal;
    }
  }
  const Flow last = execute_block(statement.child(2 + handlers));
  return last == Flow::normal ? flow : last;
}

Interpreter::Flow Interpreter::execute_with(const Syntax& statement)
{
  // Items nest; each region ends with the statement.
  std::vector<std::unique_ptr<Region>> regions;
  for (size_t i = 0; i + 1 < statement.children.size(); ++i) {
    const Syntax& item = *statement.children[i];
    const Ref manager = evaluate(item.child(0));
    regions.push_back(std::make_unique<Region>(*this,
                                               Context{.kind = Context::Kind::with,
                                                       .syntax = &statement,
                                                       .span = statement.span,
                                                       .subject = manager}));
    Ref entered = manager;
    if (auto* object = as<Instance>(manager)) {
      if (object->klass != nullptr && find_in_class(*object->klass, "__enter__") != nullptr) {
        entered = call(attribute(object, "__enter__", item.span), std::vector<Ref>{}, item.span);
      } else if (object->api != nullptr && find_method(*object->api, "__enter__") != nullptr) {
        entered = call(attribute(object, "__enter__", item.span), std::vector<Ref>{}, item.span);
      }
    }
    if (item.child(1) != nullptr) {
      assign(item.child(1), entered);
    }
  }
  const Flow flow = execute_block(statement.children.back());
  while (!regions.empty()) {
    regions.pop_back();
  }
  return flow;
}

Interpreter::Flow Interpreter::execute_match(const Syntax& statement)
{
  std::vector<std::function<Flow()>> cases;
  for (const Syntax* one : statement.children) {
    cases.push_back([this, one] { return execute_block(one->child(0)); });
  }
  cases.push_back([] { return Flow::normal; });
  return branch(cases);
}

void Interpreter::execute_augment(const Syntax& statement)
{
  const Ref before = evaluate(statement.child(0));
  const Ref value = evaluate(statement.child(1));
  m_here = statement.span;
  if (auto* sequence = as<Sequence>(before);
      sequence != nullptr && statement.text == "+" && sequence->type == Sequence::Type::list) {
    touch(*sequence);
    if (const auto* more = as<Sequence>(value)) {
      sequence->items.insert(sequence->items.end(), more->items.begin(), more->items.end());
      sequence->open = sequence->open || more->open;
      sequence->rest = sequence->rest == nullptr ? more->rest : sequence->rest;
    } else {
      sequence->open = true;
    }
    return;
  }
  const Ref result = evaluate_binary(statement.text, before, value, statement, true);
  // Without gradients PyTorch changes the tensor that is there: a weight stays a weight.
  const auto* tensor = as<Tensor>(before);
  const bool element = statement.child(0)->kind == SyntaxKind::subscript;
  if (tensor != nullptr && tensor->library == Library::torch && gradient_off() && !element) {
    return;
  }
  assign(statement.child(0), result);
}

void Interpreter::assign_name(std::string_view name, Ref value)
{
  Scope* scope = m_scope;
  if (scope->globals.contains(name)) {
    scope = m_unit->globals;
  } else if (scope->nonlocals.contains(name)) {
    for (Scope* outer = scope->parent; outer != nullptr; outer = outer->parent) {
      if (outer->names.contains(name)) {
        scope = outer;
        break;
      }
    }
  }
  touch(*scope);
  scope->names[name] = value;
}

void Interpreter::assign(const Syntax* target, Ref value)
{
  if (target == nullptr) {
    return;
  }
  switch (target->kind) {
  case SyntaxKind::name:
    assign_name(target->text, value);
    return;
  case SyntaxKind::attribute:
    set_attribute(evaluate(target->child(0)), target->text, value, target->span);
    return;
  case SyntaxKind::subscript: {
    const Ref object = evaluate(target->child(0));
    const Ref index = evaluate_index(*target);
    if (auto* dict = as<Dict>(object)) {
      touch(*dict);
      const auto* key = as<Constant>(index);
      for (auto& [old, held] : dict->items) {
        const auto* other = as<Constant>(old);
        if (key != nullptr && other != nullptr && key->value == other->value) {
          held = value;
          return;
        }
      }
      dict->items.emplace_back(index, value);
    } else if (auto* sequence = as<Sequence>(object)) {
      const std::optional<int64_t> at = to_int(index);
      touch(*sequence);
      const auto size = static_cast<int64_t>(sequence->items.size());
      if (at && *at >= -size && *at < size) {
        sequence->items[static_cast<size_t>(*at < 0 ? *at + size : *at)] = value;
      } else {
        sequence->open = true;
      }
    } else if (auto* holder = as<Instance>(object);
               holder != nullptr && to_int(index) && !holder->items.empty()) {
      touch(*holder);
      const auto size = static_cast<int64_t>(holder->items.size());
      const int64_t at = *to_int(index) < 0 ? *to_int(index) + size : *to_int(index);
      if (at >= 0 && at < size) {
        holder->items[static_cast<size_t>(at)] = value;
      }
    } else if (as<Tensor>(object) != nullptr) {
      operator_call("operator.setitem",
                    {{.name = "a", .value = object, .span = target->child(0)->span, .given = true},
                     {.name = "index", .value = index, .span = target->span, .given = true},
                     {.name = "value", .value = value, .span = target->span, .given = true}},
                    target->span);
    }
    return;
  }
  case SyntaxKind::tuple:
  case SyntaxKind::list:
    unpack(*target, value);
    return;
  case SyntaxKind::star:
    assign(target->child(0), open_list(nullptr));
    return;
  default:
    return;
  }
}

void Interpreter::unpack(const Syntax& target, Ref value)
{
  const size_t wanted = target.children.size();
  if (const auto* choice = as<Choice>(value)) {
    // The first option that has as many parts.
    for (const Ref option : choice->options) {
      const auto* sequence = as<Sequence>(option);
      if (sequence != nullptr && sequence->items.size() == wanted) {
        value = option;
        break;
      }
    }
  }
  // A record such as a named tuple.
  if (const auto* record = as<Instance>(value);
      record != nullptr && record->klass == nullptr && record->items.size() == wanted) {
    value = tuple(record->items);
  }
  const auto* sequence = as<Sequence>(value);
  const auto star = std::ranges::find_if(
      target.children, [](const Syntax* child) { return child->kind == SyntaxKind::star; });
  if (sequence != nullptr && !sequence->open && star != target.children.end() &&
      sequence->items.size() + 1 >= wanted) {
    const auto place = static_cast<size_t>(star - target.children.begin());
    const size_t many = sequence->items.size() + 1 - wanted;
    const std::vector<Ref> items = sequence->items;
    for (size_t i = 0; i < wanted; ++i) {
      if (i == place) {
        const auto first = items.begin() + static_cast<std::ptrdiff_t>(place);
        assign(target.children[i]->child(0),
               list({first, first + static_cast<std::ptrdiff_t>(many)}));
      } else {
        assign(target.children[i], items[i < place ? i : i + many - 1]);
      }
    }
    return;
  }
  if (sequence != nullptr && sequence->items.size() == wanted) {
    const std::vector<Ref> items = sequence->items;
    for (size_t i = 0; i < wanted; ++i) {
      assign(target.children[i], items[i]);
    }
    return;
  }
  for (size_t i = 0; i < wanted; ++i) {
    Ref part = nullptr;
    if (auto* tensor = as<Tensor>(value)) {
      Call& call = record("operator.getitem", find_api("operator.getitem"), target.span);
      part = index_tensor(*tensor, integer(static_cast<int64_t>(i)), call);
      finish(call, part);
    } else if (sequence != nullptr && i < sequence->items.size()) {
      part = sequence->items[i];
    } else if (sequence != nullptr && sequence->rest != nullptr) {
      part = sequence->rest;
    } else {
      m_here = target.children[i]->span;
      part = unknown();
    }
    assign(target.children[i], part);
  }
}

void Interpreter::define_function(const Syntax& statement)
{
  auto* function = make<Function>();
  function->definition = &statement;
  function->unit = m_unit;
  function->name = statement.text;
  function->origin = statement.span;
  function->closure = m_scope;
  for (const Syntax* parameter : statement.child(0)->children) {
    function->defaults.push_back(parameter->child(0) != nullptr ? evaluate(parameter->child(0))
                                                                : nullptr);
  }
  if (m_unit->is_main && m_frames.empty()) {
    m_functions.push_back(function);
  }
  Ref value = function;
  for (size_t i = statement.children.size(); i-- > 2;) {
    const Syntax& decorator = *statement.children[i];
    const Ref wrapper = evaluate(decorator.child(0));
    if (const auto* name = as<ApiName>(wrapper)) {
      if (name->path == "builtins.staticmethod") {
        function->flavour = Function::Flavour::static_method;
      } else if (name->path == "builtins.classmethod") {
        function->flavour = Function::Flavour::class_method;
      } else if (name->path == "builtins.property" || name->path.ends_with("cached_property")) {
        function->flavour = Function::Flavour::property;
      } else if (name->api != nullptr && name->api->op == "grad_off") {
        function->gradient_off = true;
      }
    } else if (const auto* object = as<Instance>(wrapper);
               object != nullptr && object->api != nullptr && object->api->op == "grad_off") {
      function->gradient_off = true;
    } else if (as<Function>(wrapper) != nullptr && value == function) {
      const Ref wrapped = call(wrapper, std::vector<Ref>{function}, decorator.span);
      if (as<Function>(wrapped) != nullptr) {
        function->ran = true; // it is run through its wrapper
        value = wrapped;
      }
    }
    // @click.option('--lr', default=0.1) gives the parameter a value that the user may override.
    const Syntax* made = decorator.child(0);
    if (made != nullptr && made->kind == SyntaxKind::call && made->child(0) != nullptr &&
        made->child(0)->text == "option") {
      std::string parameter;
      Ref fallback = nullptr;
      for (size_t k = 1; k < made->children.size(); ++k) {
        const Syntax& argument = *made->children[k];
        if (argument.kind == SyntaxKind::string && argument.text.starts_with("--")) {
          parameter = std::string(argument.text.substr(2));
        } else if (argument.kind == SyntaxKind::keyword && argument.text == "default") {
          fallback = evaluate(argument.child(0));
        }
      }
      std::ranges::replace(parameter, '-', '_');
      if (const auto* constant = as<Constant>(fallback)) {
        auto* assumed = make<Constant>();
        assumed->value = constant->value;
        assumed->assumed = true;
        function->options[keep(parameter)] = assumed;
      }
    }
  }
  assign_name(statement.text, value);
}

void Interpreter::define_class(const Syntax& statement)
{
  auto* klass = make<Class>();
  klass->definition = &statement;
  klass->unit = m_unit;
  klass->name = statement.text;
  klass->origin = statement.span;
  for (size_t i = 0; i < statement.split; ++i) {
    const Syntax& base = *statement.child(1 + i);
    if (base.kind == SyntaxKind::keyword) {
      continue;
    }
    const Ref value = evaluate(&base);
    klass->bases.push_back(value);
    if (const auto* parent = as<Class>(value)) {
      klass->api_base = klass->api_base != nullptr ? klass->api_base : parent->api_base;
      klass->base_unknown = klass->base_unknown || parent->base_unknown;
    } else if (const auto* name = as<ApiName>(value)) {
      klass->api_base = klass->api_base != nullptr ? klass->api_base : name->api;
      klass->base_unknown =
          klass->base_unknown || (name->api == nullptr && name->path != "builtins.object");
    } else {
      klass->base_unknown = true;
    }
  }
  m_program.m_classes.push_back(klass);

  // The body has a scope of its own, which methods do not see.
  auto owned = std::make_unique<Scope>();
  Scope* scope = owned.get();
  scope->unit = m_unit;
  scope->parent = m_scope == m_unit->globals ? nullptr : m_scope;
  m_program.m_scopes.push_back(std::move(owned));
  Scope* const outer = m_scope;
  m_scope = scope;
  execute_block(statement.child(0));
  m_scope = outer;
  klass->attributes = scope->names;
  for (const auto& [name, value] : klass->attributes) {
    if (auto* function = as<Function>(value)) {
      function->owner = klass;
      function->closure = outer;
    }
  }
  assign_name(statement.text, klass);
}

} // namespace faultline::program
