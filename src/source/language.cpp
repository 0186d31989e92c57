#include "source/language.hpp"

#include "base/result.hpp"

namespace faultline::source {

namespace {

struct Ending {
  std::string_view text;
  Language language;
};

// A `.h` file counts as C++: C is no language of ours, and LibTorch programs use the ending.
constexpr Ending k_endings[] = {
    {".py", Language::python},
    {".js", Language::javascript},
    {".mjs", Language::javascript},
    {".cjs", Language::javascript},
    {".cpp", Language::cpp},
    {".cc", Language::cpp},
    {".cxx", Language::cpp},
    {".hpp", Language::cpp},
    {".h", Language::cpp},
};

} // namespace

std::optional<Language> language_of(std::string_view path)
{
  for (const Ending& ending : k_endings) {
    if (path.ends_with(ending.text)) {
      return ending.language;
    }
  }
  return std::nullopt;
}

std::string_view name_of(Language language)
{
  switch (language) {
  case Language::python:
    return "Python";
  case Language::javascript:
    return "JavaScript";
  case Language::cpp:
    return "C++";
  }
  FL_ASSERT(false, "every language has a name");
}

} // namespace faultline::source
