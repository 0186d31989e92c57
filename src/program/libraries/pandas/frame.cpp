// pandas: methods and attributes of DataFrame, which Series shares.

#include "program/libraries/pandas/pandas.hpp"
#include "program/libraries/shared/answers.hpp"
#include "program/names/tables.hpp"

namespace faultline::program {

static Tensor& own(Machine& m, Call& call)
{
  return to_array(m, call.self);
}

static Tensor* column(Machine& m, Call& call, const Tensor& table)
{
  Tensor* const made = frame(m, call, Shape::of({table.shape.at(0)}));
  made->source = table.source;
  return made;
}

// --- Looking at a table. ---

static Ref values(Machine& m, Call& call)
{
  const Tensor& table = own(m, call);
  Tensor* const made = rearranged(m, call, table, table.shape);
  made->library = Library::numpy;
  return made;
}

static Ref shape(Machine& m, Call& call)
{
  return shape_tuple(m, own(m, call).shape);
}

static Ref column_names(Machine& m, Call& call)
{
  const auto count = columns_of(own(m, call)).constant();
  constexpr int64_t k_most_columns = 256;
  if (count && *count <= k_most_columns && *count >= 0) {
    return m.list(std::vector<Ref>(static_cast<size_t>(*count), m.text()));
  }
  return m.open_list(m.text());
}

static Ref index(Machine& m, Call& call)
{
  return frame(m, call, Shape::of({rows_of(own(m, call))}));
}

static Ref indexer(Machine& m, Call& call)
{
  Instance* const made = object_of(m, "pandas.Indexer", call);
  set_field(m, *made, "table", call.self);
  set_field(
      m, *made, "by_name", m.boolean(call.name.ends_with("loc") && !call.name.ends_with("iloc")));
  return made;
}

// --- Parts of a table. ---

static bool is_mask(Ref value)
{
  const auto* mask = as<Tensor>(value);
  return mask != nullptr && is_dtype(*mask, DType::Kind::boolean);
}

static Ref get_item(Machine& m, Call& call)
{
  const Tensor& table = own(m, call);
  const Ref key = take(m, call, "index");
  if (table.shape.rank() == 1) {
    if (is_mask(key) || as<Slice>(key) != nullptr || as<Sequence>(key) != nullptr) {
      return table_like(m, call, table, Shape::of({m.fresh_symbol()}));
    }
    return is_number(key) || is_text(key) ? m.number(table.interval, table.dtype.is_integer())
                                          : m.unknown();
  }
  if (is_mask(key) || as<Slice>(key) != nullptr) {
    return table_like(m, call, table, table.shape.with(0, m.fresh_symbol()));
  }
  if (const auto* names = as<Sequence>(key)) {
    return table_like(m, call, table, Shape::of({rows_of(table), names->length()}));
  }
  if (is_text(key) || is_number(key)) {
    return column(m, call, table);
  }
  if (const auto* listed = as<Tensor>(key); listed != nullptr && listed->shape.rank() == 1) {
    // Another Series or Index names columns.
    return table_like(m, call, table, Shape::of({rows_of(table), listed->shape.at(0)}));
  }
  return frame(m, call, Shape::top());
}

// df.price
static Ref get_column(Machine& m, Call& call)
{
  const Tensor& table = own(m, call);
  return table.shape.rank() == 2 ? static_cast<Ref>(column(m, call, table)) : m.unknown();
}

// iloc counts as NumPy does; loc goes by name.
static Ref get_located(Machine& m, Call& call)
{
  auto* const self = as<Instance>(call.self);
  auto* const table = self != nullptr ? as<Tensor>(find_attribute(*self, "table")) : nullptr;
  const Ref key = take(m, call, "index");
  if (table == nullptr) {
    return m.unknown();
  }
  const bool by_name = m.to_bool(find_attribute(*self, "by_name")) == true;
  const auto* both = as<Sequence>(key);
  const bool pair =
      both != nullptr && both->type == Sequence::Type::tuple && both->items.size() == 2;
  if (!by_name) {
    Tensor* const view = rearranged(m, call, *table, table->shape);
    view->library = Library::numpy;
    const Ref part = m.item(view, key, call);
    if (auto* tensor = as<Tensor>(part)) {
      tensor->library = Library::pandas;
    }
    return part;
  }
  const Ref rows = pair ? both->items[0] : key;
  const auto* row_slice = as<Slice>(rows);
  const bool all_rows =
      row_slice != nullptr && m.is_none(row_slice->from) && m.is_none(row_slice->to);
  const bool one_row = is_text(rows) || is_number(rows);
  const Dim count = all_rows ? rows_of(*table) : m.fresh_symbol();
  if (!pair) {
    return one_row ? frame(m, call, Shape::of({columns_of(*table)}))
                   : table_like(m, call, *table, table->shape.with(0, count));
  }
  const Ref columns = both->items[1];
  if (is_text(columns) || is_number(columns)) {
    return one_row ? m.unknown() : table_like(m, call, *table, Shape::of({count}));
  }
  const Dim width = as<Sequence>(columns) != nullptr ? count_names(m, columns) : m.fresh_symbol();
  return table_like(m, call, *table, one_row ? Shape::of({width}) : Shape::of({count, width}));
}

// A change in place loses what was known, a copy has the new sizes.
static Ref changed(Machine& m, Call& call, Shape to)
{
  Tensor& table = own(m, call);
  const Argument* const in_place = call.argument("inplace");
  if (in_place == nullptr || m.to_bool(in_place->value) == false) {
    return table_like(m, call, table, std::move(to));
  }
  table.shape = to.has_rank() ? Shape::of_rank(*to.rank()) : Shape::top();
  return m.none();
}

static Ref drop(Machine& m, Call& call)
{
  const Tensor& table = own(m, call);
  const Ref named = call.arg("columns");
  const bool by_columns = named != nullptr && !m.is_none(named);
  const Ref labels = by_columns ? named : take(m, call, "labels");
  const Ref axis = take(m, call, "axis");
  const bool columns = by_columns || m.to_int(axis) == 1 || m.to_string(axis) == "columns";
  const Dim count = count_names(m, labels);
  if (table.shape.rank() == 1 || !columns) {
    return changed(m,
                   call,
                   table.shape.has_rank() ? table.shape.with(0, rows_of(table).minus(count))
                                          : table.shape);
  }
  return changed(m, call, Shape::of({rows_of(table), columns_of(table).minus(count)}));
}

static Ref drop_rows(Machine& m, Call& call)
{
  const Tensor& table = own(m, call);
  const Ref axis = call.arg("axis");
  const bool columns = axis != nullptr && m.to_int(axis) == 1;
  return changed(m,
                 call,
                 table.shape.has_rank() ? table.shape.with(columns ? 1 : 0, m.fresh_symbol())
                                        : table.shape);
}

static Ref same(Machine& m, Call& call)
{
  return changed(m, call, own(m, call).shape);
}

static Ref reset_index(Machine& m, Call& call)
{
  const Tensor& table = own(m, call);
  const bool dropped = m.to_bool(call.arg("drop")) == true;
  return changed(m,
                 call,
                 dropped ? table.shape
                         : Shape::of({rows_of(table), columns_of(table).plus(Dim::constant(1))}));
}

static Ref head(Machine& m, Call& call)
{
  const Tensor& table = own(m, call);
  return table.shape.has_rank() ? table_like(m, call, table, table.shape.with(0, Dim::top()))
                                : table_like(m, call, table, table.shape);
}

static Ref sample(Machine& m, Call& call)
{
  const Tensor& table = own(m, call);
  const auto fraction = m.to_double(call.arg("frac"));
  const Dim rows = fraction == 1.0 ? rows_of(table) : m.fresh_symbol();
  return table.shape.has_rank() ? table_like(m, call, table, table.shape.with(0, rows))
                                : table_like(m, call, table, table.shape);
}

static Ref as_type(Machine& m, Call& call)
{
  const Tensor& table = own(m, call);
  Tensor* const made = table_like(m, call, table, table.shape);
  if (as<Dict>(call.arg("dtype")) == nullptr) {
    made->dtype = dtype_argument(m, call.arg("dtype"), DType());
  }
  return made;
}

static Ref transposed_table(Machine& m, Call& call)
{
  const Tensor& table = own(m, call);
  return table_like(m,
                    call,
                    table,
                    table.shape.rank() == 2 ? Shape::of({columns_of(table), rows_of(table)})
                                            : table.shape);
}

static Ref mapped(Machine& m, Call& call)
{
  const Tensor& table = own(m, call);
  Tensor* const made = frame(m, call, table.shape.rank() == 1 ? table.shape : Shape::top());
  made->source = table.source;
  return made;
}

static Ref statistic(Machine& m, Call& call)
{
  const Tensor& table = own(m, call);
  if (table.shape.rank() == 2) {
    return frame(m, call, Shape::of({Dim::top()}));
  }
  return table.shape.rank() == 1 ? m.number(table.interval) : m.unknown();
}

static Ref truth_table(Machine& m, Call& call)
{
  Tensor* const made = frame(m, call, own(m, call).shape, DType::Kind::boolean);
  made->interval = Interval::of(0, 1);
  return made;
}

static Ref unique(Machine& m, Call& call)
{
  Tensor* const made = frame(m, call, Shape::of({m.fresh_symbol()}), own(m, call).dtype);
  made->library = Library::numpy;
  return made;
}

static Ref unknown_frame(Machine& m, Call& call)
{
  return frame(m, call, Shape::top());
}

static Ref to_list(Machine& m, Call& call)
{
  return m.call(m.attribute(values(m, call), "tolist", call.span), std::vector<Ref>{}, call.span);
}

static Ref taken_out(Machine& m, Call& call)
{
  Tensor& table = own(m, call);
  Tensor* const made = column(m, call, table);
  forget_columns(table);
  return made;
}

static Ref insert_column(Machine& m, Call& call)
{
  forget_columns(own(m, call));
  return m.none();
}

static Ref iterate_rows(Machine& m, Call& call)
{
  const Tensor& table = own(m, call);
  return m.open_list(
      m.tuple({m.number(Interval::top(), true), frame(m, call, Shape::of({columns_of(table)}))}));
}

static Ref records(Machine& m, Call&)
{
  return m.open_list(m.unknown());
}

static constexpr std::string_view k_any = "*args, **kwargs";
static constexpr std::string_view k_keep = "*args, inplace=False, **kwargs";

static constexpr Api k_rows[] = {
    {"pandas.Indexer", k_any, Role::object},
    {"pandas.Indexer.__getitem__", "index", Role::method, "slice", k_reshaping, get_located},

    {"pandas.DataFrame.__getitem__", "index", Role::method, "slice", k_reshaping, get_item},
    {"pandas.DataFrame.__getattr__", "name", Role::method, "slice", k_reshaping, get_column},
    {"pandas.DataFrame.values", "", Role::attribute, "to_numpy", 0, values},
    {"pandas.DataFrame.array", "", Role::attribute, "to_numpy", 0, values},
    {"pandas.DataFrame.to_numpy", k_any, Role::method, "to_numpy", 0, values},
    {"pandas.DataFrame.as_matrix", k_any, Role::method, "to_numpy", 0, values},
    {"pandas.DataFrame.shape", "", Role::attribute, {}, 0, shape},
    {"pandas.DataFrame.columns", "", Role::attribute, {}, 0, column_names},
    {"pandas.DataFrame.index", "", Role::attribute, {}, 0, index},
    {"pandas.DataFrame.dtypes", "", Role::attribute},
    {"pandas.DataFrame.dtype", "", Role::attribute},
    {"pandas.DataFrame.size", "", Role::attribute, {}, 0, answers::count},
    {"pandas.DataFrame.ndim", "", Role::attribute, {}, 0, answers::count},
    {"pandas.DataFrame.empty", "", Role::attribute},
    {"pandas.DataFrame.T", "", Role::attribute, "permute", k_reshaping, transposed_table},
    {"pandas.DataFrame.str", "", Role::attribute},
    {"pandas.DataFrame.dt", "", Role::attribute},
    {"pandas.DataFrame.cat", "", Role::attribute},
    {"pandas.DataFrame.plot", k_any, Role::opaque},
    {"pandas.DataFrame.hist", k_any, Role::opaque},
    {"pandas.DataFrame.boxplot", k_any, Role::opaque},
    {"pandas.DataFrame.iloc", "", Role::attribute, {}, 0, indexer},
    {"pandas.DataFrame.loc", "", Role::attribute, {}, 0, indexer},
    {"pandas.DataFrame.ix", "", Role::attribute, {}, 0, indexer},
    {"pandas.DataFrame.iat", "", Role::attribute},
    {"pandas.DataFrame.at", "", Role::attribute},
    {"pandas.DataFrame.drop",
     "labels=None, axis=0, index=None, columns=None, level=None, inplace=False, errors='raise'",
     Role::method,
     {},
     0,
     drop},
    {"pandas.DataFrame.dropna",
     "axis=0, how='any', thresh=None, subset=None, inplace=False, **kwargs",
     Role::method,
     {},
     0,
     drop_rows},
    {"pandas.DataFrame.drop_duplicates",
     "subset=None, keep='first', inplace=False, **kwargs",
     Role::method,
     {},
     0,
     drop_rows},
    {"pandas.DataFrame.query", "expr, inplace=False, **kwargs", Role::method, {}, 0, drop_rows},
    {"pandas.DataFrame.fillna",
     "value=None, method=None, axis=None, inplace=False, **kwargs",
     Role::method,
     {},
     0,
     same},
    {"pandas.DataFrame.ffill", k_keep, Role::method, {}, 0, same},
    {"pandas.DataFrame.bfill", k_keep, Role::method, {}, 0, same},
    {"pandas.DataFrame.interpolate", k_keep, Role::method, {}, 0, same},
    {"pandas.DataFrame.replace", k_keep, Role::method, {}, 0, same},
    {"pandas.DataFrame.rename", k_keep, Role::method, {}, 0, same},
    {"pandas.DataFrame.sort_values", k_keep, Role::method, {}, 0, same},
    {"pandas.DataFrame.sort_index", k_keep, Role::method, {}, 0, same},
    {"pandas.DataFrame.clip", k_keep, Role::method, {}, 0, same},
    {"pandas.DataFrame.copy", "deep=True", Role::method, {}, 0, same},
    {"pandas.DataFrame.round", k_any, Role::method, {}, 0, same},
    {"pandas.DataFrame.abs", "", Role::method, {}, 0, same},
    {"pandas.DataFrame.shift", k_any, Role::method, {}, 0, same},
    {"pandas.DataFrame.diff", k_any, Role::method, {}, 0, same},
    {"pandas.DataFrame.pct_change", k_any, Role::method, {}, 0, same},
    {"pandas.DataFrame.cumsum", k_any, Role::method, {}, 0, same},
    {"pandas.DataFrame.rank", k_any, Role::method, {}, 0, same},
    {"pandas.DataFrame.where", k_keep, Role::method, {}, 0, same},
    {"pandas.DataFrame.mask", k_keep, Role::method, {}, 0, same},
    {"pandas.DataFrame.infer_objects", k_any, Role::method, {}, 0, same},
    {"pandas.DataFrame.convert_dtypes", k_any, Role::method, {}, 0, same},
    {"pandas.DataFrame.reset_index",
     "level=None, drop=False, inplace=False, **kwargs",
     Role::method,
     {},
     0,
     reset_index},
    {"pandas.DataFrame.set_index", k_keep, Role::method, {}, 0, drop_rows},
    {"pandas.DataFrame.reindex", k_any, Role::method, {}, 0, unknown_frame},
    {"pandas.DataFrame.head", "n=5", Role::method, {}, 0, head},
    {"pandas.DataFrame.tail", "n=5", Role::method, {}, 0, head},
    {"pandas.DataFrame.sample",
     "n=None, frac=None, replace=False, weights=None, random_state=None, **kwargs",
     Role::method,
     "shuffle",
     k_random,
     sample},
    {"pandas.DataFrame.astype",
     "dtype, copy=True, errors='raise'",
     Role::method,
     "cast",
     0,
     as_type},
    {"pandas.DataFrame.transpose", k_any, Role::method, "permute", k_reshaping, transposed_table},
    {"pandas.DataFrame.apply", k_any, Role::method, {}, 0, mapped},
    {"pandas.DataFrame.applymap", k_any, Role::method, {}, 0, same},
    {"pandas.DataFrame.map", k_any, Role::method, {}, 0, mapped},
    {"pandas.DataFrame.isnull", "", Role::method, "is_nan", 0, truth_table},
    {"pandas.DataFrame.isna", "", Role::method, "is_nan", 0, truth_table},
    {"pandas.DataFrame.notnull", "", Role::method, {}, 0, truth_table},
    {"pandas.DataFrame.notna", "", Role::method, {}, 0, truth_table},
    {"pandas.DataFrame.isin", "values", Role::method, {}, 0, truth_table},
    {"pandas.DataFrame.between", k_any, Role::method, {}, 0, truth_table},
    {"pandas.DataFrame.duplicated", k_any, Role::method},
    {"pandas.DataFrame.mean", k_any, Role::method, "reduce_mean", k_reduction, statistic},
    {"pandas.DataFrame.median", k_any, Role::method, {}, k_reduction, statistic},
    {"pandas.DataFrame.std", k_any, Role::method, "reduce_std", k_reduction, statistic},
    {"pandas.DataFrame.var", k_any, Role::method, "reduce_var", k_reduction, statistic},
    {"pandas.DataFrame.max", k_any, Role::method, "reduce_max", k_reduction, statistic},
    {"pandas.DataFrame.min", k_any, Role::method, "reduce_min", k_reduction, statistic},
    {"pandas.DataFrame.sum", k_any, Role::method},
    {"pandas.DataFrame.count", k_any, Role::method},
    {"pandas.DataFrame.prod", k_any, Role::method},
    {"pandas.DataFrame.mode", k_any, Role::method, {}, 0, unknown_frame},
    {"pandas.DataFrame.quantile", k_any, Role::method},
    {"pandas.DataFrame.any", k_any, Role::method},
    {"pandas.DataFrame.all", k_any, Role::method},
    {"pandas.DataFrame.skew", k_any, Role::method},
    {"pandas.DataFrame.corr", k_any, Role::method, {}, 0, unknown_frame},
    {"pandas.DataFrame.corrwith", k_any, Role::method, {}, 0, unknown_frame},
    {"pandas.DataFrame.describe", k_any, Role::method, {}, 0, unknown_frame},
    {"pandas.DataFrame.groupby", k_any, Role::method},
    {"pandas.DataFrame.rolling", k_any, Role::method},
    {"pandas.DataFrame.ewm", k_any, Role::method},
    {"pandas.DataFrame.resample", k_any, Role::method},
    {"pandas.DataFrame.agg", k_any, Role::method},
    {"pandas.DataFrame.pipe", k_any, Role::method},
    {"pandas.DataFrame.pivot", k_any, Role::method, {}, 0, unknown_frame},
    {"pandas.DataFrame.pivot_table", k_any, Role::method, {}, 0, unknown_frame},
    {"pandas.DataFrame.stack", k_any, Role::method, {}, 0, unknown_frame},
    {"pandas.DataFrame.unstack", k_any, Role::method, {}, 0, unknown_frame},
    {"pandas.DataFrame.melt", k_any, Role::method, {}, 0, unknown_frame},
    {"pandas.DataFrame.merge", k_any, Role::method, {}, 0, unknown_frame},
    {"pandas.DataFrame.join", k_any, Role::method, {}, 0, unknown_frame},
    {"pandas.DataFrame.append", k_any, Role::method, {}, 0, unknown_frame},
    {"pandas.DataFrame.assign", k_any, Role::method, {}, 0, unknown_frame},
    {"pandas.DataFrame.filter", k_any, Role::method, {}, 0, unknown_frame},
    {"pandas.DataFrame.select_dtypes", k_any, Role::method, {}, 0, unknown_frame},
    {"pandas.DataFrame.nlargest", k_any, Role::method, {}, 0, unknown_frame},
    {"pandas.DataFrame.explode", k_any, Role::method, {}, 0, unknown_frame},
    {"pandas.DataFrame.get", k_any, Role::method, {}, 0, unknown_frame},
    {"pandas.DataFrame.xs", k_any, Role::method, {}, 0, unknown_frame},
    {"pandas.DataFrame.factorize", k_any, Role::method},
    {"pandas.DataFrame.squeeze", k_any, Role::method, {}, 0, unknown_frame},
    {"pandas.DataFrame.to_frame", k_any, Role::method, {}, 0, unknown_frame},
    {"pandas.DataFrame.ravel", k_any, Role::method, "to_numpy", 0, values},
    {"pandas.DataFrame.pop", "item", Role::method, {}, k_in_place, taken_out},
    {"pandas.DataFrame.insert", k_any, Role::method, {}, k_in_place, insert_column},
    {"pandas.DataFrame.update", k_any, Role::opaque},
    {"pandas.DataFrame.unique", "", Role::method, {}, 0, unique},
    {"pandas.DataFrame.nunique", k_any, Role::method, {}, 0, answers::count},
    {"pandas.DataFrame.value_counts", k_any, Role::method, {}, 0, unknown_frame},
    {"pandas.DataFrame.tolist", "", Role::method, {}, 0, to_list},
    {"pandas.DataFrame.to_list", "", Role::method, {}, 0, to_list},
    {"pandas.DataFrame.to_dict", k_any, Role::method},
    {"pandas.DataFrame.iterrows", "", Role::method, {}, 0, iterate_rows},
    {"pandas.DataFrame.itertuples", k_any, Role::method, {}, 0, records},
    {"pandas.DataFrame.items", "", Role::method, {}, 0, iterate_rows},
    {"pandas.DataFrame.keys", "", Role::method, {}, 0, answers::texts},
    {"pandas.DataFrame.get_loc", k_any, Role::method, {}, 0, answers::count},
    {"pandas.DataFrame.idxmax", k_any, Role::method},
    {"pandas.DataFrame.argmax", k_any, Role::method},
    {"pandas.DataFrame.item", "", Role::method},
    {"pandas.DataFrame.info", k_any, Role::opaque},
    {"pandas.DataFrame.memory_usage", k_any, Role::opaque},
    {"pandas.DataFrame.to_csv", k_any, Role::opaque},
    {"pandas.DataFrame.to_excel", k_any, Role::opaque},
    {"pandas.DataFrame.to_hdf", k_any, Role::opaque},
    {"pandas.DataFrame.to_json", k_any, Role::opaque},
    {"pandas.DataFrame.to_pickle", k_any, Role::opaque},
    {"pandas.DataFrame.to_parquet", k_any, Role::opaque},
    {"pandas.DataFrame.to_string", k_any, Role::opaque},
    {"pandas.DataFrame.to_sql", k_any, Role::opaque},
    {"pandas.DataFrame.reshape", k_any, Role::method},
};

std::span<const Api> pandas_frame()
{
  return k_rows;
}

} // namespace faultline::program
