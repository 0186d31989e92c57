#pragma once

// The smallest changes that many operators make.

#include "inject/patterns.hpp"

namespace faultline::inject {

// `place` becomes `text`. The words for it show `shown`, which `place` is a part of.
void rewrite(const Node& place, const std::string& text, const Node& shown, Mutations& found);

// `f(x, …)` becomes `x`. Nothing if there is no first argument.
void unwrap(const Call& call, Mutations& found);

// `x.method(…)` becomes `x`. Nothing if it is no method, or if it stands alone.
void drop_method(const Call& call, Mutations& found);

// The statement `f(…)` goes. Nothing if the call is only a part of its statement.
void drop_statement(const Code& code, const Call& call, Mutations& found);

// The statement that is nothing but `call`.
std::optional<Node> own_statement(const Call& call);

} // namespace faultline::inject
