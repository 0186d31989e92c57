#include "base/compress.hpp"

#include "base/format.hpp"

#include <zstd.h>

namespace faultline {

// Larger than anything we store; limits the memory that a damaged frame can request.
constexpr unsigned long long k_most = 1ULL << 30;

std::string compress(std::string_view text)
{
  std::string packed(ZSTD_compressBound(text.size()), '\0');
  const size_t size = ZSTD_compress(packed.data(), packed.size(), text.data(), text.size(), 3);
  FL_ASSERT(ZSTD_isError(size) == 0, "the buffer is as large as zstd asks for");
  packed.resize(size);
  return packed;
}

Result<std::string> decompress(std::string_view packed)
{
  const unsigned long long size = ZSTD_getFrameContentSize(packed.data(), packed.size());
  if (size == ZSTD_CONTENTSIZE_ERROR || size == ZSTD_CONTENTSIZE_UNKNOWN || size > k_most) {
    return Error{ErrorKind::bad_data, "a kept text is damaged"};
  }
  std::string text(size, '\0');
  const size_t read = ZSTD_decompress(text.data(), text.size(), packed.data(), packed.size());
  if (ZSTD_isError(read) != 0 || read != size) {
    return Error{ErrorKind::bad_data,
                 format("a kept text is damaged: {}", ZSTD_getErrorName(read))};
  }
  return text;
}

} // namespace faultline
