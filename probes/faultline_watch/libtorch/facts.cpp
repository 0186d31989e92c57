#include "facts.hpp"

#include "json.hpp"
#include "statistics.hpp"
#include "values.hpp"

#include <algorithm>
#include <limits>
#include <set>

namespace faultline_watch {

namespace {

constexpr int64_t k_most_classes = 1000;
constexpr size_t k_most_rows = 1 << 18; // values of a matrix whose columns or rows are looked at

Object short_facts(const at::Tensor& tensor, const Values& values)
{
  Object facts;
  facts.raw("shape", array_of(tensor.sizes(), [](int64_t n) { return std::to_string(n); }))
      .text("dtype", type_name(tensor.scalar_type()));
  if (values) {
    const Statistics statistics = statistics_of(values.data, values.size, values.count);
    facts.number("min", statistics.min)
        .number("max", statistics.max)
        .number("mean", statistics.mean)
        .number("std", statistics.std)
        .whole("nan", static_cast<int64_t>(statistics.nan))
        .whole("inf", static_cast<int64_t>(statistics.inf));
  }
  return facts;
}

// Rows and columns of a matrix that is small enough; 0 if it is none.
size_t columns_of(const Values& values)
{
  return values.shape.size() == 2 && values.shape[0] > 1 && values.size <= k_most_rows
             ? static_cast<size_t>(values.shape[1])
             : 0;
}

void add_columns(Object& facts, const Values& values, size_t columns)
{
  const size_t rows = values.size / columns;
  int64_t constant = 0;
  double smallest = std::numeric_limits<double>::infinity();
  double largest = 0;
  for (size_t column = 0; column < columns; ++column) {
    std::vector<float> one(rows);
    for (size_t row = 0; row < rows; ++row) {
      one[row] = values.data[row * columns + column];
    }
    const Statistics statistics = statistics_of(one.data(), rows, rows);
    if (statistics.nan + statistics.inf > 0) {
      return;
    }
    if (statistics.std > 0) {
      smallest = std::min(smallest, statistics.std);
      largest = std::max(largest, statistics.std);
    } else {
      ++constant;
    }
  }
  facts.whole("constant_columns", constant);
  if (largest > 0) {
    facts.number("column_scale_ratio", largest / smallest);
  }
}

double share(const Values& values, bool (*condition)(float))
{
  const auto count = std::count_if(values.data, values.data + values.size, condition);
  return static_cast<double>(count) / static_cast<double>(values.size);
}

size_t largest_of(const float* row, size_t columns)
{
  return static_cast<size_t>(std::max_element(row, row + columns) - row);
}

void add_rows(Object& facts, const Values& values, size_t columns)
{
  double low = std::numeric_limits<double>::infinity();
  double high = -low;
  std::vector<size_t> chosen(columns, 0);
  const size_t rows = values.size / columns;
  for (size_t row = 0; row < rows; ++row) {
    const float* first = values.data + row * columns;
    double sum = 0;
    for (size_t column = 0; column < columns; ++column) {
      sum += first[column];
    }
    low = std::min(low, sum);
    high = std::max(high, sum);
    ++chosen[largest_of(first, columns)];
  }
  facts.number("row_sum_min", low).number("row_sum_max", high);
  facts.number("largest_share",
               static_cast<double>(*std::max_element(chosen.begin(), chosen.end())) /
                   static_cast<double>(rows));
}

} // namespace

std::string facts_of_input(const at::Tensor& tensor)
{
  const Values values = values_of(tensor);
  Object facts = short_facts(tensor, values);
  if (const size_t columns = columns_of(values)) {
    add_columns(facts, values, columns);
  }
  return facts.done();
}

std::string facts_of_prediction(const at::Tensor& tensor)
{
  const Values values = values_of(tensor);
  Object facts = short_facts(tensor, values);
  if (values) {
    facts.number("negative", share(values, [](float value) { return value < 0; }));
    if (const size_t columns = columns_of(values); columns > 1) {
      add_rows(facts, values, columns);
    }
  }
  return facts.done();
}

std::string facts_of_target(const at::Tensor& tensor, int64_t classes)
{
  const Values values = values_of(tensor);
  Object facts = short_facts(tensor, values);
  if (!values) {
    return facts.done();
  }
  bool whole = !tensor.is_floating_point();
  if (!whole) {
    const double fraction = share(values, [](float value) { return value != std::floor(value); });
    facts.number("fraction", fraction);
    facts.number("negative", share(values, [](float value) { return value < 0; }));
    whole = fraction == 0;
  }
  const std::set<float> different(values.data,
                                  values.data + std::min<size_t>(values.size, 1 << 16));
  facts.whole("distinct", static_cast<int64_t>(different.size()));
  const float low = *different.begin();
  const float high = *different.rbegin();
  if (whole && low >= 0 && high < k_most_classes && values.shape.size() == 1) {
    std::vector<int64_t> counts(static_cast<size_t>(
        std::max<int64_t>(std::min(classes, k_most_classes), static_cast<int64_t>(high) + 1)));
    for (size_t i = 0; i < values.size; ++i) {
      const auto label = static_cast<size_t>(values.data[i]);
      counts[std::min(label, counts.size() - 1)] += 1;
    }
    facts.raw("class_counts", array_of(counts, [](int64_t n) { return std::to_string(n); }));
  }
  return facts.done();
}

double accuracy_of(const at::Tensor& prediction, const at::Tensor& target)
{
  const Values guesses = values_of(prediction);
  const Values truth = values_of(target);
  const size_t columns = columns_of(guesses);
  if (columns < 2 || !truth || truth.shape.size() != 1 || truth.size != guesses.size / columns) {
    return std::numeric_limits<double>::quiet_NaN();
  }
  size_t right = 0;
  for (size_t row = 0; row < truth.size; ++row) {
    right +=
        largest_of(guesses.data + row * columns, columns) == static_cast<size_t>(truth.data[row])
            ? 1
            : 0;
  }
  return static_cast<double>(right) / static_cast<double>(truth.size);
}

} // namespace faultline_watch
