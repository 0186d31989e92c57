// The standard library where it makes or keeps values: functools, itertools, collections, copy,
// paths; tqdm and six. What only logs, measures or stores is in data_names.cpp.

#include "program/libraries/shared/answers.hpp"
#include "program/libraries/shared/reading.hpp"
#include "program/names/tables.hpp"

namespace faultline::program {

// --- functools ---

static Ref call_partial(Machine& m, Call& call)
{
  const auto* made_by = call.layer != nullptr ? call.layer->made_by : nullptr;
  if (made_by == nullptr) {
    return m.unknown();
  }
  std::vector<Argument> arguments = made_by->surplus;
  arguments.insert(arguments.end(), call.surplus.begin(), call.surplus.end());
  return m.call(take(m, *made_by, "func"), std::move(arguments), call.span);
}

static Ref reduce(Machine& m, Call& call)
{
  const Items items = expand(m, take(m, call, "iterable"), call.span);
  const Ref function = take(m, call, "function");
  Ref result = call.given("initial") != nullptr ? call.arg("initial") : nullptr;
  const std::string_view path = path_of(function);
  for (const Ref item : items.all()) {
    const auto x = result != nullptr ? m.to_int(result) : std::nullopt;
    const auto y = m.to_int(item);
    if (result == nullptr) {
      result = item;
    } else if (path == "operator.mul" && is_number(result) && is_number(item)) {
      const Dim product = m.to_dim(result).times(m.to_dim(item));
      result = product.is_unknown() ? m.number(Interval::top()) : m.integer(product);
    } else if (path == "operator.add" && x && y) {
      result = m.integer(*x + *y);
    } else {
      result = m.call(function, std::vector<Ref>{result, item}, call.span);
    }
  }
  return result != nullptr && !items.open ? result : m.unknown();
}

// --- itertools ---

static Ref chain_all(Machine& m, const std::vector<Ref>& iterables, Span span)
{
  std::vector<Ref> all;
  Ref rest = nullptr;
  bool open = false;
  for (const Ref iterable : iterables) {
    const Items items = expand(m, iterable, span);
    all.insert(all.end(), items.items.begin(), items.items.end());
    open = open || items.open;
    rest = items.rest == nullptr ? rest : rest == nullptr ? items.rest : m.join(rest, items.rest);
  }
  if (!open) {
    return m.list(std::move(all));
  }
  all.push_back(rest);
  return m.open_list(join_all(m, all));
}

static Ref chain(Machine& m, Call& call)
{
  return chain_all(m, positional(call), call.span);
}

static Ref chain_lists(Machine& m, Call& call)
{
  const Items lists = expand(m, take(m, call, "iterable"), call.span);
  if (!lists.open) {
    return chain_all(m, lists.items, call.span);
  }
  return m.open_list(m.iterate(lists.rest, call.span));
}

// All combinations, if there are few; else one that stands for each.
static Ref product(Machine& m, Call& call)
{
  constexpr size_t k_most_rows = 64;
  std::vector<std::vector<Ref>> rows = {{}};
  std::vector<Ref> any;
  bool open = call.given("repeat") != nullptr;
  for (const Ref iterable : positional(call)) {
    const Items items = expand(m, iterable, call.span);
    const Ref one = join_all(m, items.all());
    any.push_back(one != nullptr ? one : m.unknown());
    open = open || items.open || rows.size() * items.items.size() > k_most_rows;
    std::vector<std::vector<Ref>> longer;
    for (size_t i = 0; !open && i < rows.size(); ++i) {
      for (const Ref item : items.items) {
        longer.push_back(rows[i]);
        longer.back().push_back(item);
      }
    }
    rows = std::move(longer);
  }
  if (open) {
    const bool repeated = call.given("repeat") != nullptr;
    return m.open_list(repeated ? m.unknown() : m.tuple(std::move(any)));
  }
  std::vector<Ref> tuples;
  for (std::vector<Ref>& row : rows) {
    tuples.push_back(m.tuple(std::move(row)));
  }
  return m.list(std::move(tuples));
}

static Ref some_of(Machine& m, Call& call)
{
  const Ref one = join_all(m, expand(m, take(m, call, "iterable"), call.span).all());
  return m.open_list(one != nullptr ? one : m.unknown());
}

static Ref first_few(Machine& m, Call& call)
{
  const Items items = expand(m, take(m, call, "iterable"), call.span);
  const auto count = m.to_int(take(m, call, "start"));
  if (count && *count >= 0 && call.given("stop") == nullptr &&
      static_cast<size_t>(*count) <= items.items.size()) {
    return m.list({items.items.begin(), items.items.begin() + *count});
  }
  return some_of(m, call);
}

static Ref count_up(Machine& m, Call& call)
{
  const Interval from = m.to_interval(take(m, call, "start"));
  return m.open_list(m.number(
      from.is_known() ? Interval::of(from.low(), Interval::k_inf) : Interval::top(), true));
}

static Ref repeated(Machine& m, Call& call)
{
  const auto times = m.to_int(take(m, call, "times"));
  const Ref item = take(m, call, "object");
  if (times && *times >= 0 && *times <= 128) {
    return m.list(std::vector<Ref>(static_cast<size_t>(*times), item));
  }
  return m.open_list(item);
}

static Ref subsets(Machine& m, Call& call)
{
  const Ref one = join_all(m, expand(m, take(m, call, "iterable"), call.span).all());
  const auto count = m.to_int(take(m, call, "r"));
  if (!count || *count < 0 || *count > 16 || one == nullptr) {
    return m.open_list(m.unknown());
  }
  return m.open_list(m.tuple(std::vector<Ref>(static_cast<size_t>(*count), one)));
}

// --- collections, copy, dataclasses ---

static Ref deque(Machine& m, Call& call)
{
  const Items items = expand(m, take(m, call, "iterable"), call.span);
  Sequence* const made = m.list(items.items);
  // Old items fall out of a bounded queue.
  made->open = items.open || call.given("maxlen") != nullptr;
  made->rest = items.rest;
  return made;
}

// The names of a record: ['a', 'b'] or 'a, b'.
static std::vector<std::string_view> field_names(Machine& m, Ref value)
{
  std::vector<std::string_view> names;
  if (const auto words = m.to_string(value)) {
    std::string_view left = *words;
    while (!left.empty()) {
      const size_t end = left.find_first_of(" ,");
      if (end != 0) {
        names.push_back(m.keep(std::string(left.substr(0, end))));
      }
      left.remove_prefix(end == std::string_view::npos ? left.size() : end + 1);
    }
    return names;
  }
  for (const Ref item : m.items_of(value)) {
    if (const auto name = m.to_string(item)) {
      names.push_back(m.keep(std::string(*name)));
    }
  }
  return names;
}

static Ref make_record(Machine& m, Call& call)
{
  const auto* made_by = call.layer != nullptr ? call.layer->made_by : nullptr;
  if (made_by == nullptr) {
    return m.unknown();
  }
  const std::vector<std::string_view> names = field_names(m, take(m, *made_by, "field_names"));
  Instance* const record = object_of(m, "collections.namedtuple.record", call);
  size_t next = 0;
  for (const Argument& argument : call.surplus) {
    const std::string_view name = !argument.name.empty() ? argument.name
                                  : next < names.size()  ? names[next++]
                                                         : "";
    if (!name.empty()) {
      set_field(m, *record, name, argument.value);
    }
  }
  for (const std::string_view name : names) {
    const Ref value = find_attribute(*record, name);
    record->items.push_back(value != nullptr ? value : m.unknown());
    if (value == nullptr) {
      set_field(m, *record, name, record->items.back());
    }
  }
  return record;
}

static Ref copied(Machine& m, Call& call)
{
  const Ref value = take(m, call, "x");
  if (const auto* list = as<Sequence>(value)) {
    Sequence* const made = m.list(list->items);
    made->type = list->type;
    made->open = list->open;
    made->rest = list->rest;
    return made;
  }
  if (const auto* dict = as<Dict>(value)) {
    Dict* const made = m.dict();
    made->items = dict->items;
    made->open = dict->open;
    return made;
  }
  return value;
}

static Ref field(Machine& m, Call& call)
{
  if (call.given("default") != nullptr) {
    return call.arg("default");
  }
  const Argument* const factory = call.given("default_factory");
  return factory != nullptr ? m.call(factory->value, std::vector<Ref>{}, call.span) : m.unknown();
}

// --- paths, time, text ---

static Ref path(Machine& m, Call& call)
{
  return object_of(m, "pathlib.Path", call);
}
static Ref paths(Machine& m, Call& call)
{
  return m.open_list(path(m, call));
}
static Ref two_texts(Machine& m, Call&)
{
  return m.tuple({m.text(), m.text()});
}
static Ref file(Machine& m, Call& call)
{
  return object_of(m, "builtins.file", call);
}

static Ref environment(Machine& m, Call& call)
{
  return call.given("default") != nullptr ? m.join(m.text(), call.arg("default"))
                                          : m.join(m.none(), m.text());
}

static Ref directory_walk(Machine& m, Call&)
{
  return m.open_list(m.tuple({m.text(), m.open_list(m.text()), m.open_list(m.text())}));
}

static Ref letters(Machine& m, Call& call)
{
  constexpr std::string_view k_lower = "abcdefghijklmnopqrstuvwxyz";
  constexpr std::string_view k_upper = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
  constexpr std::string_view k_digits = "0123456789";
  constexpr std::string_view k_marks = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~";
  constexpr std::string_view k_blanks = " \t\n\r\x0b\x0c";
  const std::string_view name = std::string_view(call.name).substr(call.name.rfind('.') + 1);
  std::string result;
  if (name == "ascii_letters" || name == "letters" || name == "ascii_lowercase") {
    result += k_lower;
  }
  if (name == "printable") {
    result += k_digits;
    result += k_lower;
  }
  if (name == "ascii_letters" || name == "letters" || name == "ascii_uppercase" ||
      name == "printable") {
    result += k_upper;
  }
  result += name == "digits" ? k_digits : "";
  result += name == "punctuation" || name == "printable" ? k_marks : "";
  result += name == "whitespace" || name == "printable" ? k_blanks : "";
  return m.string(std::move(result));
}

// --- progress bars are what they wrap ---

static Ref progress(Machine& m, Call& call)
{
  const Ref iterable = take(m, call, "iterable");
  return m.is_none(iterable) ? object_of(m, "tqdm.bar", call) : iterable;
}

static Ref progress_range(Machine& m, Call& call)
{
  return m.call_api("builtins.range", call.surplus, call.span);
}

static Ref items_of_dict(Machine& m, Call& call)
{
  const std::string_view method = call.name.ends_with("iteritems")  ? "items"
                                  : call.name.ends_with("iterkeys") ? "keys"
                                                                    : "values";
  const Ref function = m.attribute(take(m, call, "d"), method, call.span);
  return m.call(function, std::vector<Ref>{}, call.span);
}

static constexpr std::string_view k_any = "*args, **kwargs";

static constexpr Api k_rows[] = {
    {"functools.partial", "func, *args, **kwargs", Role::object},
    {"functools.partial.__call__", k_any, Role::method, {}, 0, call_partial},
    {"functools.reduce", "function, iterable, initial=None", Role::function, {}, 0, reduce},
    {"builtins.reduce", "function, iterable, initial=None", Role::function, {}, 0, reduce},
    {"functools.cmp_to_key", "func", Role::opaque},

    {"itertools.chain", "*iterables", Role::function, {}, 0, chain},
    {"itertools.chain.from_iterable", "iterable", Role::function, {}, 0, chain_lists},
    {"itertools.product", "*iterables, repeat=1", Role::function, {}, 0, product},
    {"itertools.islice", "iterable, start, stop=None, step=1", Role::function, {}, 0, first_few},
    {"itertools.cycle", "iterable", Role::function, {}, 0, some_of},
    {"itertools.takewhile", "predicate, iterable", Role::function, {}, 0, some_of},
    {"itertools.dropwhile", "predicate, iterable", Role::function, {}, 0, some_of},
    {"itertools.count", "start=0, step=1", Role::function, {}, 0, count_up},
    {"itertools.repeat", "object, times=None", Role::function, {}, 0, repeated},
    {"itertools.combinations", "iterable, r", Role::function, {}, 0, subsets},
    {"itertools.permutations", "iterable, r=None", Role::function, {}, 0, subsets},
    {"itertools.accumulate", k_any, Role::function},
    {"itertools.groupby", k_any, Role::function},
    {"itertools.starmap", k_any, Role::function},
    {"itertools.tee", k_any, Role::function},
    {"itertools.zip_longest", k_any, Role::function},
    {"itertools.izip_longest", k_any, Role::function},

    {"collections.defaultdict", k_any, Role::function, {}, 0, answers::dict},
    {"collections.Counter", k_any, Role::function, {}, 0, answers::dict},
    {"collections.deque", "iterable=(), maxlen=None", Role::function, {}, 0, deque},
    {"collections.namedtuple", "typename, field_names, **kwargs", Role::object},
    {"collections.namedtuple.__call__", k_any, Role::method, {}, 0, make_record},
    {"collections.namedtuple.record", k_any, Role::object},
    {"collections.namedtuple.record._asdict", "", Role::method, {}, 0, answers::dict},
    {"collections.namedtuple.record._replace", "**kwargs", Role::method},
    {"copy.copy", "x", Role::function, {}, 0, copied},
    {"copy.deepcopy", "x, memo=None", Role::function, {}, 0, copied},
    {"dataclasses.field",
     "*, default=None, default_factory=None, **kwargs",
     Role::function,
     {},
     0,
     field},
    {"enum.Enum", k_any, Role::object},
    {"enum.IntEnum", k_any, Role::object},
    {"enum.auto", "", Role::function, {}, 0, answers::count},
    {"abc.ABC", "", Role::object},
    {"abc.ABCMeta", k_any, Role::object},
    {"typing.NamedTuple", k_any, Role::object},
    {"contextlib.nullcontext", "enter_result=None", Role::object},
    {"contextlib.suppress", "*exceptions", Role::object},
    {"contextlib.ExitStack", "", Role::object},

    {"os.path.join", k_any, Role::function, {}, 0, answers::text},
    {"os.path.basename", "path", Role::function, {}, 0, answers::text},
    {"os.path.dirname", "path", Role::function, {}, 0, answers::text},
    {"os.path.abspath", "path", Role::function, {}, 0, answers::text},
    {"os.path.realpath", "path", Role::function, {}, 0, answers::text},
    {"os.path.expanduser", "path", Role::function, {}, 0, answers::text},
    {"os.path.normpath", "path", Role::function, {}, 0, answers::text},
    {"os.path.relpath", "path, start=None", Role::function, {}, 0, answers::text},
    {"os.path.split", "path", Role::function, {}, 0, two_texts},
    {"os.path.splitext", "path", Role::function, {}, 0, two_texts},
    {"os.path.exists", "path", Role::function, {}, 0, answers::truth},
    {"os.path.isfile", "path", Role::function, {}, 0, answers::truth},
    {"os.path.isdir", "path", Role::function, {}, 0, answers::truth},
    {"os.path.getsize", "path", Role::function, {}, 0, answers::count},
    {"os.path.getmtime", "path", Role::function, {}, 0, answers::positive},
    {"os.getcwd", "", Role::function, {}, 0, answers::text},
    {"os.listdir", "path='.'", Role::function, {}, 0, answers::texts},
    {"os.walk", "top, **kwargs", Role::function, {}, 0, directory_walk},
    {"os.getenv", "key, default=None", Role::function, {}, 0, environment},
    {"os.environ.get", "key, default=None", Role::function, {}, 0, environment},
    {"os.cpu_count", "", Role::function, {}, 0, answers::count},
    {"os.getpid", "", Role::function, {}, 0, answers::count},
    {"glob.glob", "pathname, **kwargs", Role::function, {}, 0, answers::texts},
    {"glob.iglob", "pathname, **kwargs", Role::function, {}, 0, answers::texts},
    {"pathlib.Path", k_any, Role::object},
    {"pathlib.PurePath", k_any, Role::object, {}, 0, nullptr, "pathlib.Path"},
    {"pathlib.Path.__truediv__", "other", Role::method, {}, 0, path},
    {"pathlib.Path.joinpath", k_any, Role::method, {}, 0, path},
    {"pathlib.Path.glob", "pattern", Role::method, {}, 0, paths},
    {"pathlib.Path.rglob", "pattern", Role::method, {}, 0, paths},
    {"pathlib.Path.iterdir", "", Role::method, {}, 0, paths},
    {"pathlib.Path.exists", "", Role::method, {}, 0, answers::truth},
    {"pathlib.Path.is_file", "", Role::method, {}, 0, answers::truth},
    {"pathlib.Path.is_dir", "", Role::method, {}, 0, answers::truth},
    {"pathlib.Path.mkdir", k_any, Role::opaque},
    {"pathlib.Path.unlink", k_any, Role::opaque},
    {"pathlib.Path.write_text", k_any, Role::opaque},
    {"pathlib.Path.write_bytes", k_any, Role::opaque},
    {"pathlib.Path.read_text", k_any, Role::method, {}, 0, answers::text},
    {"pathlib.Path.read_bytes", k_any, Role::method, {}, 0, answers::text},
    {"pathlib.Path.open", k_any, Role::method, {}, 0, file},
    {"pathlib.Path.resolve", k_any, Role::method, {}, 0, path},
    {"pathlib.Path.absolute", "", Role::method, {}, 0, path},
    {"pathlib.Path.expanduser", "", Role::method, {}, 0, path},
    {"pathlib.Path.with_suffix", "suffix", Role::method, {}, 0, path},
    {"pathlib.Path.as_posix", "", Role::method, {}, 0, answers::text},
    {"pathlib.Path.cwd", "", Role::method, {}, 0, path},
    {"pathlib.Path.home", "", Role::method, {}, 0, path},
    {"pathlib.Path.stat", "", Role::method},
    {"pathlib.Path.parent", "", Role::attribute, {}, 0, path},
    {"pathlib.Path.parents", "", Role::attribute, {}, 0, paths},
    {"pathlib.Path.parts", "", Role::attribute, {}, 0, answers::texts},
    {"pathlib.Path.name", "", Role::attribute, {}, 0, answers::text},
    {"pathlib.Path.stem", "", Role::attribute, {}, 0, answers::text},
    {"pathlib.Path.suffix", "", Role::attribute, {}, 0, answers::text},
    {"sys.argv", "", Role::attribute, {}, 0, answers::texts},
    {"sys.platform", "", Role::attribute, {}, 0, answers::text},
    {"sys.maxsize", "", Role::attribute, {}, 0, answers::count},
    {"time.time", "", Role::function, {}, 0, answers::positive},
    {"time.clock", "", Role::function, {}, 0, answers::positive},
    {"time.perf_counter", "", Role::function, {}, 0, answers::positive},
    {"time.process_time", "", Role::function, {}, 0, answers::positive},
    {"time.monotonic", "", Role::function, {}, 0, answers::positive},
    {"time.strftime", k_any, Role::function, {}, 0, answers::text},
    {"time.ctime", k_any, Role::function, {}, 0, answers::text},
    {"timeit.default_timer", "", Role::function, {}, 0, answers::positive},
    {"re.sub", k_any, Role::function, {}, 0, answers::text},
    {"re.split", k_any, Role::function, {}, 0, answers::texts},
    {"re.findall", k_any, Role::function, {}, 0, answers::texts},
    {"string.ascii_letters", "", Role::attribute, {}, 0, letters},
    {"string.letters", "", Role::attribute, {}, 0, letters},
    {"string.ascii_lowercase", "", Role::attribute, {}, 0, letters},
    {"string.ascii_uppercase", "", Role::attribute, {}, 0, letters},
    {"string.digits", "", Role::attribute, {}, 0, letters},
    {"string.punctuation", "", Role::attribute, {}, 0, letters},
    {"string.printable", "", Role::attribute, {}, 0, letters},
    {"string.whitespace", "", Role::attribute, {}, 0, letters},

    {"multiprocessing.Pool",
     "processes=None, initializer=None, initargs=None, maxtasksperchild=None, context=None",
     Role::object,
     "fork"},
    {"multiprocessing.Process",
     "group=None, target=None, name=None, args=None, kwargs=None, *, daemon=None",
     Role::object,
     "fork"},
    {"multiprocessing.set_start_method", "method, force=False", Role::function},
    {"multiprocessing.get_context", "method=None", Role::function},
    {"concurrent.futures.ProcessPoolExecutor",
     "max_workers=None, context=None, initializer=None, initargs=None, **kwargs",
     Role::object,
     "fork"},

    {"tqdm.tqdm", "iterable=None, *args, **kwargs", Role::function, {}, 0, progress},
    {"tqdm.tqdm_notebook", "iterable=None, *args, **kwargs", Role::function, {}, 0, progress},
    {"tqdm.trange", "*args, **kwargs", Role::function, {}, 0, progress_range},
    {"tqdm.tnrange", "*args, **kwargs", Role::function, {}, 0, progress_range},
    {"tqdm.tqdm.write", k_any, Role::opaque},
    {"tqdm.tqdm.pandas", k_any, Role::opaque},
    {"tqdm.bar", k_any, Role::object},
    {"tqdm.bar.update", k_any, Role::opaque},
    {"tqdm.bar.set_description", k_any, Role::opaque},
    {"tqdm.bar.set_postfix", k_any, Role::opaque},
    {"tqdm.bar.close", k_any, Role::opaque},
    {"tqdm.bar.refresh", k_any, Role::opaque},
    {"tqdm.bar.reset", k_any, Role::opaque},
    {"builtins.list.set_description", k_any, Role::opaque},
    {"builtins.list.set_postfix", k_any, Role::opaque},
    {"builtins.list.set_postfix_str", k_any, Role::opaque},
    {"builtins.list.update", k_any, Role::opaque},
    {"builtins.list.close", k_any, Role::opaque},
    {"builtins.list.write", k_any, Role::opaque},
    {"torch.utils.data.DataLoader.set_description", k_any, Role::opaque},
    {"torch.utils.data.DataLoader.set_postfix", k_any, Role::opaque},
    {"torch.utils.data.DataLoader.set_postfix_str", k_any, Role::opaque},
    {"torch.utils.data.DataLoader.update", k_any, Role::opaque},
    {"torch.utils.data.DataLoader.close", k_any, Role::opaque},
    {"progressbar.progressbar", "iterable=None, *args, **kwargs", Role::function, {}, 0, progress},
    {"six.iteritems", "d", Role::function, {}, 0, items_of_dict},
    {"six.iterkeys", "d", Role::function, {}, 0, items_of_dict},
    {"six.itervalues", "d", Role::function, {}, 0, items_of_dict},
};

std::span<const Api> python_stdlib()
{
  return k_rows;
}

} // namespace faultline::program
