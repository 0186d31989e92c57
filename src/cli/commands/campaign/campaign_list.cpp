// `campaign list`: the stored campaigns at a glance.

#include "base/format.hpp"
#include "base/text.hpp"
#include "campaign/store.hpp"
#include "cli/commands/campaign/campaign.hpp"
#include "report/text_table.hpp"

#include <algorithm>

namespace faultline::cli {

namespace fs = std::filesystem;

namespace {

struct Listed {
  std::string name; // of its folder, as other commands take it
  campaign::Overview overview;
  uintmax_t bytes = 0;
  std::string trouble; // instead of an overview
};

uintmax_t size_of(const fs::path& folder)
{
  uintmax_t bytes = 0;
  std::error_code code;
  for (fs::recursive_directory_iterator at(folder, code), end; !code && at != end;
       at.increment(code)) {
    std::error_code unknown;
    if (at->is_regular_file(unknown) && !at->is_symlink(unknown)) {
      const uintmax_t size = at->file_size(unknown);
      bytes += unknown ? 0 : size;
    }
  }
  return bytes;
}

Listed look_at(const fs::path& folder)
{
  Listed listed;
  listed.name = folder.filename().string();
  listed.bytes = size_of(folder);
  Result<campaign::Store> store = campaign::Store::open(folder);
  Result<campaign::Overview> overview =
      store ? store->overview() : Result<campaign::Overview>(store.error());
  if (overview) {
    listed.overview = *std::move(overview);
  } else {
    listed.trouble = overview.error().message;
  }
  return listed;
}

std::string print_bytes(uintmax_t bytes)
{
  const double mib = static_cast<double>(bytes) / (1024 * 1024);
  return mib < 10 ? format("{:.1f} MiB", mib) : format("{:.0f} MiB", mib);
}

Json list_json(const std::vector<Listed>& all)
{
  Json json = Json::array();
  for (const Listed& each : all) {
    json.push_back({{"name", each.name},
                    {"title", each.overview.name},
                    {"program", each.overview.file},
                    {"variants", each.overview.variants},
                    {"finished_runs", each.overview.runs},
                    {"total_runs", each.overview.total_runs},
                    {"last_run", each.overview.last_run},
                    {"bytes", each.bytes},
                    {"trouble", each.trouble}});
  }
  return json;
}

std::string print_list(const Session& session, const std::vector<Listed>& all)
{
  report::TextTable table({{"NAME", report::Align::left, Colour::bold},
                           {"PROGRAM"},
                           {"VARIANTS", report::Align::right},
                           {"RUNS", report::Align::right},
                           {"LAST RUN"},
                           {"DISK", report::Align::right}});
  for (const Listed& each : all) {
    const campaign::Overview& overview = each.overview;
    if (!each.trouble.empty()) {
      table.add({each.name, each.trouble, "", "", "", print_bytes(each.bytes)});
      continue;
    }
    table.add(
        {each.name,
         overview.file.empty() ? "not planned yet" : fs::path(overview.file).parent_path().string(),
         format("{}", overview.variants),
         format("{} of {}", overview.runs, overview.total_runs),
         overview.last_run.empty() ? "–" : overview.last_run,
         print_bytes(each.bytes)});
  }
  return table.print(session.out(), session.width());
}

Result<int> list(Session& session, bool json)
{
  FL_TRY(const fs::path folder, campaigns_folder(session));
  std::vector<fs::path> folders;
  std::error_code code;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, code)) {
    if (campaign::Store::exists(entry.path())) {
      folders.push_back(entry.path());
    }
  }
  std::ranges::sort(folders);
  std::vector<Listed> all;
  for (const fs::path& each : folders) {
    all.push_back(look_at(each));
  }
  if (json) {
    session.print_json(list_json(all));
  } else if (all.empty()) {
    session.print(
        format("No campaigns in {}: `faultline campaign run FILE` starts one.\n", folder.string()));
  } else {
    session.print(print_list(session, all));
  }
  return k_exit_ok;
}

} // namespace

Subcommand declare_campaign_list(Arguments& arguments, Session& session)
{
  Arguments sub = arguments.command("list",
                                    "print the stored campaigns: how far, how old, how large",
                                    "faultline campaign list\n"
                                    "faultline campaign list --json");
  auto json = std::make_shared<bool>(false);
  sub.flag("--json", *json, "print JSON");
  return {sub, [json, &session] { return list(session, *json); }};
}

} // namespace faultline::cli
