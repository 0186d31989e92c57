#pragma once

#include "program/domains/domain.hpp"

#include <cstdint>
#include <optional>
#include <string_view>

namespace faultline::program {

// The element type of a tensor. `object` is NumPy's array of Python objects (ragged lists, mixed
// columns), `string` text.
class DType {
public:
  enum class Kind : uint8_t {
    bottom,
    boolean,
    uint8,
    int8,
    int16,
    int32,
    int64,
    float16,
    bfloat16,
    float32,
    float64,
    complex64,
    complex128,
    string,
    object,
    unknown
  };

  constexpr DType(Kind kind = Kind::unknown) : m_kind(kind) {}
  static DType bottom() { return Kind::bottom; }
  static DType top() { return Kind::unknown; }
  // "float32", "torch.float", "tf.int64", "np.uint8", "int", "f4" …; nothing if not a type's name.
  static std::optional<DType> named(std::string_view name);

  Kind kind() const { return m_kind; }
  bool is_unknown() const { return m_kind == Kind::unknown; }
  bool is_floating() const;
  bool is_integer() const; // bool not counted
  bool is_numeric() const; // known, and neither string nor object

  // NumPy's and torch's promotion of two arrays; unknown if either is.
  static DType promoted(DType a, DType b);

  Effect join(const DType& other);
  Effect widen(const DType& other) { return join(other); }
  bool contains(const DType& other) const;

  std::string_view text() const; // "float32", "unknown"
  friend bool operator==(const DType&, const DType&) = default;
  friend std::ostream& operator<<(std::ostream& os, const DType& t) { return os << t.text(); }

private:
  Kind m_kind;
};

} // namespace faultline::program
