#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace faultline {

// The kind decides the exit status: 3 for `machine` and `internal`, 2 for the others.
enum class ErrorKind { usage, not_found, bad_data, io, machine, internal };

// What went wrong, in words that a user can act on, and what we were doing, innermost first.
struct [[nodiscard]] Error {
  ErrorKind kind = ErrorKind::internal;
  std::string message;
  std::vector<std::string> while_doing = {};

  Error in(std::string context) &&
  {
    while_doing.push_back(std::move(context));
    return std::move(*this);
  }

  // One line: the outermost context first, then the message.
  std::string line() const
  {
    std::string text;
    for (auto it = while_doing.rbegin(); it != while_doing.rend(); ++it) {
      text += *it + ": ";
    }
    return text + message;
  }
};

// A value or the reason why there is none. The interface is that of std::expected<T, Error>, so the
// standard type can replace it later.
template <typename T> class [[nodiscard]] Result {
public:
  Result(T value) : m_state(std::in_place_index<0>, std::move(value)) {}
  Result(Error error) : m_state(std::in_place_index<1>, std::move(error)) {}

  bool has_value() const { return m_state.index() == 0; }
  explicit operator bool() const { return has_value(); }

  T& operator*() & { return std::get<0>(m_state); }
  const T& operator*() const& { return std::get<0>(m_state); }
  T&& operator*() && { return std::get<0>(std::move(m_state)); }
  T* operator->() { return &std::get<0>(m_state); }
  const T* operator->() const { return &std::get<0>(m_state); }

  Error& error() & { return std::get<1>(m_state); }
  const Error& error() const& { return std::get<1>(m_state); }
  Error&& error() && { return std::get<1>(std::move(m_state)); }

private:
  std::variant<T, Error> m_state;
};

template <> class [[nodiscard]] Result<void> {
public:
  Result() = default;
  Result(Error error) : m_error(std::move(error)) {}

  bool has_value() const { return !m_error; }
  explicit operator bool() const { return has_value(); }

  Error& error() & { return *m_error; }
  const Error& error() const& { return *m_error; }
  Error&& error() && { return *std::move(m_error); }

private:
  std::optional<Error> m_error;
};

// Prints where and why to standard error, and aborts.
[[noreturn]] void
assertion_failed(const char* condition, std::string_view why, const char* file, int line);

} // namespace faultline

#define FL_CONCAT_INNER(a, b) a##b
#define FL_CONCAT(a, b) FL_CONCAT_INNER(a, b)

#define FL_TRY_INNER(temporary, declaration, expression)                                           \
  auto temporary = (expression);                                                                   \
  if (!temporary) {                                                                                \
    return std::move(temporary).error();                                                           \
  }                                                                                                \
  declaration = *std::move(temporary)

// `FL_TRY(const auto x, f());` gives x the value of f(), or returns f()'s error.
#define FL_TRY(declaration, expression)                                                            \
  FL_TRY_INNER(FL_CONCAT(fl_result_, __LINE__), declaration, expression)

// `FL_CHECK(f());` returns f()'s error if there is one.
#define FL_CHECK(expression)                                                                       \
  do {                                                                                             \
    if (auto fl_result = (expression); !fl_result) {                                               \
      return std::move(fl_result).error();                                                         \
    }                                                                                              \
  } while (false)

// A failure is our own bug; checked in every build.
#define FL_ASSERT(condition, why)                                                                  \
  do {                                                                                             \
    if (!(condition)) {                                                                            \
      ::faultline::assertion_failed(#condition, why, __FILE__, __LINE__);                          \
    }                                                                                              \
  } while (false)
