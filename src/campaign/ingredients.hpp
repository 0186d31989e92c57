#pragma once

// What a campaign's answer depends on, so that nothing stale is taken for an answer: the program,
// its data, the libraries, the probes and every line of the campaign file that matters.

#include "campaign/spec.hpp"
#include "inject/variant.hpp"
#include "run/environment.hpp"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace faultline::campaign {

// How far a change of an ingredient reaches. Each includes those before it.
enum class Reach {
  counting, // how runs are counted and judged
  plan,     // which variants there are, and what the report says of them
  runs,     // what a run gives
};

class Ingredients {
public:
  // As they are now. `most_variants` and `version` of faultline decide which variants there are.
  static Result<Ingredients> of(const Spec& spec,
                                const run::Environment& environment,
                                std::optional<size_t> most_variants,
                                const std::string& version);

  // To be kept with a plan.
  std::string print() const;
  static Result<Ingredients> parse(const std::string& text);

  // Which differ from those of `before`, as a user calls them: "train.py", "`seed`", "torch". Those
  // that are new or gone are marked so. `least`: only changes that reach at least so far.
  std::vector<std::string> changes_since(const Ingredients& before,
                                         Reach least = Reach::counting) const;

  // The address of a variant's runs, a digest of all that they depend on. Variants of another plan
  // with this address would do the very same. `changed` is the text of the variant's file.
  std::string address_of(const inject::Variant& variant, const std::string& changed) const;
  std::string clean_address() const;

private:
  struct Ingredient {
    std::string digest;
    Reach reach = Reach::runs;

    friend bool operator==(const Ingredient&, const Ingredient&) = default;
  };

  void add(const std::string& name, std::string digest, Reach reach);
  void add_spec(const Spec& spec);
  Result<void> add_data(const Spec& spec, const run::Environment& environment);
  Result<void> add_libraries(const run::Environment& environment);
  std::string address(const std::map<std::string, std::string>& changed) const;

  std::map<std::string, Ingredient> m_all;
  std::map<std::string, std::string> m_program; // files and their digests
};

} // namespace faultline::campaign
