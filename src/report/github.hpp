#pragma once

#include "source/file_set.hpp"
#include "source/finding.hpp"

#include <string>

namespace faultline::report {

// A workflow command that GitHub shows as an annotation of the line:
// "::error file=…,line=…,col=…,endLine=…,endColumn=…,title=…::message".
std::string github_annotation(const source::Finding& finding, const source::FileSet& files);

} // namespace faultline::report
