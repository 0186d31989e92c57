#include "report/readable_page.hpp"

#include "base/format.hpp"
#include "base/json.hpp"
#include "base/text.hpp"
#include "report/text_table.hpp"

#include <vector>

namespace faultline::report {

namespace {

struct Row {
  std::string step;
  std::string event;
  std::string what;
};

// `x = f()  # expect: DL101` without the comment; nothing left of a line that was only that.
std::string_view without_mark(std::string_view line)
{
  for (const std::string_view mark : {"# expect:", "// expect:"}) {
    if (const size_t at = line.find(mark); at != std::string_view::npos) {
      const size_t end = line.find_last_not_of(' ', at == 0 ? 0 : at - 1);
      return at == 0 || end == std::string_view::npos ? std::string_view()
                                                      : line.substr(0, end + 1);
    }
  }
  return line;
}

std::string plain(const Json& value)
{
  return value.is_string() ? value.get<std::string>() : print_json_compact(value);
}

// {"file": "train.py", "line": 3, "text": "…"} → "at train.py:3: `…`".
std::string site_text(const Json& site)
{
  std::string text = format("at {}", plain(site.value("file", Json("?"))));
  if (site.contains("line")) {
    text += ":" + plain(site["line"]);
  }
  if (site.contains("text")) {
    text += format(": `{}`", plain(site["text"]));
  }
  return text;
}

std::string value_text(const std::string& key, const Json& value)
{
  if (value.is_object() && value.contains("file")) {
    return site_text(value);
  }
  if (!value.is_object() && !value.is_array()) {
    return key + " " + plain(value);
  }
  std::vector<std::string> parts;
  for (const auto& [name, inner] : value.items()) {
    parts.push_back(value.is_object() ? name + " " + plain(inner) : plain(inner));
  }
  return format("{} {}", key, join(parts, value.is_object() ? ", " : " "));
}

Row row_of(const Json& event)
{
  Row row;
  std::vector<std::string> parts;
  for (const auto& [key, value] : event.items()) {
    if (key == "event") {
      row.event = plain(value);
    } else if (key == "step") {
      row.step = plain(value);
    } else if (value != "") {
      parts.push_back(value_text(key, value));
    }
  }
  row.what = join(parts, "; ");
  return row;
}

// Of many rows of one kind, the first and the last.
std::vector<Row> shortened(const std::vector<Row>& rows)
{
  constexpr size_t k_most = 6;
  constexpr size_t k_first = 3;
  constexpr size_t k_last = 2;
  std::vector<Row> kept;
  for (size_t begin = 0; begin < rows.size();) {
    size_t end = begin + 1;
    while (end < rows.size() && rows[end].event == rows[begin].event) {
      ++end;
    }
    for (size_t i = begin; i < end; ++i) {
      if (end - begin <= k_most || i - begin < k_first || end - i <= k_last) {
        kept.push_back(rows[i]);
      } else if (i - begin == k_first) {
        kept.push_back({"…", rows[i].event, "…"});
      }
    }
    begin = end;
  }
  return kept;
}

// When the watcher looks (`check`) is nothing that happens in the run.
std::string trace_table(const std::vector<std::string_view>& lines)
{
  std::vector<Row> rows;
  for (const std::string_view line : lines) {
    const Json event = parse_json(line);
    if (event.is_object() && event.value("event", "") != "check") {
      rows.push_back(row_of(event));
    }
  }
  TextTable table({{"STEP", Align::right}, {"EVENT"}, {"WHAT"}});
  for (const Row& row : shortened(rows)) {
    table.add({row.step, row.event, row.what});
  }
  return table.print(Painter(false));
}

} // namespace

std::string readable_page(std::string_view page)
{
  std::string text;
  bool code = false;
  bool trace = false;
  std::vector<std::string_view> events;
  for (const std::string_view line : split_lines(page)) {
    const bool fence = line.starts_with("```");
    if (trace && fence) {
      text += "```text\n" + trace_table(events) + "```\n";
      trace = code = false;
      events.clear();
    } else if (trace) {
      events.push_back(line);
    } else if (fence) {
      trace = line == "```jsonl";
      code = !code;
      text += trace ? std::string() : std::string(line) + "\n";
    } else {
      const std::string_view kept = code ? without_mark(line) : line;
      const bool was_only_a_mark = kept.empty() && !line.empty();
      text += was_only_a_mark ? std::string() : std::string(kept) + "\n";
    }
  }
  return text;
}

} // namespace faultline::report
