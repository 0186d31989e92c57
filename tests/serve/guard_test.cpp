#include "serve/guard.hpp"

#include <gtest/gtest.h>

namespace faultline::serve {

static const std::string k_secret = "00112233445566778899aabbccddeeff";

static Guard guard()
{
  return Guard({k_secret, 8600, {"faults.example.org"}});
}

static Request request(const std::string& method, std::map<std::string, std::string> headers)
{
  Request made;
  made.method = method;
  headers.emplace("host", "127.0.0.1:8600");
  made.headers = std::move(headers);
  return made;
}

static int status_of(const Request& asked)
{
  const std::optional<Refused> refused = guard().refuse(asked);
  return refused ? refused->status : 200;
}

TEST(Guard, AnswersUnderItsOwnNamesOnly)
{
  for (const std::string host : {"127.0.0.1:8600",
                                 "localhost:8600",
                                 "LOCALHOST:8600",
                                 "[::1]:8600",
                                 "faults.example.org",
                                 "Faults.Example.org:443"}) {
    EXPECT_EQ(status_of(request("GET", {{"host", host}})), 200) << host;
  }
  for (const std::string host : {"",
                                 "127.0.0.1",
                                 "127.0.0.1:8601",
                                 "evil.example",
                                 "evil.example:8600",
                                 "localhost.evil.example:8600",
                                 "faults.example.org.evil.example",
                                 "faults.example.org:443.evil.example",
                                 "127.0.0.1:8600@evil.example"}) {
    EXPECT_EQ(status_of(request("GET", {{"host", host}})), 421) << host;
  }
}

TEST(Guard, ChangesMustComeFromItsOwnPages)
{
  EXPECT_EQ(status_of(request("POST", {{"origin", "http://127.0.0.1:8600"}})), 200);
  EXPECT_EQ(status_of(request("DELETE", {{"origin", "https://127.0.0.1:8600"}})), 200);
  for (const std::string origin : {"http://evil.example",
                                   "null",
                                   "",
                                   "http://127.0.0.1",
                                   "http://127.0.0.1:8600.evil.example",
                                   "http://localhost:8600"}) {
    EXPECT_EQ(status_of(request("POST", {{"origin", origin}})), 403) << origin;
  }
  EXPECT_EQ(status_of(request("POST", {})), 403) << "no origin, no token";
  EXPECT_EQ(status_of(request("POST", {{"authorization", "Bearer " + k_secret}})), 200);
  EXPECT_EQ(status_of(request("POST", {{"authorization", "Bearer wrong"}})), 403);
  EXPECT_EQ(
      status_of(request(
          "POST", {{"authorization", "Bearer " + k_secret}, {"origin", "http://evil.example"}})),
      403);
  EXPECT_EQ(status_of(request("GET", {{"origin", "http://evil.example"}})), 200);
}

// "name=value" of a Set-Cookie.
static std::string pair_of(const std::string& cookie)
{
  return cookie.substr(0, cookie.find(';'));
}

TEST(Guard, ASessionIsKnownByItsCookie)
{
  const Guard own = guard();
  const std::string first = pair_of(own.new_cookie());
  const std::string second = pair_of(own.new_cookie());
  EXPECT_NE(first, second);
  const std::string user = own.user_of(request("GET", {{"cookie", first}}));
  EXPECT_EQ(user.size(), 16U);
  EXPECT_NE(own.user_of(request("GET", {{"cookie", second}})), user);
  EXPECT_EQ(own.user_of(request("GET", {{"cookie", "a=b; " + first + "; c=d"}})), user);
  EXPECT_EQ(own.user_of(request("GET", {})), "");
}

TEST(Guard, AForgedCookieIsNobodys)
{
  const Guard own = guard();
  const std::string good = pair_of(own.new_cookie());
  const size_t equals = good.find('=');
  for (const std::string& cookie :
       {good.substr(0, good.size() - 1),
        good + "0",
        "faultline_session=admin" + good.substr(good.find('.')),
        std::string("faultline_session=."),
        std::string("faultline_session="),
        std::string("faultline_session=" + k_secret),
        "other" + good,
        pair_of(Guard({"another token", 8600, {}}).new_cookie()),
        "faultline_session" + good.substr(equals, 1) + good.substr(good.find('.'))}) {
    EXPECT_EQ(own.user_of(request("GET", {{"cookie", cookie}})), "") << cookie;
  }
}

TEST(Guard, TheCookieIsForThisSiteOnly)
{
  const std::string cookie = guard().new_cookie();
  EXPECT_TRUE(cookie.ends_with("; HttpOnly; SameSite=Strict; Path=/")) << cookie;
  EXPECT_EQ(guard().no_cookie(),
            "faultline_session=; HttpOnly; SameSite=Strict; Path=/; Max-Age=0");
  EXPECT_EQ(cookie.find(k_secret), std::string::npos);
}

TEST(Guard, TheTokenIsTheWholeToken)
{
  EXPECT_TRUE(guard().is_token(k_secret));
  EXPECT_FALSE(guard().is_token(""));
  EXPECT_FALSE(guard().is_token(k_secret.substr(1)));
  EXPECT_FALSE(Guard({"", 8600, {}}).is_token("")) << "no token opens nothing";
  EXPECT_EQ(random_hex(16).size(), 32U);
  EXPECT_NE(random_hex(16), random_hex(16));
}

TEST(Guard, EveryAnswerHasAStrictPolicy)
{
  Reply reply;
  add_security_headers(reply, "abc");
  EXPECT_EQ(reply.headers["Content-Security-Policy"],
            "default-src 'none'; script-src 'self'; style-src 'self' 'nonce-abc'; img-src 'self' "
            "data:; font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'self'; "
            "frame-ancestors 'none'");
  EXPECT_EQ(reply.headers["X-Content-Type-Options"], "nosniff");
  EXPECT_EQ(reply.headers["Referrer-Policy"], "no-referrer");
}

} // namespace faultline::serve
