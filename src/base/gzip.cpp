#include "base/gzip.hpp"

#include "base/format.hpp"

#include <zlib.h>

#include <array>

namespace faultline {

// Window bits of zlib plus 16: with gzip's header.
constexpr int k_gzip_window = 15 + 16;

// zlib only reads its input, but takes it as non-const.
static Bytef* input_of(std::string_view bytes)
{
  return reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
}

std::string gzip(std::string_view bytes, int level)
{
  z_stream stream = {};
  const int begun = deflateInit2(&stream, level, Z_DEFLATED, k_gzip_window, 8, Z_DEFAULT_STRATEGY);
  FL_ASSERT(begun == Z_OK, "zlib has memory for a stream");
  std::string packed(deflateBound(&stream, bytes.size()), '\0');
  stream.next_in = input_of(bytes);
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  const int ended = deflate(&stream, Z_FINISH);
  FL_ASSERT(ended == Z_STREAM_END, "the bound of zlib is enough");
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  return packed;
}

Result<std::string> gunzip(std::string_view bytes, size_t limit)
{
  z_stream stream = {};
  if (inflateInit2(&stream, k_gzip_window) != Z_OK) {
    return Error{ErrorKind::internal, "cannot start zlib"};
  }
  stream.next_in = input_of(bytes);
  stream.avail_in = static_cast<uInt>(bytes.size());
  std::string text;
  std::array<char, 65536> piece;
  int state = Z_OK;
  while (state == Z_OK && text.size() <= limit) {
    stream.next_out = reinterpret_cast<Bytef*>(piece.data());
    stream.avail_out = static_cast<uInt>(piece.size());
    state = inflate(&stream, Z_NO_FLUSH);
    text.append(piece.data(), piece.size() - stream.avail_out);
  }
  inflateEnd(&stream);
  if (text.size() > limit) {
    return Error{ErrorKind::bad_data, format("unpacks to more than {} bytes", limit)};
  }
  if (state != Z_STREAM_END) {
    return Error{ErrorKind::bad_data, "is not in gzip, or broken"};
  }
  return text;
}

} // namespace faultline
