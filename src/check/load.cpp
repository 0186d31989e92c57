#include "base/file.hpp"
#include "base/format.hpp"
#include "base/text.hpp"
#include "check/checker.hpp"

#include <algorithm>
#include <csignal>

namespace faultline::check {

namespace fs = std::filesystem;

static bool is_notebook(std::string_view path)
{
  return path.ends_with(".ipynb");
}

// A comment on one of the first two lines, as in `# -*- coding: latin-1 -*-`.
static bool declares_encoding(std::string_view bytes)
{
  const size_t first = bytes.find('\n');
  const size_t second = first == std::string_view::npos ? first : bytes.find('\n', first + 1);
  for (const std::string_view line : split(bytes.substr(0, second), '\n')) {
    const std::string_view comment = trim(line);
    if (comment.starts_with('#') && comment.find("coding") != std::string_view::npos) {
      return true;
    }
  }
  return false;
}

// Why bytes are no program; empty if they may be one.
static std::string why_no_text(std::string_view bytes)
{
  if (bytes.starts_with("\xFF\xFE") || bytes.starts_with("\xFE\xFF")) {
    return "it is UTF-16, not UTF-8";
  }
  // NUL is nowhere in Python source, and everywhere in binary files.
  if (const size_t at = bytes.find('\0'); at != std::string_view::npos) {
    return format("it is not text: byte {} is 0", at);
  }
  if (!declares_encoding(bytes)) {
    // Python reads UTF-8 only, if the program does not say otherwise.
    if (const std::string valid = to_valid_utf8(bytes); valid != bytes) {
      const auto at = std::ranges::mismatch(bytes, valid).in1 - bytes.begin();
      return format("it is not UTF-8: byte {} cannot be read", at);
    }
  }
  return {};
}

// Large files are refused before they are read.
static Result<std::string> read_bounded(const std::string& path)
{
  const size_t limit = program::Limits().file_bytes;
  std::error_code code;
  const auto size = fs::file_size(path, code);
  if (!code && size > limit) {
    return Error{ErrorKind::bad_data, format("it is larger than {} MiB", limit >> 20U)};
  }
  Result<std::string> text = read_file(path);
  if (!text) {
    // "cannot read x.py: why": whoever reports it names the file.
    const std::string& message = text.error().message;
    return Error{text.error().kind, message.substr(message.rfind(": ") + 2)};
  }
  return text;
}

Result<LoadedText> load_program(const Subject& subject)
{
  LoadedText loaded;
  if (subject.text) {
    loaded.text = *subject.text;
  } else {
    FL_TRY(loaded.text, read_bounded(subject.path));
  }
  if (is_notebook(subject.path)) {
    FL_TRY(loaded.notebook, source::Notebook::parse(std::move(loaded.text)));
    loaded.text = loaded.notebook->text();
    return loaded;
  }
  if (const std::string why = why_no_text(loaded.text); !why.empty()) {
    return Error{ErrorKind::bad_data, why};
  }
  return loaded;
}

#ifdef FL_CRASH_ON_PURPOSE
// Only in the build that tests what a crash does to others.
static void crash_if_asked(std::string_view text)
{
  if (text.find("crash_on_purpose") != std::string_view::npos) {
    std::raise(SIGSEGV);
  }
  if (text.find("take_all_memory") != std::string_view::npos) {
    std::vector<std::string> hoard;
    while (true) {
      hoard.emplace_back(size_t{64} << 20U, 'x');
    }
  }
}
#endif

std::unique_ptr<const program::Program> analyse_program(const Subject& subject,
                                                        const LoadedText& loaded)
{
  const auto read = [](const std::string& path) -> std::optional<std::string> {
    std::error_code code;
    if (!fs::is_regular_file(path, code)) {
      return std::nullopt;
    }
    Result<std::string> text = read_bounded(path);
    if (!text || !why_no_text(*text).empty()) {
      return std::nullopt;
    }
    return *std::move(text);
  };
#ifdef FL_CRASH_ON_PURPOSE
  crash_if_asked(loaded.text);
#endif
  return program::analyse(
      subject.path, loaded.text, subject.alone ? program::ReadFile() : program::ReadFile(read));
}

} // namespace faultline::check
