#pragma once

#include <memory>
#include <string>
#include <string_view>

struct evp_md_ctx_st;

namespace faultline {

// SHA-256 of a sequence of fields. Each field is hashed with its length, so ("ab", "c") and ("a",
// "bc") differ.
class Digest {
public:
  Digest();

  Digest& add(std::string_view field);
  Digest& add(long long number);

  // 64 hexadecimal digits; the digest takes no further field after that.
  std::string hex();

private:
  struct Free {
    void operator()(evp_md_ctx_st* context) const;
  };

  std::unique_ptr<evp_md_ctx_st, Free> m_context;
};

} // namespace faultline
