#include "serve/run_record.hpp"

#include <array>

namespace faultline::serve {

constexpr std::array<std::pair<RunState, std::string_view>, 6> k_states = {{
    {RunState::waiting, "waiting"},
    {RunState::running, "running"},
    {RunState::finished, "finished"},
    {RunState::cancelled, "cancelled"},
    {RunState::interrupted, "interrupted"},
    {RunState::failed, "failed"},
}};

std::string_view name_of(RunKind kind)
{
  return kind == RunKind::test ? "test" : "tool";
}

std::string_view name_of(RunState state)
{
  for (const auto& [value, name] : k_states) {
    if (value == state) {
      return name;
    }
  }
  return "?";
}

std::optional<RunKind> run_kind_named(std::string_view name)
{
  return name == "test"   ? std::optional(RunKind::test)
         : name == "tool" ? std::optional(RunKind::tool)
                          : std::nullopt;
}

std::optional<RunState> run_state_named(std::string_view name)
{
  for (const auto& [value, known] : k_states) {
    if (known == name) {
      return value;
    }
  }
  return std::nullopt;
}

} // namespace faultline::serve
