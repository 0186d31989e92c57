#pragma once

// Labels of taxonomy/ as rules, symptoms and operators write them: spelt as in a fault.toml, and
// looked up when compiled. A label that the taxonomy does not have is a compile error that names
// no_such_label_in_the_taxonomy and shows the label.

#include <algorithm>
#include <string_view>

namespace faultline::source {

#include "source/labels.inc"

template <typename Scheme> class Label {
public:
  consteval Label(const char* id) : m_id(id) // implicit, so that a label is written as a string
  {
    if (std::ranges::find(Scheme::k_labels, m_id) == std::ranges::end(Scheme::k_labels)) {
      no_such_label_in_the_taxonomy();
    }
  }

  // Of what is no fault of deep learning.
  static constexpr Label none() { return Label(); }

  constexpr std::string_view id() const { return m_id; }

  friend constexpr bool operator==(const Label&, const Label&) = default;

private:
  constexpr Label() = default;
  static void no_such_label_in_the_taxonomy(); // never defined: a call of it does not compile

  std::string_view m_id;
};

using FaultType = Label<FaultTypes>;   // a leaf of taxonomy/types.toml
using FaultNode = Label<FaultNodes>;   // a leaf or an inner node of it
using FixPattern = Label<FixPatterns>; // of taxonomy/fix_patterns.toml

} // namespace faultline::source
