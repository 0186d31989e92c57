#pragma once

// The variants of one template, while it runs.

#include "campaign/known_clean.hpp"
#include "campaign/template.hpp"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace faultline::campaign {

class Batch {
public:
  Batch(const Spec& spec,
        const KnownClean& clean,
        std::span<const VariantRecord* const> variants,
        int repeat)
      : m_spec(spec), m_clean(clean), m_variants(variants), m_repeat(repeat),
        m_put_off(variants.size())
  {
  }

  const std::string& id(size_t variant) const { return m_variants[variant]->variant.id; }

  // What the end of a fork means: put off, or a run.
  Result<std::optional<Observed>> take(ForkEnd end);

private:
  struct PutOff {
    std::string kind;
    double spent = 0;
    int checkpoints = 0;
  };

  const Spec& m_spec;
  const KnownClean& m_clean;
  std::span<const VariantRecord* const> m_variants;
  int m_repeat;
  std::vector<PutOff> m_put_off;
};

} // namespace faultline::campaign
