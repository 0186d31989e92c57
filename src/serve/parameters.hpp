#pragma once

#include "serve/request.hpp"

#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace faultline::serve {

// Reads the query of a request. The first error is kept until `finish`, which also rejects unknown
// parameters: a mistyped filter must not look like one that matches everything.
class Parameters {
public:
  explicit Parameters(const Request& request) : m_request(request) {}

  std::string text(const std::string& name, const std::string& otherwise = "");
  std::vector<std::string> texts(const std::string& name);
  // One of `allowed`; `otherwise` if it is not given.
  std::string one_of(const std::string& name,
                     std::span<const std::string> allowed,
                     const std::string& otherwise);
  // Whether all values of a list are allowed ones.
  std::vector<std::string> some_of(const std::string& name, std::span<const std::string> allowed);
  size_t number(const std::string& name, size_t otherwise, size_t greatest);

  // Report an error that the caller has found.
  void refuse(std::string message);

  // Fails with the first error.
  Result<void> finish() const;

private:
  // The only value of a parameter that may be given once.
  std::string single(const std::string& name);
  void
  check(const std::string& name, const std::string& value, std::span<const std::string> allowed);

  const Request& m_request;
  std::set<std::string> m_known;
  std::string m_wrong;
};

} // namespace faultline::serve
