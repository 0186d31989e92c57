#include "sites.hpp"

#include "json.hpp"

#include <backtrace.h>
#include <dlfcn.h>
#include <execinfo.h>
#include <link.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <map>
#include <string_view>

namespace faultline_watch {

namespace {

constexpr int k_deepest = 128;

// Static objects are made with `new` and stay: the last lines are asked for at exit, after the
// destructors of others.

struct Range {
  uintptr_t begin, end;
};

bool is_of_system(std::string_view path)
{
  for (const std::string_view folder : {"/usr/", "/lib/", "/lib64/", "linux-vdso", "[vdso]"}) {
    if (path.substr(0, folder.size()) == folder) {
      return true;
    }
  }
  return path.find("libtorch") != std::string_view::npos ||
         path.find("libc10") != std::string_view::npos ||
         path.find("libfaultline") != std::string_view::npos;
}

int add_range(dl_phdr_info* info, size_t, void* ranges)
{
  if (is_of_system(info->dlpi_name)) {
    return 0;
  }
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const auto& segment = info->dlpi_phdr[i];
    if (segment.p_type == PT_LOAD && (segment.p_flags & PF_X) != 0) {
      const uintptr_t begin = info->dlpi_addr + segment.p_vaddr;
      static_cast<std::vector<Range>*>(ranges)->push_back({begin, begin + segment.p_memsz});
    }
  }
  return 0;
}

// Where the program's own code is: the executable, and libraries that are not the system's.
const std::vector<Range>& program_ranges()
{
  static const std::vector<Range>* const ranges = [] {
    auto* found = new std::vector<Range>();
    dl_iterate_phdr(add_range, found);
    return found;
  }();
  return *ranges;
}

// A header of a library is not the program's, though its code is compiled into it.
bool is_of_library(std::string_view file)
{
  return file.empty() || file.substr(0, 5) == "/usr/" ||
         file.find("/include/torch/") != std::string_view::npos ||
         file.find("/include/ATen/") != std::string_view::npos ||
         file.find("/include/c10/") != std::string_view::npos ||
         file.find("/include/c++/") != std::string_view::npos;
}

// Relative to the folder in which the program was started, where it is inside.
std::string shown(std::string file)
{
  static const std::string& here = *[] {
    std::array<char, 4096> path;
    const char* found = getcwd(path.data(), path.size());
    return new std::string(found == nullptr ? std::string() : std::string(found) + "/");
  }();
  if (!here.empty() && file.compare(0, here.size(), here) == 0) {
    file.erase(0, here.size());
  }
  while (file.compare(0, 2, "./") == 0) {
    file.erase(0, 2);
  }
  return file;
}

void ignore(void*, const char*, int) {}

int add_line(void* lines, uintptr_t, const char* file, int number, const char* function)
{
  if (file != nullptr && !is_of_library(file)) {
    static_cast<std::vector<Line>*>(lines)->push_back(
        {shown(file), function == nullptr ? "" : function, number});
  }
  return 0;
}

const std::vector<Line>& lines_at(uintptr_t address)
{
  static auto& known = *new std::map<uintptr_t, std::vector<Line>>();
  const auto [it, is_new] = known.try_emplace(address);
  static backtrace_state* state = backtrace_create_state(nullptr, 1, ignore, nullptr);
  if (is_new && state != nullptr) {
    backtrace_pcinfo(state, address, add_line, ignore, &it->second);
  }
  return it->second;
}

std::string source_text(const Line& line)
{
  std::ifstream file(line.file);
  std::string text;
  for (int i = 0; i < line.number && file; ++i) {
    std::getline(file, text);
  }
  if (!file) {
    return {};
  }
  const size_t first = text.find_first_not_of(" \t");
  return first == std::string::npos ? std::string() : text.substr(first, 200);
}

} // namespace

Stack program_stack()
{
  std::array<void*, k_deepest> frames;
  const int count = backtrace(frames.data(), k_deepest);
  Stack stack;
  for (int i = 0; i < count; ++i) {
    const auto address = reinterpret_cast<uintptr_t>(frames[static_cast<size_t>(i)]) - 1;
    for (const Range& range : program_ranges()) {
      if (address >= range.begin && address < range.end) {
        stack.push_back(address);
      }
    }
  }
  return stack;
}

std::vector<Line> lines_of(const Stack& stack)
{
  std::vector<Line> lines;
  for (const uintptr_t address : stack) {
    const std::vector<Line>& here = lines_at(address);
    lines.insert(lines.end(), here.begin(), here.end());
  }
  return lines;
}

std::string site_of(const Line& line)
{
  Object site;
  return site.text("file", line.file)
      .whole("line", line.number)
      .text("text", source_text(line))
      .done();
}

std::string site_of(const Stack& stack, bool outside_of_model)
{
  const std::vector<Line> lines = lines_of(stack);
  auto it = lines.begin();
  if (outside_of_model) {
    it = std::find_if(lines.begin(), lines.end(), [](const Line& line) {
      return line.function.find("forward") == std::string::npos;
    });
  }
  return it == lines.end() ? "{}" : site_of(*it);
}

} // namespace faultline_watch

// libbacktrace would read the symbols of every library, a hundred of them with LibTorch. This name
// is hidden: only the calls in this library meet it.
extern "C" __attribute__((visibility("hidden"))) int
dl_iterate_phdr(int (*callback)(dl_phdr_info*, size_t, void*), void* data)
{
  struct Filter {
    int (*callback)(dl_phdr_info*, size_t, void*);
    void* data;
  } filter{callback, data};
  using Iterate = int (*)(int (*)(dl_phdr_info*, size_t, void*), void*);
  static const auto iterate = reinterpret_cast<Iterate>(dlsym(RTLD_NEXT, "dl_iterate_phdr"));
  return iterate(
      [](dl_phdr_info* info, size_t size, void* given) {
        const auto* inner = static_cast<Filter*>(given);
        return faultline_watch::is_of_system(info->dlpi_name)
                   ? 0
                   : inner->callback(info, size, inner->data);
      },
      &filter);
}
