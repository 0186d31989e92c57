#include "base/format.hpp"
#include "base/text.hpp"
#include "catalog/token_index.hpp"
#include "report/csv.hpp"
#include "serve/api/handlers.hpp"
#include "serve/parameters.hpp"

#include <algorithm>

namespace faultline::serve {

constexpr size_t k_longest_page = 500;
constexpr size_t k_most_words = 16;

// Summaries that an export reads at a time.
constexpr size_t k_piece = 500;

// The values that a filter may have; empty if any value is allowed.
static std::vector<std::string> values_of(const std::string& facet, const catalog::Schemes& schemes)
{
  static const std::map<std::string, std::vector<std::string>> k_fixed = {
      {"framework", {catalog::k_frameworks.begin(), catalog::k_frameworks.end()}},
      {"split", {"dev", "test"}},
      {"silent", {"true", "false"}},
      {"origin", {"stack_overflow", "github", "study", "injected"}},
      {"dataset", {}},
      {"language", {"python", "javascript", "cpp"}},
      {"status", {"active", "withdrawn"}}};
  if (const auto found = k_fixed.find(facet); found != k_fixed.end()) {
    return found->second;
  }
  std::vector<std::string> ids;
  for (const catalog::Label& label : schemes.get(facet).labels) {
    ids.push_back(label.id);
  }
  return ids;
}

static catalog::EntryQuery read_filters(Parameters& in, const catalog::Schemes& schemes)
{
  catalog::EntryQuery query;
  for (const std::string_view name : catalog::k_facets) {
    const std::string facet(name);
    const std::vector<std::string> allowed = values_of(facet, schemes);
    std::vector<std::string> values =
        allowed.empty() ? in.texts(facet) : in.some_of(facet, allowed);
    if (values.empty() && facet == "status") {
      values = {"active"};
    }
    if (!values.empty()) {
      std::ranges::sort(values);
      query.filters[facet] = std::move(values);
    }
  }
  query.words = in.text("q");
  if (catalog::tokens_of(query.words).size() > k_most_words) {
    in.refuse(format("`q` has more than {} words", k_most_words));
  }
  const bool searches = !trim(query.words).empty();
  const std::string sort = in.text("sort", searches ? "relevance" : "id");
  query.descending = sort.starts_with('-');
  query.sort = sort.substr(query.descending ? 1 : 0);
  if (std::ranges::find(catalog::k_entry_sorts, query.sort) == catalog::k_entry_sorts.end()) {
    const std::vector<std::string> sorts(catalog::k_entry_sorts.begin(),
                                         catalog::k_entry_sorts.end());
    in.refuse(format("unknown sort `{}`{}; it is one of {}, with `-` in front for descending",
                     to_valid_utf8(query.sort.substr(0, 40)),
                     did_you_mean(query.sort, sorts),
                     join(sorts, ", ")));
  }
  return query;
}

Reply list_faults(Context& context, const Request& request)
{
  Parameters in(request);
  catalog::EntryQuery query = read_filters(in, *context.schemes);
  query.offset = in.number("offset", 0, 100'000'000);
  query.limit = in.number("limit", 50, k_longest_page);
  if (const Result<void> right = in.finish(); !right) {
    return error_reply(right.error());
  }
  const Result<catalog::EntryPage> page = context.entries->query(query);
  if (!page) {
    return error_reply(page.error());
  }
  // The items are JSON text already; the rest is serialised around them.
  Json facets = Json::object();
  for (const auto& [name, counts] : page->facets) {
    Json list = Json::array();
    for (const catalog::FacetCount& count : counts) {
      list.push_back({{"value", count.value}, {"count", count.count}});
    }
    facets[name] = std::move(list);
  }
  Reply reply;
  reply.body = format("{{\"total\":{},\"offset\":{},\"limit\":{},\"items\":[{}],\"facets\":{}}}\n",
                      page->total,
                      query.offset,
                      query.limit,
                      join(page->items, ","),
                      trim(print_json_line(facets)));
  return reply;
}

static const std::vector<std::string>& csv_header()
{
  static const std::vector<std::string> k_header = [] {
    std::vector<std::string> names = {
        "id", "title", "framework", "language", "split", "status", "silent", "support"};
    names.insert(names.end(), {"origin", "url"});
    names.insert(names.end(), catalog::k_scheme_names.begin(), catalog::k_scheme_names.end());
    names.insert(names.end(), {"file", "lines", "parts", "proved"});
    return names;
  }();
  return k_header;
}

// A value of a summary as a CSV cell.
static std::string cell(const Json& value)
{
  return value.is_string() ? value.get<std::string>()
         : value.is_null() ? ""
                           : print_json_compact(value);
}

static std::string csv_of(const std::string& summary)
{
  const Json json = parse_json(summary);
  FL_ASSERT(json.is_object(), "the index holds what was written");
  std::vector<std::string> row;
  for (const char* key :
       {"id", "title", "framework", "language", "split", "status", "silent", "support"}) {
    row.push_back(cell(json[key]));
  }
  row.push_back(cell(json["origin"]["kind"]));
  row.push_back(cell(json["origin"]["url"]));
  for (const std::string_view scheme : catalog::k_scheme_names) {
    row.push_back(cell(json["labels"][std::string(scheme)]));
  }
  std::vector<std::string> lines;
  for (const Json& line : json["location"]["lines"]) {
    lines.push_back(print_json_compact(line));
  }
  row.insert(row.end(),
             {cell(json["location"]["file"]),
              join(lines, "|"),
              cell(json["parts"]),
              cell(json["proved"])});
  return report::csv_line(row);
}

// The export in pieces: all of a large catalogue at once would be too much memory.
static PieceSource
pieces_of(catalog::EntryIndex& entries, std::vector<uint32_t> numbers, const std::string& format)
{
  struct State {
    std::vector<uint32_t> numbers;
    size_t at = 0;
    bool begun = false;
    bool ended = false;
    bool first = true;
  };
  auto state = std::make_shared<State>();
  state->numbers = std::move(numbers);
  return [&entries, state, format]() -> Result<std::string> {
    std::string text;
    if (!state->begun) {
      state->begun = true;
      text = format == "csv" ? report::csv_line(csv_header()) : format == "json" ? "[" : "";
    }
    while (text.size() < 65536 && state->at < state->numbers.size()) {
      const size_t count = std::min(k_piece, state->numbers.size() - state->at);
      FL_TRY(const std::vector<std::string> summaries,
             entries.summaries(std::span(state->numbers).subspan(state->at, count)));
      state->at += count;
      for (const std::string& summary : summaries) {
        if (format == "csv") {
          text += csv_of(summary);
        } else if (format == "json") {
          text += (state->first ? "\n" : ",\n") + summary;
        } else {
          text += summary + "\n";
        }
        state->first = false;
      }
    }
    if (text.empty() && !state->ended) {
      state->ended = true;
      text = format == "json" ? "\n]\n" : "";
    }
    return text;
  };
}

Reply export_faults(Context& context, const Request& request)
{
  Parameters in(request);
  const catalog::EntryQuery query = read_filters(in, *context.schemes);
  const std::vector<std::string> formats = {"csv", "json", "jsonl"};
  const std::string format = in.one_of("format", formats, "json");
  if (const Result<void> right = in.finish(); !right) {
    return error_reply(right.error());
  }
  Result<std::vector<uint32_t>> numbers = context.entries->select(query);
  if (!numbers) {
    return error_reply(numbers.error());
  }
  Reply reply;
  reply.type = format == "csv"    ? "text/csv; charset=utf-8"
               : format == "json" ? "application/json"
                                  : "application/jsonl";
  reply.headers["Content-Disposition"] =
      faultline::format("attachment; filename=\"faults.{}\"", format);
  reply.cacheable = false;
  reply.pieces = pieces_of(*context.entries, *std::move(numbers), format);
  return reply;
}

} // namespace faultline::serve
