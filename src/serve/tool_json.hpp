#pragma once

#include "evaluate/tool.hpp"
#include "run/environments.hpp"
#include "serve/request.hpp"

#include <memory>

namespace faultline::serve {

// {name, summary, kind, installed, reason}. A union is installed if one of its members is.
Json tool_json(const evaluate::Toolbox& box,
               const evaluate::Tool& tool,
               const run::Environments& environments);

// JSON that is available as text, or the error.
Reply text_reply(const Result<std::shared_ptr<const std::string>>& text);

} // namespace faultline::serve
