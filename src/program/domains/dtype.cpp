#include "program/domains/dtype.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace faultline::program {

namespace {

using Kind = DType::Kind;

constexpr std::pair<std::string_view, Kind> k_names[] = {
    {"bool", Kind::boolean},
    {"bool_", Kind::boolean},
    {"boolean", Kind::boolean},
    {"?", Kind::boolean},
    {"uint8", Kind::uint8},
    {"ubyte", Kind::uint8},
    {"u1", Kind::uint8},
    {"B", Kind::uint8},
    {"int8", Kind::int8},
    {"byte", Kind::int8},
    {"i1", Kind::int8},
    {"int16", Kind::int16},
    {"short", Kind::int16},
    {"i2", Kind::int16},
    {"int32", Kind::int32},
    {"intc", Kind::int32},
    {"i4", Kind::int32},
    {"int64", Kind::int64},
    {"long", Kind::int64},
    {"int_", Kind::int64},
    {"longlong", Kind::int64},
    {"i8", Kind::int64},
    {"float16", Kind::float16},
    {"half", Kind::float16},
    {"f2", Kind::float16},
    {"bfloat16", Kind::bfloat16},
    {"float32", Kind::float32},
    {"single", Kind::float32},
    {"f4", Kind::float32},
    {"f", Kind::float32},
    {"float64", Kind::float64},
    {"double", Kind::float64},
    {"float_", Kind::float64},
    {"f8", Kind::float64},
    {"d", Kind::float64},
    {"complex64", Kind::complex64},
    {"cfloat", Kind::complex64},
    {"complex128", Kind::complex128},
    {"cdouble", Kind::complex128},
    {"complex", Kind::complex128},
    {"complex_", Kind::complex128},
    {"string", Kind::string},
    {"str", Kind::string},
    {"str_", Kind::string},
    {"U", Kind::string},
    {"S", Kind::string},
    {"object", Kind::object},
    {"object_", Kind::object},
    {"O", Kind::object},
};

bool is_complex(Kind kind)
{
  return kind == Kind::complex64 || kind == Kind::complex128;
}

// Bytes of one real component.
int width(Kind kind)
{
  switch (kind) {
  case Kind::boolean:
  case Kind::uint8:
  case Kind::int8:
    return 1;
  case Kind::int16:
  case Kind::float16:
  case Kind::bfloat16:
    return 2;
  case Kind::int32:
  case Kind::float32:
  case Kind::complex64:
    return 4;
  default:
    return 8;
  }
}

} // namespace

std::optional<DType> DType::named(std::string_view name)
{
  // `int` and `float` are 64 bits wide as Python's and NumPy's, but 32 in torch.
  if (name == "torch.int") {
    return DType(Kind::int32);
  }
  if (name == "torch.float") {
    return DType(Kind::float32);
  }
  if (const size_t dot = name.rfind('.'); dot != std::string_view::npos) {
    name.remove_prefix(dot + 1);
  }
  if (!name.empty() && (name.front() == '<' || name.front() == '>' || name.front() == '=')) {
    name.remove_prefix(1);
  }
  if (name.ends_with("_ref")) {
    name.remove_suffix(4);
  }
  if (name == "int") {
    return DType(Kind::int64);
  }
  if (name == "float") {
    return DType(Kind::float64);
  }
  const auto* found = std::ranges::find(k_names, name, &std::pair<std::string_view, Kind>::first);
  return found != std::end(k_names) ? std::optional(DType(found->second)) : std::nullopt;
}

bool DType::is_floating() const
{
  return m_kind >= Kind::float16 && m_kind <= Kind::float64;
}

bool DType::is_integer() const
{
  return m_kind >= Kind::uint8 && m_kind <= Kind::int64;
}

bool DType::is_numeric() const
{
  return m_kind >= Kind::boolean && m_kind <= Kind::complex128;
}

// Where NumPy and torch disagree (int64 with float32 is float64 in the one, float32 in the other)
// the result is unknown.
DType DType::promoted(DType a, DType b)
{
  if (a == b) {
    return a;
  }
  if (a.m_kind == Kind::boolean && b.is_numeric()) {
    return b;
  }
  if (b.m_kind == Kind::boolean && a.is_numeric()) {
    return a;
  }
  if (!a.is_numeric() || !b.is_numeric()) {
    return top();
  }
  if (is_complex(a.m_kind) || is_complex(b.m_kind)) {
    const DType other = is_complex(a.m_kind) ? b : a;
    const bool wide = std::max(width(a.m_kind), width(b.m_kind)) == 8;
    if (other.is_integer() && width(other.m_kind) > 2) {
      return a.m_kind == Kind::complex128 || b.m_kind == Kind::complex128 ? DType(Kind::complex128)
                                                                          : top();
    }
    return wide ? Kind::complex128 : Kind::complex64;
  }
  if (a.is_floating() && b.is_floating()) {
    if (width(a.m_kind) == width(b.m_kind)) {
      return Kind::float32; // float16 with bfloat16
    }
    return width(a.m_kind) > width(b.m_kind) ? a : b;
  }
  if (a.is_integer() && b.is_integer()) {
    if (width(a.m_kind) == width(b.m_kind)) {
      return Kind::int16; // uint8 with int8
    }
    return width(a.m_kind) > width(b.m_kind) ? a : b;
  }
  const DType real = a.is_floating() ? a : b;
  const DType whole = a.is_floating() ? b : a;
  if (real.m_kind == Kind::float64 || width(real.m_kind) > width(whole.m_kind)) {
    return real;
  }
  return top();
}

Effect DType::join(const DType& other)
{
  if (contains(other)) {
    return Effect::unchanged;
  }
  *this = m_kind == Kind::bottom ? other : top();
  return Effect::changed;
}

bool DType::contains(const DType& other) const
{
  return is_unknown() || other.m_kind == Kind::bottom || *this == other;
}

std::string_view DType::text() const
{
  static constexpr std::array<std::string_view, 16> k_texts = {"nothing",
                                                               "bool",
                                                               "uint8",
                                                               "int8",
                                                               "int16",
                                                               "int32",
                                                               "int64",
                                                               "float16",
                                                               "bfloat16",
                                                               "float32",
                                                               "float64",
                                                               "complex64",
                                                               "complex128",
                                                               "string",
                                                               "object",
                                                               "unknown"};
  return k_texts[static_cast<size_t>(m_kind)];
}

} // namespace faultline::program
