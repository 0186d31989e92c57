// pandas: a DataFrame is an array with two axes, a Series one with one axis. Which columns there
// are is mostly known to the file alone, so their number is a symbol.

#include "program/libraries/pandas/pandas.hpp"

#include "program/names/tables.hpp"

namespace faultline::program {

Tensor* table_like(Machine& m, Call& call, const Tensor& table, Shape shape)
{
  Tensor* const made = rearranged(m, call, table, std::move(shape));
  made->library = Library::pandas;
  return made;
}

Dim rows_of(const Tensor& table)
{
  return table.shape.at(0);
}
Dim columns_of(const Tensor& table)
{
  return table.shape.rank() == 2 ? table.shape.at(1) : Dim::top();
}

Dim count_names(Machine& m, Ref names)
{
  if (m.to_string(names) || is_text(names) || is_number(names)) {
    return Dim::constant(1);
  }
  const auto* list = as<Sequence>(names);
  return list != nullptr ? list->length() : Dim::top();
}

static Ref read_table(Machine& m, Call& call)
{
  Dim columns = m.fresh_symbol();
  const Ref names = call.arg("names");
  const Ref used = call.arg("usecols");
  const bool plain_index =
      m.is_none(call.arg("index_col")) || m.to_bool(call.arg("index_col")) == false;
  if (used != nullptr && !m.is_none(used)) {
    columns = as<Sequence>(used) != nullptr ? count_names(m, used) : Dim::top();
  } else if (names != nullptr && !m.is_none(names)) {
    columns = count_names(m, names);
  }
  if (!plain_index && columns.constant()) {
    columns = columns.minus(count_names(m, call.arg("index_col")));
  }
  Dim rows = m.fresh_symbol();
  if (call.given("chunksize") != nullptr && !m.is_none(call.arg("chunksize"))) {
    return m.open_list(frame(m, call, Shape::of({rows, columns})));
  }
  return frame(m, call, Shape::of({rows, columns}));
}

static Ref read_any(Machine& m, Call& call)
{
  return frame(m, call, Shape::of({m.fresh_symbol(), m.fresh_symbol()}));
}

static Ref data_frame(Machine& m, Call& call)
{
  const Ref data = take(m, call, "data");
  const Ref names = call.arg("columns");
  Shape shape = Shape::of({m.fresh_symbol(), m.fresh_symbol()});
  DType dtype;
  Interval interval = Interval::top();
  const Tensor* input = nullptr;
  if (const auto* dict = as<Dict>(data)) {
    Dim rows = Dim::top();
    for (const auto& [key, value] : dict->items) {
      const auto* list = as<Sequence>(value);
      const auto* tensor = as<Tensor>(value);
      const Dim length = list != nullptr     ? list->length()
                         : tensor != nullptr ? tensor->shape.at(0)
                                             : Dim::top();
      rows = better_known(rows, length);
    }
    shape = Shape::of(
        {rows, dict->open ? Dim::top() : Dim::constant(static_cast<int64_t>(dict->items.size()))});
  } else if (as<Tensor>(data) != nullptr || as<Sequence>(data) != nullptr) {
    input = &to_array(m, data);
    const auto* rows = as<Sequence>(data);
    const bool records =
        rows != nullptr && !rows->items.empty() && as<Dict>(rows->items.front()) != nullptr;
    if (input->shape.rank() == 2 && !records) {
      shape = input->shape;
    } else if (input->shape.rank() == 1 && !records) {
      shape = Shape::of({input->shape.at(0), Dim::constant(1)});
    } else if (rows != nullptr) {
      shape = Shape::of({rows->length(), Dim::top()});
    }
    dtype = input->dtype;
    interval = input->interval;
  }
  if (const auto* list = as<Sequence>(names); list != nullptr && !list->open) {
    shape = shape.with(1, list->length());
  }
  Tensor* const made = frame(m, call, shape, dtype);
  made->interval = interval;
  if (input != nullptr) {
    made->source = input->source;
    made->encoding = input->encoding;
    made->classes = input->classes;
  }
  return made;
}

static Ref series(Machine& m, Call& call)
{
  const Ref data = take(m, call, "data");
  if (as<Tensor>(data) == nullptr && as<Sequence>(data) == nullptr) {
    return frame(m, call, Shape::of({Dim::top()}));
  }
  const Tensor& input = to_array(m, data);
  Tensor* const made = table_like(m, call, input, input.shape);
  made->dtype = dtype_argument(m, call.arg("dtype"), input.dtype);
  return made;
}

static Ref dummies(Machine& m, Call& call)
{
  const Tensor& input = operand(m, call, "data");
  const bool one = input.shape.rank() == 1;
  const bool first_dropped = m.to_bool(call.arg("drop_first")) == true;
  const bool counted = one && input.classes > 0 && !first_dropped;
  Tensor* const made = frame(
      m,
      call,
      Shape::of({input.shape.at(0), counted ? Dim::constant(input.classes) : m.fresh_symbol()}));
  made->source = input.source;
  if (one) {
    made->interval = Interval::of(0, 1);
    made->encoding = first_dropped ? Encoding::unknown : Encoding::one_hot;
    made->classes = counted ? input.classes : 0;
  }
  return made;
}

static Ref concat(Machine& m, Call& call)
{
  const Ref list = take(m, call, "objs");
  const auto axis = m.to_int(call.arg("axis"));
  const auto name = m.to_string(call.arg("axis"));
  const bool side_by_side = axis == 1 || name == "columns";
  const bool on_top = axis == 0 || name == "index" || name == "rows";
  const auto* parts = as<Sequence>(list);
  if (parts == nullptr || parts->open || parts->items.empty() || (!side_by_side && !on_top)) {
    return frame(m, call, Shape::of({m.fresh_symbol(), Dim::top()}));
  }
  Dim rows = Dim::constant(0);
  Dim columns = Dim::constant(0);
  Dim common = Dim::top();
  for (const Ref item : parts->items) {
    const Tensor& part = to_array(m, item);
    const bool one = part.shape.rank() == 1;
    rows = rows.plus(part.shape.at(0));
    columns = columns.plus(one ? Dim::constant(1) : part.shape.at(1));
    common = better_known(common, part.shape.at(0));
  }
  const Tensor& first = to_array(m, parts->items.front());
  if (on_top && first.shape.rank() == 1) {
    return frame(m, call, Shape::of({rows}));
  }
  return frame(
      m, call, side_by_side ? Shape::of({common, columns}) : Shape::of({rows, columns_of(first)}));
}

static Ref factorize(Machine& m, Call& call)
{
  const Tensor& input = operand(m, call, "values");
  Tensor* const codes =
      array(m, call, input.shape, DType::Kind::int64, Interval::of(-1, Interval::k_inf));
  codes->encoding = Encoding::class_index;
  return m.tuple({codes, frame(m, call, Shape::of({m.fresh_symbol()}))});
}

static Ref to_numeric(Machine& m, Call& call)
{
  const Tensor& input = operand(m, call, "arg");
  return table_like(m, call, input, input.shape);
}

static Ref cut(Machine& m, Call& call)
{
  return frame(m, call, operand(m, call, "x").shape);
}

static constexpr std::string_view k_any = "*args, **kwargs";
static constexpr std::string_view k_read =
    "filepath_or_buffer, sep=',', delimiter=None, header='infer', names=None, index_col=None, "
    "usecols=None, *, chunksize=None, **kwargs";
static constexpr std::string_view k_excel =
    "io, sheet_name=0, *, header=0, names=None, index_col=None, usecols=None, **kwargs";

static constexpr Api k_rows[] = {
    {"pandas.read_csv", k_read, Role::function, "read_csv", k_source, read_table},
    {"pandas.read_table", k_read, Role::function, "read_csv", k_source, read_table},
    {"pandas.read_excel", k_excel, Role::function, "read_csv", k_source, read_table},
    {"pandas.read_fwf", k_any, Role::function, "read_csv", k_source, read_any},
    {"pandas.read_json", k_any, Role::function, "read_csv", k_source, read_any},
    {"pandas.read_hdf", k_any, Role::function, "read_csv", k_source, read_any},
    {"pandas.read_pickle", k_any, Role::function},
    {"pandas.read_parquet", k_any, Role::function, "read_csv", k_source, read_any},
    {"pandas.read_feather", k_any, Role::function, "read_csv", k_source, read_any},
    {"pandas.read_sql", k_any, Role::function, "read_csv", k_source, read_any},
    {"pandas.read_sql_query", k_any, Role::function, "read_csv", k_source, read_any},
    {"pandas.DataFrame",
     "data=None, index=None, columns=None, dtype=None, copy=None",
     Role::object,
     {},
     0,
     data_frame},
    {"pandas.Series",
     "data=None, index=None, dtype=None, name=None, copy=None",
     Role::object,
     {},
     0,
     series,
     "pandas.DataFrame"},
    {"pandas.Index",
     "data=None, dtype=None, **kwargs",
     Role::object,
     {},
     0,
     series,
     "pandas.DataFrame"},
    {"pandas.DataFrame.from_dict", "data, *args, **kwargs", Role::function, {}, 0, data_frame},
    {"pandas.DataFrame.from_records", "data, *args, **kwargs", Role::function, {}, 0, data_frame},
    {"pandas.get_dummies",
     "data, prefix=None, prefix_sep='_', dummy_na=False, columns=None, sparse=False, "
     "drop_first=False, dtype=None",
     Role::function,
     "one_hot",
     0,
     dummies},
    {"pandas.concat", "objs, axis=0, **kwargs", Role::function, "concat", k_merging, concat},
    {"pandas.merge", k_any, Role::function, {}, 0, read_any},
    {"pandas.factorize", "values, **kwargs", Role::function, {}, 0, factorize},
    {"pandas.to_numeric", "arg, **kwargs", Role::function, "cast", 0, to_numeric},
    {"pandas.to_datetime", "arg, **kwargs", Role::function, {}, 0, to_numeric},
    {"pandas.to_timedelta", "arg, **kwargs", Role::function, {}, 0, to_numeric},
    {"pandas.cut", "x, bins, **kwargs", Role::function, {}, 0, cut},
    {"pandas.qcut", "x, q, **kwargs", Role::function, {}, 0, cut},
    {"pandas.unique", "values", Role::function},
    {"pandas.isnull", "obj", Role::function},
    {"pandas.isna", "obj", Role::function},
    {"pandas.notnull", "obj", Role::function},
    {"pandas.notna", "obj", Role::function},
    {"pandas.date_range", k_any, Role::function},
    {"pandas.pivot_table", k_any, Role::function, {}, 0, read_any},
    {"pandas.crosstab", k_any, Role::function, {}, 0, read_any},
    {"pandas.melt", k_any, Role::function, {}, 0, read_any},
    {"pandas.Timestamp", k_any, Role::object},
    {"pandas.Timedelta", k_any, Role::object},
    {"pandas.Categorical", k_any, Role::object},
    {"pandas.CategoricalDtype", k_any, Role::object},
    {"pandas.MultiIndex", k_any, Role::object},
    {"pandas.HDFStore", k_any, Role::object},
    {"pandas.ExcelWriter", k_any, Role::object},
    {"pandas.NA", "", Role::constant},
    {"pandas.NaT", "", Role::constant},
};

std::span<const Api> pandas()
{
  return k_rows;
}

} // namespace faultline::program
