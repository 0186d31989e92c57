#pragma once

// A request and the answer to it, without sockets: handlers turn one into the other.

#include "base/json.hpp"
#include "base/result.hpp"

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace faultline::serve {

struct Request {
  std::string method;                // GET, POST, DELETE
  std::string path;                  // decoded, without the query
  std::vector<std::string> segments; // the parts of the path between slashes, each decoded
  std::vector<std::string> captures; // what the `{…}` of the route's pattern matched, in order
  std::multimap<std::string, std::string> query;
  std::map<std::string, std::string> headers; // names in lower case
  std::string body;
  std::string user; // whose session it is; empty if nobody showed the token

  // The first value of a query parameter, or empty.
  std::string parameter(const std::string& name) const;
  // All values of it that are not empty: `a=1&a=2`.
  std::vector<std::string> parameters(const std::string& name) const;
  std::string header(const std::string& lower_case_name) const;
};

// Fill path, segments and query from the target of a request line: "/a/b%20c?d=e". Fails if it is
// malformed, is not text, or tries to leave the root.
Result<void> read_target(std::string_view target, Request& request);

// A request that is rejected, and why.
struct Refused {
  int status;
  std::string message;
};

// One event of a stream: `id` lets a client resume after losing the connection.
struct Event {
  std::string name;
  std::string id;
  Json data;
};

// Where a stream's events come from: waits for at most `seconds`, then gives what is available
// (maybe nothing). `end` is set when there will be no more.
struct EventBatch {
  std::vector<Event> events;
  bool end = false;
};
using EventSource = std::function<EventBatch(double seconds)>;

// Gives the next piece of a long answer; empty at its end. After an error the answer ends early,
// and the client can tell.
using PieceSource = std::function<Result<std::string>()>;

struct Reply {
  int status = 200;
  std::string type = "application/json";
  std::string body;
  std::string zipped; // the body in gzip, if it is there in that form; `body` is then empty
  std::map<std::string, std::string> headers;
  EventSource events;    // if set, the answer is a stream of server-sent events
  PieceSource pieces;    // if set, the answer is too long to be held in memory
  bool cacheable = true; // gets an ETag; `If-None-Match` is then answered with 304
};

Reply json_reply(const Json& json, int status = 200);
// `{"error": {"status": 404, "message": "…"}}`
Reply error_reply(int status, std::string_view message);
// not_found 404, usage and bad_data 400, the others 500.
Reply error_reply(const Error& error);

// "Not Found": the reason phrase of a status.
std::string_view reason_of(int status);

} // namespace faultline::serve
