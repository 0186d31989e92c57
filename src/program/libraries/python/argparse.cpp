// Command-line options: argparse. A parser keeps its options as a dict, `options`; parsing gives an
// object with their defaults, each marked as an assumption.

#include "program/libraries/python/options.hpp"
#include "program/names/tables.hpp"

namespace faultline::program {

static Dict* options_of(Machine& m, Ref parser)
{
  auto* const object = as<Instance>(parser);
  if (object == nullptr) {
    return nullptr;
  }
  if (auto* known = as<Dict>(find_attribute(*object, "options"))) {
    return known;
  }
  Dict* const fresh = m.dict();
  set_field(m, *object, "options", fresh);
  return fresh;
}

// The name under which `--batch-size` or `-b` is found.
static std::optional<std::string> destination(const Machine& m, const Call& call)
{
  if (const Argument* dest = call.given("dest")) {
    const auto name = m.to_string(dest->value);
    return name ? std::optional<std::string>(*name) : std::nullopt;
  }
  std::optional<std::string> result;
  for (const Ref flag : positional(call)) {
    const auto text = m.to_string(flag);
    if (!text) {
      return std::nullopt;
    }
    const bool is_long = text->starts_with("--") || !text->starts_with("-");
    if (!result || is_long) {
      result = option_name(*text);
      if (is_long) {
        break;
      }
    }
  }
  return result;
}

static bool is_positional(const Machine& m, const Call& call)
{
  const std::vector<Ref> flags = positional(call);
  const auto first = flags.empty() ? std::nullopt : m.to_string(flags.front());
  return first && !first->starts_with("-");
}

static Ref value_of_option(Machine& m, const Call& call)
{
  const std::string_view action = m.to_string(take(m, call, "action")).value_or("store");
  const Ref fallback = take(m, call, "default");
  const bool has_default = call.given("default") != nullptr;
  if (action == "store_true" || action == "store_false") {
    return has_default ? assumed(m, fallback) : assumed(m, m.boolean(action == "store_false"));
  }
  if (action == "count") {
    return has_default ? assumed(m, fallback) : m.number(Interval::of(0, Interval::k_inf), true);
  }
  if (has_default) {
    if (!m.is_none(fallback)) {
      return assumed(m, converted(m, fallback, take(m, call, "type")));
    }
  } else if (action == "store_const" || action == "append_const") {
    return m.unknown();
  }
  Ref value = value_of_type(m, take(m, call, "type"));
  const auto count = m.to_string(take(m, call, "nargs"));
  if (action == "append" || count == "+" || count == "*") {
    value = m.open_list(value);
  } else if (const auto n = m.to_int(take(m, call, "nargs")); n && *n >= 1 && *n <= 16) {
    value = m.list(std::vector<Ref>(static_cast<size_t>(*n), value));
  }
  const bool optional = !is_positional(m, call) && m.to_bool(take(m, call, "required")) != true;
  return optional ? m.join(m.none(), value) : value;
}

static Ref add_argument(Machine& m, Call& call)
{
  Dict* const options = options_of(m, call.self);
  if (options == nullptr) {
    return m.unknown();
  }
  m.touch(*options);
  if (const auto name = destination(m, call)) {
    set_option(m, *options, *name, value_of_option(m, call));
  } else {
    options->open = true;
  }
  return m.unknown();
}

static Ref set_defaults(Machine& m, Call& call)
{
  if (Dict* const options = options_of(m, call.self)) {
    m.touch(*options);
    for (const Argument& argument : call.surplus) {
      if (argument.name.empty()) {
        options->open = true;
      } else {
        set_option(m, *options, argument.name, assumed(m, argument.value));
      }
    }
  }
  return m.none();
}

static Ref parse(Machine& m, Call& call)
{
  Instance* const space = object_of(m, "argparse.Namespace", call);
  if (const Dict* options = options_of(m, call.self)) {
    for (const auto& [key, value] : options->items) {
      if (const auto name = m.to_string(key)) {
        set_field(m, *space, *name, value);
      }
    }
  }
  return space;
}

static Ref parse_known(Machine& m, Call& call)
{
  return m.tuple({parse(m, call), m.open_list(m.text())});
}

static Ref name_space(Machine& m, Call& call)
{
  Instance* const space = object_of(m, "argparse.Namespace", call);
  for (const Argument& argument : call.surplus) {
    if (!argument.name.empty()) {
      set_field(m, *space, argument.name, argument.value);
    }
  }
  return space;
}

// Groups and sub-commands share the options of their parser.
static Ref same_parser(Machine&, Call& call)
{
  return call.self;
}

static Ref get_default(Machine& m, Call& call)
{
  const Dict* const options = options_of(m, call.self);
  const auto name = m.to_string(take(m, call, "dest"));
  const Ref value = options != nullptr && name ? options->find(*name) : nullptr;
  return value != nullptr ? value : m.unknown();
}

static Ref parser(Machine& m, Call& call)
{
  Instance* const made = object_of(m, "argparse.ArgumentParser", call);
  for (const Ref parent : m.items_of(take(m, call, "parents"))) {
    if (const Dict* known = options_of(m, parent)) {
      Dict* const options = options_of(m, made);
      options->items.insert(options->items.end(), known->items.begin(), known->items.end());
    }
  }
  return made;
}

static constexpr Api k_rows[] = {
    {"argparse.ArgumentParser",
     "prog=None, usage=None, description=None, epilog=None, parents=[], **kwargs",
     Role::object,
     {},
     0,
     parser},
    {"argparse.ArgumentParser.add_argument",
     "*flags, action='store', nargs=None, const=None, default=None, type=None, choices=None, "
     "required=False, help=None, metavar=None, dest=None, **kwargs",
     Role::method,
     {},
     0,
     add_argument},
    {"argparse.ArgumentParser.add_argument_group",
     "*args, **kwargs",
     Role::method,
     {},
     0,
     same_parser},
    {"argparse.ArgumentParser.add_mutually_exclusive_group",
     "**kwargs",
     Role::method,
     {},
     0,
     same_parser},
    {"argparse.ArgumentParser.add_subparsers", "**kwargs", Role::method, {}, 0, same_parser},
    {"argparse.ArgumentParser.add_parser", "name, **kwargs", Role::method, {}, 0, same_parser},
    {"argparse.ArgumentParser.set_defaults", "**kwargs", Role::method, {}, 0, set_defaults},
    {"argparse.ArgumentParser.get_default", "dest", Role::method, {}, 0, get_default},
    {"argparse.ArgumentParser.parse_args", "args=None, namespace=None", Role::method, {}, 0, parse},
    {"argparse.ArgumentParser.parse_intermixed_args",
     "args=None, namespace=None",
     Role::method,
     {},
     0,
     parse},
    {"argparse.ArgumentParser.parse_known_args",
     "args=None, namespace=None",
     Role::method,
     {},
     0,
     parse_known},
    {"argparse.ArgumentParser.print_help", "file=None", Role::opaque},
    {"argparse.ArgumentParser.print_usage", "file=None", Role::opaque},
    {"argparse.ArgumentParser.format_help", "", Role::opaque},
    {"argparse.ArgumentParser.error", "message", Role::opaque},
    {"argparse.ArgumentParser.exit", "*args", Role::opaque},
    {"argparse.ArgumentParser.register", "*args", Role::opaque},
    {"argparse.Namespace", "**kwargs", Role::object, {}, 0, name_space},
    {"argparse.FileType", "*args, **kwargs", Role::object},
    {"argparse.Action", "*args, **kwargs", Role::object},
    {"argparse.ArgumentTypeError", "*args", Role::object},
    {"argparse.ArgumentDefaultsHelpFormatter", "*args", Role::object},
    {"argparse.RawTextHelpFormatter", "*args", Role::object},
    {"argparse.RawDescriptionHelpFormatter", "*args", Role::object},
    {"argparse.BooleanOptionalAction", "", Role::object},
    {"argparse.REMAINDER", "", Role::constant},
    {"argparse.SUPPRESS", "", Role::constant},
    {"optparse.OptionParser",
     "*args, **kwargs",
     Role::object,
     {},
     0,
     parser,
     "argparse.ArgumentParser"},
    {"optparse.OptionParser.add_option",
     "*flags, action='store', nargs=None, const=None, default=None, type=None, choices=None, "
     "required=False, help=None, metavar=None, dest=None, **kwargs",
     Role::method,
     {},
     0,
     add_argument},
    {"optparse.OptionParser.parse_args",
     "args=None, values=None",
     Role::method,
     {},
     0,
     parse_known},
};

std::span<const Api> python_argparse()
{
  return k_rows;
}

} // namespace faultline::program
