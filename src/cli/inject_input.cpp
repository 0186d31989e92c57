#include "cli/inject_input.hpp"

#include "base/format.hpp"
#include "check/checker.hpp"
#include "source/line_index.hpp"
#include "source/syntax.hpp"

#include <optional>

namespace faultline::cli {

// The line of the first error; nothing if the text is valid.
static std::optional<size_t> broken_line(const std::string& text)
{
  const auto tree = source::SyntaxTree::parse(text, source::Language::python);
  const std::vector<source::ByteRange> errors = tree.errors();
  return errors.empty() ? std::nullopt
                        : std::optional(source::LineIndex(text).at(errors.front().begin).line);
}

Result<std::string> read_program(const std::filesystem::path& path)
{
  check::Subject subject;
  subject.path = path.string();
  Result<check::LoadedText> loaded = check::load_program(subject);
  if (!loaded) {
    return Error{loaded.error().kind,
                 format("cannot read {}: {}", subject.path, loaded.error().message)};
  }
  if (const std::optional<size_t> line = broken_line(loaded->text)) {
    return Error{ErrorKind::bad_data,
                 format("{}:{} is not valid Python; repair it first", subject.path, *line)};
  }
  return std::move(loaded->text);
}

std::vector<std::string> broken_programs(const FileTree& files)
{
  std::vector<std::string> broken;
  for (const auto& [path, text] : files) {
    const std::optional<size_t> line =
        path.ends_with(".py") ? broken_line(text) : std::optional<size_t>();
    if (line) {
      broken.push_back(format("{}:{}", path, *line));
    }
  }
  return broken;
}

} // namespace faultline::cli
