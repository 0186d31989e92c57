#include "campaign/chunks.hpp"

#include "base/format.hpp"
#include "campaign/chunk_file.hpp"
#include "campaign/record_json.hpp"
#include "run/interrupt.hpp"

#include <algorithm>

namespace faultline::campaign {

namespace fs = std::filesystem;
using Item = std::pair<std::string, int>;

static fs::path plan_folder(const fs::path& folder)
{
  return folder / "chunks" / "plan";
}

static fs::path todo_path(const fs::path& folder, size_t chunk)
{
  return folder / "chunks" / format("{}.todo", chunk);
}

Result<size_t> write_chunks(Store& store, size_t size)
{
  FL_ASSERT(size > 0, "a chunk has something in it");
  const fs::path folder = store.folder();
  std::error_code code;
  fs::remove_all(folder / "chunks", code);
  fs::create_directories(plan_folder(folder), code);
  FL_CHECK(store.copy_to(plan_folder(folder)));
  FL_TRY(const std::vector<Item> missing, store.missing());
  size_t chunks = 0;
  for (size_t begin = 0; begin < missing.size(); begin += size, ++chunks) {
    const size_t end = std::min(begin + size, missing.size());
    const std::vector<Item> items(missing.begin() + static_cast<std::ptrdiff_t>(begin),
                                  missing.begin() + static_cast<std::ptrdiff_t>(end));
    FL_CHECK(write_file(todo_path(folder, chunks), print_json_line(Json(items))));
  }
  return chunks;
}

static Result<std::vector<Item>> read_todo(const fs::path& folder, size_t chunk)
{
  FL_TRY(const std::string text, read_file(todo_path(folder, chunk)));
  try {
    return Json::parse(text).get<std::vector<Item>>();
  } catch (const Json::exception& error) {
    return Error{ErrorKind::bad_data,
                 format("{}: {}", todo_path(folder, chunk).string(), error.what())};
  }
}

namespace {

// What one line of a chunk's file says.
struct Finished {
  std::string address;
  Observed seen;
};

} // namespace

static std::string print_finished(const std::string& address, const Observed& seen)
{
  std::string line =
      print_json_line({{"address", address}, {"run", run_json(seen.run)}, {"log", seen.log}});
  line.pop_back(); // its end
  return line;
}

static Result<Finished> finished_in(const std::string& line)
{
  const Json json = parse_json(line);
  if (!json.is_object() || !json.contains("run")) {
    return Error{ErrorKind::bad_data, "a line that is no run"};
  }
  Finished finished;
  finished.address = json.value("address", "");
  FL_TRY(finished.seen.run, run_from_json(json["run"]));
  finished.seen.log = json.value("log", "");
  return finished;
}

Result<void> work_chunk(const fs::path& folder,
                        size_t chunk,
                        const run::Environment& environment,
                        const SessionOptions& options)
{
  FL_TRY(ChunkFile file, ChunkFile::open(folder, chunk));
  if (file.is_done()) {
    return {};
  }
  FL_TRY(const TempDir local, TempDir::create());
  std::error_code code;
  // Without `recursive`, options make fs::copy() of a folder do nothing at all.
  fs::copy(plan_folder(folder), local.path(), fs::copy_options::recursive, code);
  if (code) {
    return Error{ErrorKind::io,
                 format("cannot read {}: {}", plan_folder(folder).string(), code.message())};
  }
  FL_TRY(Store store, Store::open(local.path()));
  FL_TRY(const Data data, store.load());
  FL_CHECK(check_unchanged(store, data, environment));

  std::set<Item> done;
  for (const std::string& line : file.lines()) {
    FL_TRY(const Finished finished, finished_in(line));
    done.emplace(finished.seen.run.variant, finished.seen.run.repeat);
  }
  std::map<std::string, const VariantRecord*> by_id;
  for (const VariantRecord& record : data.variants) {
    by_id[record.variant.id] = &record;
  }
  std::map<int, std::vector<const VariantRecord*>> by_repeat;
  FL_TRY(const std::vector<Item> todo, read_todo(folder, chunk));
  for (const Item& item : todo) {
    if (!done.contains(item) && by_id.contains(item.first)) {
      by_repeat[item.second].push_back(by_id[item.first]);
    }
  }
  Engine engine(data.spec, environment, options.engine);
  std::mutex mutex;
  std::optional<Error> trouble;
  const auto keep = [&](const Observed& seen) {
    const std::string line = print_finished(by_id.at(seen.run.variant)->address, seen);
    const std::lock_guard lock(mutex);
    Result<void> kept = file.append(line);
    if (!kept && !trouble) {
      trouble = std::move(kept).error();
    }
  };
  for (const auto& [repeat, variants] : by_repeat) {
    FL_TRY(const std::string reference,
           reference_of(store, data, engine, options.engine.mode, repeat));
    FL_CHECK(
        engine.run_all(variants, repeat, reference, limit_of(data), workers_of(options), keep));
    if (trouble) {
      return *trouble;
    }
    if (run::interrupted()) {
      return {};
    }
  }
  return file.finish();
}

Result<size_t> merge_chunks(Store& store)
{
  FL_TRY(const Data data, store.load());
  FL_TRY(const std::vector<Item> missing, store.missing());
  std::set<Item> wanted(missing.begin(), missing.end());
  const std::map<std::string, std::string> addresses = addresses_of(data);
  const Bounds bounds = bounds_of(data.clean, data.spec);
  size_t merged = 0;
  std::error_code code;
  for (size_t chunk = 0; fs::exists(todo_path(store.folder(), chunk), code); ++chunk) {
    FL_TRY(const ChunkContent content, read_chunk(store.folder(), chunk));
    for (const std::string& line : content.lines) {
      Result<Finished> finished = finished_in(line);
      if (!finished) {
        return std::move(finished).error().in(chunk_path(store.folder(), chunk).string());
      }
      Observed& seen = finished->seen;
      const auto address = addresses.find(seen.run.variant);
      // A task of an earlier plan may have known another variant by this name.
      if (address == addresses.end() || address->second != finished->address ||
          wanted.erase({seen.run.variant, seen.run.repeat}) == 0) {
        continue;
      }
      seen.run.symptom = judge(seen.run, bounds, data.spec);
      FL_CHECK(store.put(finished->address, seen.run, seen.log));
      ++merged;
    }
  }
  return merged;
}

bool chunk_is_done(const fs::path& folder, size_t chunk)
{
  const Result<ChunkContent> content = read_chunk(folder, chunk);
  return content && content->done;
}

} // namespace faultline::campaign
