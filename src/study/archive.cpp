#include "study/archive.hpp"

#include "base/file.hpp"
#include "base/format.hpp"

#include <archive.h>
#include <archive_entry.h>

#include <algorithm>
#include <memory>
#include <vector>

namespace faultline::study {

namespace fs = std::filesystem;

namespace {

constexpr size_t k_block = 1 << 18;

struct Close {
  void operator()(archive* open) const { archive_read_free(open); }
};
using Archive = std::unique_ptr<archive, Close>;

Error wrong(const fs::path& path, archive* open)
{
  const char* why = archive_error_string(open);
  return {ErrorKind::bad_data,
          format("{} cannot be read as tar.zst: {}",
                 path.string(),
                 why == nullptr ? "it is damaged" : why)};
}

Result<void> read_entry(const fs::path& path, archive* open, FileSink& sink)
{
  std::vector<char> block(k_block);
  while (true) {
    const la_ssize_t count = archive_read_data(open, block.data(), block.size());
    if (count < 0) {
      return wrong(path, open);
    }
    if (count == 0) {
      return {};
    }
    sink.take({block.data(), static_cast<size_t>(count)});
  }
}

} // namespace

Result<void> read_archive(const fs::path& path, FileSink& sink)
{
  const Archive open(archive_read_new());
  FL_ASSERT(open != nullptr, "libarchive starts");
  // No other filter: some of them start programs.
  archive_read_support_filter_zstd(open.get());
  archive_read_support_format_tar(open.get());
  if (archive_read_open_filename(open.get(), path.c_str(), k_block) != ARCHIVE_OK) {
    return wrong(path, open.get());
  }
  archive_entry* entry = nullptr;
  while (true) {
    const int status = archive_read_next_header(open.get(), &entry);
    if (status == ARCHIVE_EOF) {
      return {};
    }
    if (status < ARCHIVE_WARN) {
      return wrong(path, open.get());
    }
    const char* name = archive_entry_pathname(entry);
    if (name == nullptr || archive_entry_filetype(entry) != AE_IFREG) {
      continue;
    }
    sink.begin(name);
    FL_CHECK(read_entry(path, open.get(), sink));
    sink.end();
  }
}

Result<void> read_folder(const fs::path& root, const std::string& folder, FileSink& sink)
{
  std::vector<fs::path> files;
  std::error_code failed;
  for (fs::recursive_directory_iterator entry(root / folder, failed), last;
       !failed && entry != last;
       entry.increment(failed)) {
    std::error_code unknown;
    if (entry->symlink_status(unknown).type() == fs::file_type::regular) {
      files.push_back(entry->path());
    }
  }
  if (failed) {
    return Error{ErrorKind::io,
                 format("cannot list {}: {}", (root / folder).string(), failed.message())};
  }
  std::ranges::sort(files);
  for (const fs::path& file : files) {
    FL_TRY(const std::string content, read_file(file));
    sink.begin(file.lexically_relative(root).generic_string());
    sink.take(content);
    sink.end();
  }
  return {};
}

} // namespace faultline::study
