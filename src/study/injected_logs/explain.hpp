#pragma once

#include "study/injected_logs/study.hpp"

#include <span>

namespace faultline::study::injected {

// Why a row of table V differs from the published one, as far as the data shows it.
Difference explain_operator(const SymptomRow& row, const Published& published);

// A row of table IV differs by what its rows of table V differ, `outside` the table included.
Difference explain_library(const SymptomRow& row,
                           std::span<const SymptomRow> operators,
                           std::span<const SymptomRow> outside);

// Outliers move with the set of runs that the box is drawn from.
Difference explain_outliers(const OutlierRow& row, const Published& published);

} // namespace faultline::study::injected
