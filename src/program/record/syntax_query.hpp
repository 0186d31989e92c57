#pragma once

// How code is written: small questions about syntax, for what the interpreter has no facts of.
// Every question may be asked of a null node, which is something left out: it is nothing and has
// nothing inside. One more belongs here as soon as a second rule needs it.

#include "program/syntax/syntax.hpp"

#include <functional>
#include <string_view>

namespace faultline::program {

class Program;

bool is(const Syntax* node, SyntaxKind kind);
bool is_name(const Syntax* node, std::string_view name); // a name on its own, `x` but not `a.x`

// The name of what is called: `len`, `shape` of `np.shape`. Empty if it has none, as in `f()()`, or
// if `node` is no call.
std::string_view called_name(const Syntax* node);

// What a block assigns to a name first, nested statements left out; null if nothing.
const Syntax* assigned_in(const Syntax* block, std::string_view name);

// The first that passes `test` of `node` and all below it, a node before what is inside it; null if
// none.
const Syntax* find_syntax(const Syntax* node, const std::function<bool(const Syntax&)>& test);
bool contains(const Syntax* node, const std::function<bool(const Syntax&)>& test);
bool mentions(const Syntax* node, std::string_view name); // `node` is this name, or contains it

// Visit `node` and all below it, or all files of a program, a node before what is inside it.
void for_each_syntax(const Syntax* node, const std::function<void(const Syntax&)>& visit);
void for_each_syntax(const Program& program, const std::function<void(const Syntax&)>& visit);
// The same with the innermost function around each node, its parameters and decorators included;
// outside of functions, the root of the file.
void for_each_syntax(const Program& program,
                     const std::function<void(const Syntax& node, const Syntax& function)>& visit);

} // namespace faultline::program
