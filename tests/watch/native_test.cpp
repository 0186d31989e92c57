#include "base/file.hpp"
#include "watch/native.hpp"

#include <elf.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>

namespace faultline::watch {

using ::testing::Contains;
using ::testing::IsEmpty;
using ::testing::StartsWith;

namespace {

template <typename T> void put(std::string& bytes, const T& value)
{
  bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
}

// The smallest ELF file that needs these libraries; its addresses are places in the file.
std::string program_with(const std::vector<std::string>& libraries)
{
  std::string names(1, '\0');
  std::string entries;
  for (const std::string& library : libraries) {
    put(entries, Elf64_Dyn{DT_NEEDED, {names.size()}});
    names += library + '\0';
  }
  const size_t begin = sizeof(Elf64_Ehdr) + 2 * sizeof(Elf64_Phdr);
  const size_t end = begin + entries.size() + 3 * sizeof(Elf64_Dyn);
  put(entries, Elf64_Dyn{DT_STRTAB, {end}});
  put(entries, Elf64_Dyn{DT_STRSZ, {names.size()}});
  put(entries, Elf64_Dyn{DT_NULL, {0}});
  Elf64_Ehdr header{};
  std::memcpy(header.e_ident, ELFMAG, SELFMAG);
  header.e_ident[EI_CLASS] = ELFCLASS64;
  header.e_phoff = sizeof header;
  header.e_phentsize = sizeof(Elf64_Phdr);
  header.e_phnum = 2;
  Elf64_Phdr all{};
  all.p_type = PT_LOAD;
  all.p_filesz = end + names.size();
  Elf64_Phdr dynamic{};
  dynamic.p_type = PT_DYNAMIC;
  dynamic.p_offset = begin;
  dynamic.p_filesz = entries.size();
  std::string bytes;
  put(bytes, header);
  put(bytes, all);
  put(bytes, dynamic);
  return bytes + entries + names;
}

} // namespace

TEST(Native, ReadsTheLibrariesOfAProgram)
{
  EXPECT_THAT(needed_libraries("/proc/self/exe"), Contains(StartsWith("libc.so")));
  EXPECT_FALSE(uses_libtorch("/proc/self/exe"));
}

TEST(Native, FindsAProgramInPath)
{
  EXPECT_TRUE(file_of_command("sh").is_absolute());
  EXPECT_EQ(file_of_command("./train"), "./train");
  EXPECT_EQ(file_of_command("no-program-of-this-name"), "");
}

TEST(Native, AFileThatIsNoProgramNeedsNothing)
{
  EXPECT_THAT(needed_libraries("/no/such/file"), IsEmpty());
  EXPECT_THAT(needed_libraries("/etc"), IsEmpty());
  EXPECT_THAT(needed_libraries(__FILE__), IsEmpty());
}

TEST(Native, ABrokenFileNeedsNothing)
{
  const Result<std::string> whole = read_file("/proc/self/exe");
  ASSERT_TRUE(whole);
  const std::filesystem::path file =
      std::filesystem::path(::testing::TempDir()) / "faultline_native_test";
  for (const size_t length : {1UL, 40UL, 64UL, 100UL, 400UL, 900UL}) {
    std::string bytes = whole->substr(0, length);
    ASSERT_TRUE(write_file(file, bytes));
    EXPECT_THAT(needed_libraries(file), IsEmpty()) << length;
    for (size_t at = 40; at < bytes.size(); ++at) {
      bytes[at] = '\xff';
    }
    ASSERT_TRUE(write_file(file, bytes));
    EXPECT_THAT(needed_libraries(file), IsEmpty()) << length;
  }
  std::filesystem::remove(file);
}

TEST(Native, AProgramWithAnotherLibTorchIsNotThatOfTheProbe)
{
  Result<TempDir> place = TempDir::create();
  ASSERT_TRUE(place);
  const std::filesystem::path probe = place->path() / "probe.so";
  const std::filesystem::path program = place->path() / "train";
  ASSERT_TRUE(
      write_file(probe, program_with({"libtorch_cpu.so.1.13", "libc10.so.1.13", "libm.so.6"})));
  EXPECT_THAT(needed_libraries(probe), Contains("libc10.so.1.13"));
  EXPECT_TRUE(uses_libtorch(probe));
  const auto fits = [&](const std::vector<std::string>& libraries) {
    EXPECT_TRUE(write_file(program, program_with(libraries)));
    return has_libtorch_of(program, probe);
  };
  EXPECT_TRUE(fits({"libtorch.so.1.13", "libtorch_cpu.so.1.13", "libc10.so.1.13", "libc.so.6"}));
  EXPECT_FALSE(fits({"libtorch_cpu.so.2.1", "libc10.so.2.1"}));
  EXPECT_FALSE(fits({"libtorch_cpu.so", "libc10.so", "libm.so.6"}));
  EXPECT_FALSE(fits({"libtorch_cpu.so.1.13"}));
  EXPECT_FALSE(fits({"libm.so.6"}));
}

} // namespace faultline::watch
