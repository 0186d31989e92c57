#include "base/digest.hpp"

#include "base/format.hpp"
#include "base/result.hpp"

#include <openssl/evp.h>

#include <array>

namespace faultline {

void Digest::Free::operator()(evp_md_ctx_st* context) const
{
  EVP_MD_CTX_free(context);
}

Digest::Digest() : m_context(EVP_MD_CTX_new())
{
  FL_ASSERT(m_context && EVP_DigestInit_ex(m_context.get(), EVP_sha256(), nullptr) == 1,
            "SHA-256 is built into libcrypto");
}

Digest& Digest::add(std::string_view field)
{
  const std::string length = format("{}:", field.size());
  EVP_DigestUpdate(m_context.get(), length.data(), length.size());
  EVP_DigestUpdate(m_context.get(), field.data(), field.size());
  return *this;
}

Digest& Digest::add(long long number)
{
  return add(format("{}", number));
}

std::string Digest::hex()
{
  std::array<unsigned char, EVP_MAX_MD_SIZE> bytes{};
  unsigned int size = 0;
  EVP_DigestFinal_ex(m_context.get(), bytes.data(), &size);
  std::string text;
  for (unsigned int i = 0; i < size; ++i) {
    text += format("{:02x}", bytes[i]);
  }
  return text;
}

} // namespace faultline
