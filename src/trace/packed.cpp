#include "trace/packed.hpp"

#include "trace/records.hpp"

#include <bit>
#include <limits>
#include <type_traits>

namespace faultline::trace {

namespace {

static_assert(std::endian::native == std::endian::little, "records are little-endian");

// How long a record is.
class Length {
public:
  template <typename Packed, typename T> void field(std::string_view /*key*/, T& /*value*/)
  {
    m_bytes += sizeof(Packed);
  }
  template <typename Packed> void padding() { m_bytes += sizeof(Packed); }
  size_t bytes() const { return m_bytes; }

private:
  size_t m_bytes = 0;
};

// Takes fields off the front of a record, whose length has been checked.
class Bytes {
public:
  explicit Bytes(std::string_view bytes) : m_bytes(bytes) {}

  template <typename Packed, typename T> void field(std::string_view /*key*/, T& value)
  {
    const auto packed = take<Packed>();
    if constexpr (std::is_same_v<T, Role>) {
      m_good = m_good && packed <= static_cast<Packed>(Role::update);
      value = m_good ? static_cast<Role>(packed) : value;
    } else if constexpr (std::is_same_v<T, int>) {
      m_good = m_good && packed <= static_cast<Packed>(std::numeric_limits<int>::max());
      value = m_good ? static_cast<int>(packed) : value;
    } else {
      value = packed;
    }
  }
  template <typename Packed> void padding() { take<Packed>(); }
  bool good() const { return m_good; }

private:
  template <typename Packed> Packed take()
  {
    const auto value = first_number<Packed>(m_bytes);
    m_bytes.remove_prefix(sizeof(Packed));
    return value;
  }

  std::string_view m_bytes;
  bool m_good = true;
};

template <typename T> std::optional<Event> unpacked(std::string_view content)
{
  T event;
  Length length;
  read_fields(length, event);
  if (content.size() != length.bytes()) {
    return std::nullopt;
  }
  Bytes bytes(content);
  read_fields(bytes, event);
  return bytes.good() ? std::optional<Event>(event) : std::nullopt;
}

} // namespace

std::optional<Event> packed_event(char kind, std::string_view content)
{
  switch (kind) {
  case 'S':
    return unpacked<Step>(content);
  case 'T':
    return unpacked<TensorStats>(content);
  default:
    return std::nullopt;
  }
}

} // namespace faultline::trace
