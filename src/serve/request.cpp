#include "serve/request.hpp"

#include "base/text.hpp"

#include <algorithm>

namespace faultline::serve {

std::string Request::parameter(const std::string& name) const
{
  const auto found = query.find(name);
  return found == query.end() ? std::string() : found->second;
}

std::vector<std::string> Request::parameters(const std::string& name) const
{
  std::vector<std::string> values;
  const auto [begin, end] = query.equal_range(name);
  for (auto it = begin; it != end; ++it) {
    if (!it->second.empty()) {
      values.push_back(it->second);
    }
  }
  return values;
}

std::string Request::header(const std::string& lower_case_name) const
{
  const auto found = headers.find(lower_case_name);
  return found == headers.end() ? std::string() : found->second;
}

static int digit_of(char c)
{
  return c >= '0' && c <= '9'   ? c - '0'
         : c >= 'a' && c <= 'f' ? c - 'a' + 10
         : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                : -1;
}

// Percent-decodes; nothing if that fails or gives control characters or invalid UTF-8.
static std::optional<std::string> decoded(std::string_view text, bool plus_is_space)
{
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (c == '%') {
      const int high = i + 2 < text.size() ? digit_of(text[i + 1]) : -1;
      const int low = i + 2 < text.size() ? digit_of(text[i + 2]) : -1;
      if (high < 0 || low < 0) {
        return std::nullopt;
      }
      c = static_cast<char>(high * 16 + low);
      i += 2;
    } else if (c == '+' && plus_is_space) {
      c = ' ';
    }
    const auto byte = static_cast<unsigned char>(c);
    const bool blank = plus_is_space && (c == '\n' || c == '\t' || c == '\r');
    if ((byte < 0x20 && !blank) || byte == 0x7f) {
      return std::nullopt;
    }
    out += c;
  }
  return to_valid_utf8(out) == out ? std::optional(out) : std::nullopt;
}

Result<void> read_target(std::string_view target, Request& request)
{
  const Error broken{ErrorKind::usage, "the address is not one that can be read"};
  if (!target.starts_with('/')) {
    return broken;
  }
  const std::string_view before_fragment = target.substr(0, target.find('#'));
  const size_t mark = before_fragment.find('?');
  const std::string_view path = before_fragment.substr(0, mark);
  for (const std::string_view part : split(path.substr(1), '/')) {
    std::optional<std::string> text = decoded(part, false);
    if (!text || *text == "." || *text == ".." || text->find('\\') != std::string::npos) {
      return broken;
    }
    request.path += "/" + *text;
    request.segments.push_back(*std::move(text));
  }
  if (mark == std::string_view::npos) {
    return {};
  }
  for (const std::string_view pair : split(before_fragment.substr(mark + 1), '&')) {
    if (pair.empty()) {
      continue;
    }
    const size_t equals = std::min(pair.find('='), pair.size());
    std::optional<std::string> name = decoded(pair.substr(0, equals), true);
    std::optional<std::string> value =
        decoded(equals < pair.size() ? pair.substr(equals + 1) : std::string_view(), true);
    if (!name || !value) {
      return broken;
    }
    request.query.emplace(*std::move(name), *std::move(value));
  }
  return {};
}

Reply json_reply(const Json& json, int status)
{
  Reply reply;
  reply.status = status;
  reply.body = print_json_line(json);
  return reply;
}

Reply error_reply(int status, std::string_view message)
{
  return json_reply({{"error", {{"status", status}, {"message", message}}}}, status);
}

Reply error_reply(const Error& error)
{
  const bool theirs = error.kind == ErrorKind::usage || error.kind == ErrorKind::bad_data;
  return error_reply(error.kind == ErrorKind::not_found ? 404 : theirs ? 400 : 500, error.line());
}

std::string_view reason_of(int status)
{
  switch (status) {
  case 200:
    return "OK";
  case 202:
    return "Accepted";
  case 204:
    return "No Content";
  case 303:
    return "See Other";
  case 304:
    return "Not Modified";
  case 400:
    return "Bad Request";
  case 401:
    return "Unauthorized";
  case 403:
    return "Forbidden";
  case 404:
    return "Not Found";
  case 405:
    return "Method Not Allowed";
  case 408:
    return "Request Timeout";
  case 409:
    return "Conflict";
  case 411:
    return "Length Required";
  case 413:
    return "Content Too Large";
  case 414:
    return "URI Too Long";
  case 415:
    return "Unsupported Media Type";
  case 421:
    return "Misdirected Request";
  case 429:
    return "Too Many Requests";
  case 431:
    return "Request Header Fields Too Large";
  case 501:
    return "Not Implemented";
  case 503:
    return "Service Unavailable";
  case 505:
    return "HTTP Version Not Supported";
  default:
    return status < 400 ? "OK" : "Error";
  }
}

} // namespace faultline::serve
