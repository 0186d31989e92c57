#include "watch/native.hpp"

#include "base/text.hpp"

#include <elf.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <optional>

namespace faultline::watch {

namespace fs = std::filesystem;

namespace {

constexpr size_t k_most_segments = 256;
constexpr size_t k_most_entries = 4096;
constexpr size_t k_most_names = 1 << 24;

// Reads parts of a file, which may be shorter than its headers say.
class Elf {
public:
  explicit Elf(const fs::path& file) : m_file(file, std::ios::binary)
  {
    if (read(0, m_header) && std::memcmp(m_header.e_ident, ELFMAG, SELFMAG) == 0 &&
        m_header.e_ident[EI_CLASS] == ELFCLASS64 && m_header.e_phentsize == sizeof(Elf64_Phdr)) {
      m_segments.resize(std::min<size_t>(m_header.e_phnum, k_most_segments));
    }
    for (size_t i = 0; i < m_segments.size(); ++i) {
      if (!read(m_header.e_phoff + i * sizeof(Elf64_Phdr), m_segments[i])) {
        m_segments.clear();
      }
    }
  }

  std::vector<Elf64_Dyn> dynamic()
  {
    std::vector<Elf64_Dyn> entries;
    for (const Elf64_Phdr& segment : m_segments) {
      if (segment.p_type != PT_DYNAMIC) {
        continue;
      }
      Elf64_Dyn entry{};
      for (size_t at = 0;
           at + sizeof entry <= segment.p_filesz && entries.size() < k_most_entries &&
           read(segment.p_offset + at, entry) && entry.d_tag != DT_NULL;
           at += sizeof entry) {
        entries.push_back(entry);
      }
    }
    return entries;
  }

  // The bytes at an address of the loaded program.
  std::string bytes_at(uint64_t address, uint64_t size)
  {
    for (const Elf64_Phdr& segment : m_segments) {
      if (segment.p_type == PT_LOAD && address >= segment.p_vaddr &&
          address - segment.p_vaddr < segment.p_filesz) {
        const uint64_t inside = address - segment.p_vaddr;
        std::string bytes(std::min<uint64_t>({size, segment.p_filesz - inside, k_most_names}),
                          '\0');
        m_file.clear();
        m_file.seekg(static_cast<std::streamoff>(segment.p_offset + inside));
        m_file.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
        bytes.resize(static_cast<size_t>(std::max<std::streamsize>(0, m_file.gcount())));
        return bytes;
      }
    }
    return {};
  }

private:
  template <typename T> bool read(uint64_t offset, T& value)
  {
    m_file.clear();
    m_file.seekg(static_cast<std::streamoff>(offset));
    return static_cast<bool>(m_file.read(reinterpret_cast<char*>(&value), sizeof value));
  }

  std::ifstream m_file;
  Elf64_Ehdr m_header{};
  std::vector<Elf64_Phdr> m_segments;
};

bool is_of_libtorch(const std::string& library)
{
  return library.starts_with("libtorch") || library.starts_with("libc10.");
}

} // namespace

fs::path file_of_command(const std::string& word)
{
  if (word.find('/') != std::string::npos) {
    return word;
  }
  const char* search = std::getenv("PATH");
  for (const std::string_view folder : split(search == nullptr ? "" : search, ':')) {
    fs::path file = fs::path(folder) / word;
    if (access(file.c_str(), X_OK) == 0) {
      return file;
    }
  }
  return {};
}

std::vector<std::string> needed_libraries(const fs::path& file)
{
  Elf elf(file);
  const std::vector<Elf64_Dyn> entries = elf.dynamic();
  const auto value_of = [&](Elf64_Sxword tag) {
    const auto found =
        std::ranges::find_if(entries, [tag](const Elf64_Dyn& entry) { return entry.d_tag == tag; });
    return found == entries.end() ? 0 : found->d_un.d_val;
  };
  const std::string names = elf.bytes_at(value_of(DT_STRTAB), value_of(DT_STRSZ));
  std::vector<std::string> libraries;
  for (const Elf64_Dyn& entry : entries) {
    if (entry.d_tag == DT_NEEDED && entry.d_un.d_val < names.size()) {
      libraries.emplace_back(names.c_str() + entry.d_un.d_val);
    }
  }
  return libraries;
}

bool uses_libtorch(const fs::path& file)
{
  return std::ranges::any_of(needed_libraries(file), is_of_libtorch);
}

bool has_libtorch_of(const fs::path& program, const fs::path& probe)
{
  const std::vector<std::string> own = needed_libraries(program);
  const std::vector<std::string> wanted = needed_libraries(probe);
  return std::ranges::all_of(wanted, [&own](const std::string& library) {
    return !is_of_libtorch(library) || std::ranges::find(own, library) != own.end();
  });
}

} // namespace faultline::watch
