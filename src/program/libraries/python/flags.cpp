// Command-line options: absl flags (tf.flags is an alias), click, fire, hydra; decorators.

#include "program/libraries/python/options.hpp"
#include "program/libraries/shared/answers.hpp"
#include "program/names/tables.hpp"

namespace faultline::program {

static constexpr std::string_view k_flag_values = "absl.flags.FlagValues";

// The one object that holds all flags of the program.
static Instance* flags(Machine& m, Call& call)
{
  for (Instance* instance : m.program().instances()) {
    if (instance->api != nullptr && instance->api->name == k_flag_values) {
      return instance;
    }
  }
  return object_of(m, k_flag_values, call);
}

static Ref flag_values(Machine& m, Call& call)
{
  return flags(m, call);
}

static Ref define(Machine& m, Call& call, Ref if_none)
{
  const auto name = m.to_string(take(m, call, "name"));
  const Ref fallback = take(m, call, "default");
  const Ref value = m.is_none(fallback) ? m.join(m.none(), if_none) : assumed(m, fallback);
  if (name) {
    set_field(m, *flags(m, call), *name, value);
  }
  Instance* const holder = object_of(m, "absl.flags.FlagHolder", call);
  set_field(m, *holder, "value", value);
  set_field(m, *holder, "default", value);
  return holder;
}

static Ref define_integer(Machine& m, Call& call)
{
  return define(m, call, m.number(Interval::top(), true));
}
static Ref define_float(Machine& m, Call& call)
{
  return define(m, call, m.number(Interval::top()));
}
static Ref define_text(Machine& m, Call& call)
{
  return define(m, call, m.text());
}
static Ref define_truth(Machine& m, Call& call)
{
  return define(m, call, m.truth());
}
static Ref define_list(Machine& m, Call& call)
{
  return define(m, call, m.open_list(m.text()));
}
static Ref define_any(Machine& m, Call& call)
{
  return define(m, call, m.unknown());
}

// app.run(main) parses the flags and calls main([program]).
static Ref run_app(Machine& m, Call& call)
{
  const Ref entry = take(m, call, "main");
  return m.is_none(entry) ? m.unknown()
                          : m.call(entry, std::vector<Ref>{m.open_list(m.text())}, call.span);
}

// --- Decorators that leave the function as it is; click's options are read where it is defined.
// ---

static Ref decorate(Machine& m, Call& call)
{
  // Both `@cache` and `@cache(…)` are written.
  const std::vector<Ref> given = positional(call);
  const bool applied = !given.empty() && (as<Function>(given.front()) != nullptr ||
                                          as<Class>(given.front()) != nullptr);
  return applied ? given.front() : object_of(m, "functools.decorator", call);
}

static constexpr std::string_view k_define =
    "name, default=None, help='', flag_values=None, *args, **kwargs";
static constexpr std::string_view k_any = "*args, **kwargs";

static constexpr Api k_rows[] = {
    {"absl.flags.FLAGS", "", Role::attribute, {}, 0, flag_values},
    {k_flag_values, k_any, Role::object},
    {"absl.flags.FlagValues.__call__", k_any, Role::method, {}, 0, answers::texts},
    {"absl.flags.FlagValues._parse_flags", k_any, Role::opaque},
    {"absl.flags.FlagValues.mark_as_parsed", k_any, Role::opaque},
    {"absl.flags.FlagValues.flag_values_dict", "", Role::method},
    {"absl.flags.FlagValues.__flags", "", Role::attribute},
    {"absl.flags.FlagHolder", k_any, Role::object},
    {"absl.flags.DEFINE_integer", k_define, Role::function, {}, 0, define_integer},
    {"absl.flags.DEFINE_float", k_define, Role::function, {}, 0, define_float},
    {"absl.flags.DEFINE_string", k_define, Role::function, {}, 0, define_text},
    {"absl.flags.DEFINE_enum",
     "name, default, enum_values, help='', **kwargs",
     Role::function,
     {},
     0,
     define_text},
    {"absl.flags.DEFINE_boolean", k_define, Role::function, {}, 0, define_truth},
    {"absl.flags.DEFINE_bool", k_define, Role::function, {}, 0, define_truth},
    {"absl.flags.DEFINE_list", k_define, Role::function, {}, 0, define_list},
    {"absl.flags.DEFINE_spaceseplist", k_define, Role::function, {}, 0, define_list},
    {"absl.flags.DEFINE_multi_integer", k_define, Role::function, {}, 0, define_any},
    {"absl.flags.DEFINE_multi_float", k_define, Role::function, {}, 0, define_any},
    {"absl.flags.DEFINE_multi_string", k_define, Role::function, {}, 0, define_list},
    {"absl.flags.mark_flag_as_required", k_any, Role::opaque},
    {"absl.flags.mark_flags_as_required", k_any, Role::opaque},
    {"absl.app.run", "main=None, argv=None, **kwargs", Role::function, {}, 0, run_app},

    {"click.option", k_any, Role::function, {}, 0, decorate},
    {"click.argument", k_any, Role::function, {}, 0, decorate},
    {"click.command", k_any, Role::function, {}, 0, decorate},
    {"click.group", k_any, Role::function, {}, 0, decorate},
    {"click.pass_context", k_any, Role::function, {}, 0, decorate},
    {"click.Path", k_any, Role::object},
    {"click.File", k_any, Role::object},
    {"click.Choice", k_any, Role::object},
    {"click.INT", "", Role::constant},
    {"click.FLOAT", "", Role::constant},
    {"click.STRING", "", Role::constant},
    {"click.BOOL", "", Role::constant},
    {"click.echo", k_any, Role::opaque},
    {"click.secho", k_any, Role::opaque},
    {"hydra.main", k_any, Role::function, {}, 0, decorate},
    {"functools.decorator", k_any, Role::object},
    {"functools.decorator.__call__", k_any, Role::method, {}, 0, decorate},
    {"functools.wraps", k_any, Role::function, {}, 0, decorate},
    {"functools.lru_cache", k_any, Role::function, {}, 0, decorate},
    {"functools.cache", k_any, Role::function, {}, 0, decorate},
    {"functools.total_ordering", k_any, Role::function, {}, 0, decorate},
    {"atexit.register", k_any, Role::function, {}, 0, decorate},
    {"contextlib.contextmanager", k_any, Role::function, {}, 0, decorate},
    {"abc.abstractmethod", k_any, Role::function, {}, 0, decorate},
    {"dataclasses.dataclass", k_any, Role::function, {}, 0, decorate},
    {"typing.overload", k_any, Role::function, {}, 0, decorate},
    {"typing.final", k_any, Role::function, {}, 0, decorate},
    {"numba.jit", k_any, Role::function, {}, 0, decorate},
    {"numba.njit", k_any, Role::function, {}, 0, decorate},
};

std::span<const Api> python_flags()
{
  return k_rows;
}

} // namespace faultline::program
