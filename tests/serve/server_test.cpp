#include "serve/server_fixture.hpp"

#include <gmock/gmock.h>

#include <atomic>

namespace faultline::serve {

using testing::HasSubstr;
using testing::StartsWith;

using catalog::fault_named;

namespace {

class HttpTest : public ServerTest {
protected:
  void SetUp() override
  {
    ServerTest::SetUp();
    write_fault(fault_named("a"), "pytorch/a");
    write_fault(fault_named("b"), "pytorch/b");
  }

  std::string get(const std::string& path, const std::string& headers = "") const
  {
    return "GET " + path + " HTTP/1.1\r\nHost: " + host() + "\r\n" + headers + "\r\n";
  }

  // A POST from the server's own pages.
  std::string post(const std::string& path, const std::string& headers) const
  {
    return "POST " + path + " HTTP/1.1\r\nHost: " + host() + "\r\nOrigin: http://" + host() +
           "\r\n" + headers + "\r\n";
  }
};

} // namespace

TEST_F(HttpTest, AnswersWithTheHeadersOfEveryAnswer)
{
  start();
  const httplib::Result answer = client().Get("/api/v1/faults");
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->status, 200);
  EXPECT_EQ(answer->get_header_value("Content-Type"), "application/json");
  EXPECT_EQ(parse_json(answer->body)["total"], 2);
  for (const std::string path : {"/api/v1/faults", "/", "/api/v1/nothing", "/x/../y"}) {
    const httplib::Result any = client().Get(path);
    ASSERT_TRUE(any) << path;
    EXPECT_THAT(any->get_header_value("Content-Security-Policy"),
                StartsWith("default-src 'none'; script-src 'self'; "))
        << path;
    EXPECT_EQ(any->get_header_value("X-Content-Type-Options"), "nosniff") << path;
    EXPECT_EQ(any->get_header_value("Cross-Origin-Resource-Policy"), "same-origin") << path;
  }
}

TEST_F(HttpTest, AnUnchangedAnswerIsNotSentAgain)
{
  start();
  for (const std::string path : {"/api/v1/faults", "/api/v1/faults/pytorch-a"}) {
    const httplib::Result first = client().Get(path);
    ASSERT_TRUE(first);
    const std::string tag = first->get_header_value("ETag");
    ASSERT_FALSE(tag.empty());
    const httplib::Result second = client().Get(path, {{"If-None-Match", "\"x\", " + tag}});
    ASSERT_TRUE(second);
    EXPECT_EQ(second->status, 304);
    EXPECT_EQ(second->body, "");
    EXPECT_EQ(second->get_header_value("ETag"), tag);
    EXPECT_EQ(client().Get(path, {{"If-None-Match", "\"x\""}})->status, 200);
  }
  const std::string before = client().Get("/api/v1/faults")->get_header_value("ETag");
  write_fault(fault_named("c"), "pytorch/c");
  index();
  EXPECT_NE(client().Get("/api/v1/faults")->get_header_value("ETag"), before);
}

TEST_F(HttpTest, LongAnswersArePackedForThoseWhoTakeThem)
{
  start();
  for (const std::string path : {"/api/v1/faults/pytorch-a", "/api/v1/schemes"}) {
    httplib::Client plain = client();
    plain.set_decompress(false);
    const httplib::Result packed = plain.Get(path, {{"Accept-Encoding", "br, gzip"}});
    ASSERT_TRUE(packed);
    EXPECT_EQ(packed->get_header_value("Content-Encoding"), "gzip");
    EXPECT_EQ(packed->get_header_value("Vary"), "Accept-Encoding");
    const httplib::Result open = plain.Get(path, {{"Accept-Encoding", "gzip;q=0"}});
    ASSERT_TRUE(open);
    EXPECT_EQ(open->get_header_value("Content-Encoding"), "");
    EXPECT_EQ(*gunzip(packed->body, 1 << 24), open->body);
    EXPECT_LT(packed->body.size(), open->body.size() / 2 + 500);
    EXPECT_EQ(open->get_header_value("ETag"), packed->get_header_value("ETag"));
  }
  const httplib::Result small = client().Get("/api/v1/session", {{"Accept-Encoding", "gzip"}});
  EXPECT_EQ(small->get_header_value("Content-Encoding"), "");
}

TEST_F(HttpTest, HeadGivesTheHeadOnly)
{
  start();
  const httplib::Result whole = client().Get("/api/v1/faults");
  const httplib::Result head = client().Head("/api/v1/faults");
  ASSERT_TRUE(whole && head);
  EXPECT_EQ(head->status, 200);
  EXPECT_EQ(head->body, "");
  EXPECT_EQ(head->get_header_value("Content-Length"), std::to_string(whole->body.size()));
  EXPECT_EQ(head->get_header_value("ETag"), whole->get_header_value("ETag"));
}

TEST_F(HttpTest, OptionsSayWhatAPathHasToItsOwnPagesOnly)
{
  start();
  const std::string line = "OPTIONS /api/v1/session HTTP/1.1\r\nHost: " + host() + "\r\nOrigin: ";
  ServerTest::Raw own = raw();
  own.send(line + "http://" + host() + "\r\n\r\n");
  const std::string answer = own.receive(5, "\r\n\r\n");
  EXPECT_THAT(answer, StartsWith("HTTP/1.1 204 "));
  EXPECT_THAT(answer, HasSubstr("Allow: DELETE, GET, HEAD, OPTIONS, POST\r\n"));
  EXPECT_EQ(status_of(line + "http://evil.example\r\n\r\n"), 403);
}

TEST_F(HttpTest, AConnectionServesManyRequests)
{
  start();
  ServerTest::Raw connection = raw();
  for (int i = 0; i < 50; ++i) {
    ASSERT_TRUE(connection.send(get("/api/v1/session")));
    ASSERT_THAT(connection.receive(5, "}\n"), HasSubstr("\"authenticated\":false"));
  }
  // Two at once, and a third in pieces.
  ASSERT_TRUE(connection.send(get("/api/v1/session") + get("/api/v1/session")));
  const std::string both = connection.receive(0.5);
  EXPECT_EQ(both.find("HTTP/1.1 200"), 0U);
  EXPECT_NE(both.find("HTTP/1.1 200", 10), std::string::npos);
  for (const char c : get("/api/v1/session", "Connection: close\r\n")) {
    ASSERT_TRUE(connection.send({&c, 1}));
  }
  EXPECT_THAT(connection.receive(5), HasSubstr("Connection: close"));
  EXPECT_TRUE(connection.closed);
}

TEST_F(HttpTest, UnknownPathsAndMethodsAreToldApart)
{
  start();
  const httplib::Result unknown = client().Get("/api/v1/nothing");
  EXPECT_EQ(unknown->status, 404);
  EXPECT_EQ(parse_json(unknown->body)["error"]["status"], 404);
  const httplib::Result other = client().Post("/api/v1/faults", own_origin(), "{}", "text/plain");
  EXPECT_EQ(other->status, 405);
  EXPECT_EQ(other->get_header_value("Allow"), "GET, HEAD, OPTIONS");
  EXPECT_EQ(client().Post("/faults", own_origin(), "{}", "text/plain")->status, 405);
  EXPECT_EQ(client().Get("/api/v1/faults/pytorch-aa")->status, 404);
  EXPECT_THAT(client().Get("/api/v1/faults/pytorch-aa")->body,
              HasSubstr("did you mean `pytorch-a`?"));
}

TEST_F(HttpTest, PathsThatLeaveTheRootAreRefused)
{
  start();
  for (const std::string path : {"/../../etc/passwd",
                                 "/%2e%2e/%2e%2e/etc/passwd",
                                 "/assets/..%2f..%2fetc/passwd",
                                 "/api/v1/faults/../../../etc/passwd",
                                 "/api/v1/faults/%2e%2e",
                                 "/a%00b",
                                 "/..%5c..%5cetc"}) {
    const int status = status_of(get(path));
    EXPECT_TRUE(status == 400 || status == 404) << path << " " << status;
  }
  EXPECT_EQ(status_of(get("/%2e%2e/%2e%2e/etc/passwd")), 400);
}

TEST_F(HttpTest, AForgedHostIsRefused)
{
  start();
  EXPECT_EQ(status_of("GET /api/v1/faults HTTP/1.1\r\nHost: evil.example\r\n\r\n"), 421);
  EXPECT_EQ(status_of("GET /api/v1/faults HTTP/1.1\r\n\r\n"), 421);
  EXPECT_EQ(status_of("GET / HTTP/1.1\r\nHost: evil.example:" + std::to_string(port) + "\r\n\r\n"),
            421);
  EXPECT_EQ(status_of("GET / HTTP/1.1\r\nHost: faults.example.org\r\n\r\n"), 200);
}

TEST_F(HttpTest, ACrossSitePostIsRefused)
{
  start();
  const std::string body = "{\"token\":\"" + std::string(k_token) + "\"}";
  for (const std::string origin : {"http://evil.example", "null", "https://evil.example"}) {
    const httplib::Result answer =
        client().Post("/api/v1/session", {{"Origin", origin}}, body, "application/json");
    ASSERT_TRUE(answer);
    EXPECT_EQ(answer->status, 403) << origin;
    EXPECT_EQ(answer->get_header_value("Set-Cookie"), "");
  }
  EXPECT_EQ(client().Post("/api/v1/session", body, "text/plain")->status, 403);
  EXPECT_EQ(client().Delete("/api/v1/session")->status, 403);
}

TEST_F(HttpTest, ABrowserWithAWrongTokenGetsThePage)
{
  const Result<TempDir> web = TempDir::create();
  ASSERT_TRUE(web && write_file(web->path() / "index.html", "<p>page</p>"));
  start({}, web->path());
  const httplib::Result refused =
      client().Get("/?token=wrong", {{"Accept", "text/html,application/xhtml+xml,*/*;q=0.8"}});
  ASSERT_TRUE(refused);
  EXPECT_EQ(refused->status, 403);
  EXPECT_EQ(refused->body, "<p>page</p>");
  EXPECT_EQ(refused->get_header_value("Set-Cookie"), "");
  EXPECT_EQ(refused->get_header_value("Cache-Control"), "no-store");
}

TEST_F(HttpTest, TheTokenOpensASession)
{
  start();
  const httplib::Result refused = client().Get("/?token=wrong");
  EXPECT_EQ(refused->status, 403);
  EXPECT_THAT(refused->body, HasSubstr("that is not the token"));
  const httplib::Result entered = client().Get("/?token=" + std::string(k_token));
  ASSERT_TRUE(entered);
  EXPECT_EQ(entered->status, 303);
  EXPECT_EQ(entered->get_header_value("Location"), "/");
  const std::string cookie = entered->get_header_value("Set-Cookie");
  EXPECT_THAT(cookie, HasSubstr("; HttpOnly; SameSite=Strict; Path=/"));
  const httplib::Headers with = {{"Cookie", cookie.substr(0, cookie.find(';'))}};
  EXPECT_THAT(client().Get("/api/v1/session", with)->body, HasSubstr("true"));
  EXPECT_THAT(client().Get("/api/v1/session")->body, HasSubstr("false"));

  const auto open = [this](const std::string& body) {
    return client().Post("/api/v1/session", own_origin(), body, "application/json");
  };
  const httplib::Result opened = open("{\"token\":\"" + std::string(k_token) + "\"}");
  EXPECT_EQ(opened->status, 200);
  EXPECT_NE(opened->get_header_value("Set-Cookie"), cookie);
  EXPECT_EQ(open("{\"token\":\"wrong\"}")->status, 403);
  EXPECT_EQ(open("{\"token\":1}")->status, 400);
  EXPECT_EQ(open("[[[[")->status, 400);
  EXPECT_EQ(open("")->status, 400);
  const httplib::Result closed = client().Delete("/api/v1/session", own_origin());
  EXPECT_THAT(closed->get_header_value("Set-Cookie"), HasSubstr("Max-Age=0"));
}

TEST_F(HttpTest, WithoutTheTokenNothingIsStarted)
{
  static std::atomic<int> started = 0;
  static const Route rows[] = {{"POST",
                                "/api/v1/runs",
                                Access::token,
                                [](Context&, const Request&) {
                                  ++started;
                                  return json_reply({{"ok", true}});
                                }},
                               {"GET", "/api/v1/session", Access::open, get_session}};
  table = rows;
  start();
  EXPECT_EQ(client().Post("/api/v1/runs", own_origin(), "{}", "application/json")->status, 401);
  EXPECT_EQ(started, 0);
  const httplib::Headers bearer = {{"Authorization", "Bearer " + std::string(k_token)}};
  EXPECT_EQ(client().Post("/api/v1/runs", bearer, "{}", "application/json")->status, 200);
  EXPECT_EQ(started, 1);
}

TEST_F(HttpTest, ABodyThatIsTooLongIsRefusedUnread)
{
  start();
  // Fifty megabytes are announced, and sent as far as anybody takes them.
  ServerTest::Raw connection = raw();
  connection.send(post("/api/v1/check", "Content-Length: 52428800\r\n"));
  std::string answer = connection.receive(5, "\r\n\r\n");
  EXPECT_THAT(answer, StartsWith("HTTP/1.1 413 "));
  const std::string piece(1 << 20, 'x');
  ServerTest::Raw sender = raw();
  sender.send(post("/api/v1/check", "Content-Length: 52428800\r\n"));
  for (int i = 0; i < 50 && sender.send(piece); ++i) {
  }
  EXPECT_THAT(sender.receive(5, "\r\n\r\n"), StartsWith("HTTP/1.1 413 "))
      << "who sends it all still reads the answer";
  EXPECT_EQ(status_of(post("/api/v1/session", "Transfer-Encoding: chunked\r\n")), 411);
  EXPECT_EQ(status_of(post("/api/v1/session", "Content-Encoding: gzip\r\nContent-Length: 5\r\n")),
            415);
  EXPECT_EQ(client().Get("/api/v1/session")->status, 200);
}

TEST_F(HttpTest, TooLongAddressesAndHeadersAreRefused)
{
  start();
  EXPECT_EQ(status_of(get("/" + std::string(9000, 'a'))), 414);
  EXPECT_EQ(status_of("GET /" + std::string(50'000, 'a')), 414) << "before the line has ended";
  EXPECT_EQ(status_of(get("/", "X: " + std::string(40'000, 'a') + "\r\n")), 431);
  std::string many;
  for (int i = 0; i < 5000; ++i) {
    many += "X" + std::to_string(i) + ": y\r\n";
  }
  EXPECT_EQ(status_of(get("/", many)), 431);
  EXPECT_EQ(status_of("nonsense\r\n\r\n"), 400);
  EXPECT_EQ(status_of(std::string("\0\1\2\3\r\n\r\n", 8)), 400);
}

TEST_F(HttpTest, ASlowSenderIsCutOff)
{
  ServerConfig config;
  config.limits.seconds = 1;
  start(config);
  const auto begun = std::chrono::steady_clock::now();
  ServerTest::Raw slow = raw();
  // A header that never ends, a byte at a time: each wait is short, all together are not.
  slow.send("GET / HTTP/1.1\r\nHost: " + host() + "\r\nX: ");
  std::string answer;
  while (!slow.closed && std::chrono::steady_clock::now() - begun < std::chrono::seconds(8)) {
    slow.send("y");
    answer += slow.receive(0.1);
  }
  EXPECT_TRUE(slow.closed);
  EXPECT_THAT(answer, StartsWith("HTTP/1.1 408 "));
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begun;
  EXPECT_LT(took.count(), 5);

  ServerTest::Raw body = raw();
  body.send(post("/api/v1/session", "Content-Length: 1000\r\n") + "{");
  EXPECT_THAT(body.receive(5), StartsWith("HTTP/1.1 408 "));
  ServerTest::Raw silent = raw();
  EXPECT_EQ(silent.receive(5), "");
  EXPECT_TRUE(silent.closed);
}

TEST_F(HttpTest, ManySlowSendersDoNotKeepOthersWaiting)
{
  ServerConfig config;
  config.limits.seconds = 3;
  start(config);
  std::vector<ServerTest::Raw> slow;
  for (int i = 0; i < 200; ++i) {
    slow.push_back(raw());
    slow.back().send("GET / HTTP/1.1\r\nX: ");
  }
  const auto begun = std::chrono::steady_clock::now();
  for (int i = 0; i < 20; ++i) {
    ASSERT_EQ(client().Get("/api/v1/session")->status, 200);
  }
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begun;
  EXPECT_LT(took.count(), 2.5);
}

TEST_F(HttpTest, AClientThatDoesNotReadIsCutOff)
{
  static std::atomic<bool> left = false;
  static const Route rows[] = {
      {"GET", "/api/v1/session", Access::open, get_session},
      {"GET", "/api/v1/long", Access::open, [](Context&, const Request&) {
         Reply reply;
         reply.type = "application/octet-stream";
         reply.cacheable = false;
         auto here = std::shared_ptr<void>(nullptr, [](void*) { left = true; });
         reply.pieces = [here] { return std::string(1 << 16, 'x'); }; // without end
         return reply;
       }}};
  table = rows;
  ServerConfig config;
  config.limits.write_seconds = 1;
  start(config);
  ServerTest::Raw lazy = raw();
  lazy.send(get("/api/v1/long"));
  // A second, and another for 64 KiB; the buffers of the system fill up before that.
  for (int i = 0; i < 150 && !left; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
  EXPECT_TRUE(left);
}

TEST_F(HttpTest, ConnectionsAreCounted)
{
  ServerConfig config;
  config.connections = 20;
  config.per_address = 10;
  start(config);
  std::vector<ServerTest::Raw> held;
  for (int i = 0; i < 12; ++i) {
    held.push_back(raw());
    held.back().send(get("/api/v1/session"));
  }
  int served = 0;
  int refused = 0;
  for (ServerTest::Raw& connection : held) {
    const std::string answer = connection.receive(3, "\r\n\r\n");
    served += answer.starts_with("HTTP/1.1 200") ? 1 : 0;
    refused += answer.starts_with("HTTP/1.1 503") ? 1 : 0;
  }
  EXPECT_LE(served, 10);
  EXPECT_GE(served, 9);
  EXPECT_EQ(served + refused, 12);
  held.clear();
  for (int i = 0; i < 100 && status_of(get("/api/v1/session")) != 200; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  EXPECT_EQ(status_of(get("/api/v1/session")), 200);
}

TEST_F(HttpTest, EventsAreStreamed)
{
  static const Route rows[] = {
      {"GET", "/api/v1/session", Access::open, get_session},
      {"GET", "/api/v1/events", Access::open, [](Context&, const Request& request) {
         Reply reply;
         const int start = std::atoi(request.header("last-event-id").c_str());
         reply.events = [n = start](double) mutable {
           ++n;
           return EventBatch{{{"step", std::to_string(n), {{"n", n}, {"text", "a\nb"}}}}, n >= 3};
         };
         return reply;
       }}};
  table = rows;
  start();
  const httplib::Result all = client().Get("/api/v1/events");
  ASSERT_TRUE(all);
  EXPECT_EQ(all->get_header_value("Content-Type"), "text/event-stream");
  EXPECT_EQ(all->get_header_value("Cache-Control"), "no-store");
  EXPECT_EQ(all->body,
            "retry: 2000\n\n"
            "id: 1\nevent: step\ndata: {\"n\":1,\"text\":\"a\\nb\"}\n\n"
            "id: 2\nevent: step\ndata: {\"n\":2,\"text\":\"a\\nb\"}\n\n"
            "id: 3\nevent: step\ndata: {\"n\":3,\"text\":\"a\\nb\"}\n\n");
  const httplib::Result rest = client().Get("/api/v1/events", {{"Last-Event-ID", "2"}});
  EXPECT_EQ(rest->body,
            "retry: 2000\n\nid: 3\nevent: step\ndata: {\"n\":3,\"text\":\"a\\nb\"}\n\n");
}

TEST_F(HttpTest, FiveHundredListenersDoNotKeepOthersWaiting)
{
  static std::atomic<int> listening = 0;
  static const Route rows[] = {
      {"GET", "/api/v1/session", Access::open, get_session},
      {"GET", "/api/v1/faults/{id}", Access::open, get_fault},
      {"GET", "/api/v1/events", Access::open, [](Context&, const Request&) {
         Reply reply;
         auto here = std::shared_ptr<void>((++listening, nullptr), [](void*) { --listening; });
         reply.events = [here](double seconds) {
           std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
           return EventBatch{};
         };
         return reply;
       }}};
  table = rows;
  start();
  std::vector<ServerTest::Raw> listeners;
  for (int i = 0; i < 500; ++i) {
    listeners.push_back(raw());
    ASSERT_TRUE(listeners.back().connected()) << i;
    ASSERT_TRUE(listeners.back().send(get("/api/v1/events"))) << i;
  }
  for (ServerTest::Raw& listener : listeners) {
    ASSERT_THAT(listener.receive(10, "retry: 2000"), HasSubstr("text/event-stream"));
  }
  EXPECT_EQ(listening, 500);
  httplib::Client other = client();
  other.set_keep_alive(true);
  const auto begun = std::chrono::steady_clock::now();
  for (int i = 0; i < 200; ++i) {
    ASSERT_EQ(other.Get("/api/v1/faults/pytorch-a")->status, 200);
  }
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begun;
  EXPECT_LT(took.count(), 5);
  listeners.clear();
  for (int i = 0; i < 100 && listening > 0; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
  EXPECT_EQ(listening, 0) << "who has left holds no thread";
}

TEST_F(HttpTest, StoppingCutsStreamsAndIdleConnections)
{
  static const Route rows[] = {
      {"GET", "/api/v1/session", Access::open, get_session},
      {"GET", "/api/v1/events", Access::open, [](Context&, const Request&) {
         Reply reply;
         reply.events = [](double) {
           std::this_thread::sleep_for(std::chrono::milliseconds(50));
           return EventBatch{};
         };
         return reply;
       }}};
  table = rows;
  start();
  ServerTest::Raw stream = raw();
  stream.send(get("/api/v1/events"));
  stream.receive(5, "retry");
  ServerTest::Raw idle = raw();
  idle.send(get("/api/v1/session"));
  idle.receive(5, "}\n");
  const auto begun = std::chrono::steady_clock::now();
  stop();
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begun;
  EXPECT_LT(took.count(), 4);
  stream.receive(1);
  EXPECT_TRUE(stream.closed);
}

TEST_F(HttpTest, AThrowingHandlerCostsOneAnswer)
{
  static const Route rows[] = {
      {"GET", "/api/v1/session", Access::open, get_session},
      {"GET", "/api/v1/bad", Access::open, [](Context&, const Request&) -> Reply {
         throw std::runtime_error("on purpose");
       }}};
  table = rows;
  start();
  EXPECT_EQ(client().Get("/api/v1/bad")->status, 500);
  EXPECT_EQ(client().Get("/api/v1/session")->status, 200);
}

TEST_F(HttpTest, APortInUseIsAnErrorOfTheMachine)
{
  start();
  ServerConfig config;
  config.port = port;
  const FrontEnd front_end = FrontEnd::load("/nonexistent");
  Server second(context, front_end, table, config);
  const Result<int> bound = second.bind();
  ASSERT_FALSE(bound);
  EXPECT_EQ(bound.error().kind, ErrorKind::machine);
  EXPECT_EQ(bound.error().message, "cannot listen on " + host() + ": Address already in use");
}

} // namespace faultline::serve
