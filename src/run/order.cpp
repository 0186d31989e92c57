#include "run/order.hpp"

#include "base/format.hpp"
#include "run/task_limit.hpp"

#include <cmath>

namespace faultline::run {

static void put(std::string& out, std::string_view field)
{
  out += format("{}:", field.size());
  out += field;
}

template <typename... Fields> static void record(std::string& out, const Fields&... fields)
{
  (put(out, fields), ...);
}

std::string encode_order(const Job& job, const std::string& root)
{
  constexpr size_t k_mib = 1024 * 1024;
  std::string out;
  record(out, "root", root);
  record(out, "dir", job.directory);
  for (const std::string& word : job.command) {
    record(out, "arg", word);
  }
  for (const auto& [name, value] : job.variables) {
    record(out, "var", name + "=" + value);
  }
  const auto limit = [&out](std::string_view name, size_t value) {
    record(out, "limit", name, format("{}", value));
  };
  limit("data", job.limits.memory_mib * k_mib);
  limit("cpu", static_cast<size_t>(std::ceil(job.limits.cpu_seconds)));
  limit("fsize", job.limits.disk_mib * k_mib);
  limit("nproc", most_tasks(job.limits));
  limit("tmpfs", job.limits.disk_mib * k_mib);
  for (const auto& [path, content] : job.files) {
    const bool runs = job.executables.contains(path);
    record(out, "file", path, runs ? "755" : "644", content);
  }
  for (const auto& [path, target] : job.links) {
    record(out, "link", path, target);
  }
  return out;
}

} // namespace faultline::run
