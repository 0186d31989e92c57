#include "program/record/program.hpp"

#include "program/values/scope.hpp"

#include <algorithm>
#include <unordered_map>

namespace faultline::program {

struct Program::Consumers {
  std::unordered_map<const Tensor*, std::vector<const Call*>> of;
};

Program::Program() = default;
Program::~Program() = default;

std::string_view Program::text(Span span) const
{
  if (span.file >= m_units.size()) {
    return {};
  }
  const std::string_view text = m_units[span.file]->text;
  return span.begin <= text.size() ? text.substr(span.begin, span.end - span.begin)
                                   : std::string_view();
}

const std::vector<const Call*>& Program::consumers(const Tensor* tensor) const
{
  if (!m_consumers) {
    m_consumers = std::make_unique<Consumers>();
    for (const Call& call : m_calls) {
      for (const Tensor* input : call.inputs()) {
        std::vector<const Call*>& list = m_consumers->of[input];
        if (list.empty() || list.back() != &call) {
          list.push_back(&call);
        }
      }
    }
  }
  static const std::vector<const Call*> k_none;
  const auto found = m_consumers->of.find(tensor);
  return found != m_consumers->of.end() ? found->second : k_none;
}

std::optional<Version> Program::pinned(const std::string& library) const
{
  const auto found = m_pins.find(library);
  return found != m_pins.end() ? std::optional(found->second) : std::nullopt;
}

bool Program::uses(std::string_view library) const
{
  return std::ranges::any_of(m_imports, [library](const Import& import) {
    return import.module == library ||
           (import.module.starts_with(library) && import.module[library.size()] == '.');
  });
}

} // namespace faultline::program
