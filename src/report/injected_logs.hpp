#pragma once

#include "base/file.hpp"
#include "base/json.hpp"
#include "base/terminal.hpp"
#include "study/injected_logs/study.hpp"

#include <string>

namespace faultline::report {

// The study's tables, published and recomputed side by side, with every difference explained.
std::string injected_logs_text(const study::injected::InjectedStudy& study, const Painter& paint);

Json injected_logs_json(const study::injected::InjectedStudy& study);

// One file a table, and runs.csv with what each log says.
FileTree injected_logs_csv(const study::injected::InjectedStudy& study,
                           const study::injected::StudyData& data);

} // namespace faultline::report
