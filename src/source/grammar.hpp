#pragma once

#include "source/language.hpp"

#include <tree_sitter/api.h>

#include <string>

namespace faultline::source {

// The tree of `text`, made with the help of `old` where that is not null; never null itself.
TSTree* parse_text(const std::string& text, Language language, const TSTree* old);

} // namespace faultline::source
