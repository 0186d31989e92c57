#include "serve/connection.hpp"

#include <gtest/gtest.h>

namespace faultline::serve {

// The status with which a head is refused, 0 if it is not.
static int refused(const std::string& head)
{
  size_t length = 0;
  const std::variant<Incoming, Refused> read = read_head(head, {}, length);
  const Refused* refusal = std::get_if<Refused>(&read);
  return refusal == nullptr ? 0 : refusal->status;
}

static Incoming accepted(const std::string& head, size_t& length)
{
  std::variant<Incoming, Refused> read = read_head(head, {}, length);
  EXPECT_TRUE(std::holds_alternative<Incoming>(read)) << head;
  return std::holds_alternative<Incoming>(read) ? std::get<Incoming>(std::move(read)) : Incoming();
}

TEST(RequestHead, IsReadIntoLowerCaseHeaders)
{
  size_t length = 0;
  const Incoming incoming = accepted("POST /a?b=c HTTP/1.1\r\nHost: x\r\nCONTENT-length: 12\r\n"
                                     "Accept:  a \r\naccept: b\r\n\r\n",
                                     length);
  EXPECT_EQ(incoming.request.method, "POST");
  EXPECT_EQ(incoming.request.path, "/a");
  EXPECT_EQ(incoming.request.parameter("b"), "c");
  EXPECT_EQ(incoming.request.header("host"), "x");
  EXPECT_EQ(incoming.request.header("accept"), "a, b");
  EXPECT_EQ(length, 12U);
  EXPECT_TRUE(incoming.keep_alive);
}

TEST(RequestHead, SaysWhetherTheConnectionGoesOn)
{
  size_t length = 0;
  EXPECT_FALSE(accepted("GET / HTTP/1.1\r\nConnection: Close\r\n\r\n", length).keep_alive);
  EXPECT_FALSE(accepted("GET / HTTP/1.0\r\n\r\n", length).keep_alive);
  EXPECT_TRUE(accepted("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n", length).keep_alive);
}

TEST(RequestHead, BrokenOnesAreRefused)
{
  for (const std::string head :
       {"GET /\r\n\r\n",
        "GET  / HTTP/1.1\r\n\r\n",
        "GET / HTTP/1.1 x\r\n\r\n",
        "G(T / HTTP/1.1\r\n\r\n",
        "GET / HTTP/1.1\r\nno colon\r\n\r\n",
        "GET / HTTP/1.1\r\nHost : x\r\n\r\n",
        "GET / HTTP/1.1\r\n folded: x\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
        "GET / HTTP/1.1\r\nX: a\x01\r\n\r\n",
        "POST / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
        "POST / HTTP/1.1\r\nContent-Length: -1\r\n\r\n",
        "POST / HTTP/1.1\r\nContent-Length: 1x\r\n\r\n",
        "GET /../x HTTP/1.1\r\n\r\n"}) {
    EXPECT_EQ(refused(head), 400) << head;
  }
  EXPECT_EQ(refused("GET / HTTP/2.0\r\n\r\n"), 505);
  EXPECT_EQ(refused("BREW / HTTP/1.1\r\n\r\n"), 501);
}

TEST(RequestHead, LimitsHaveTheirOwnStatus)
{
  EXPECT_EQ(refused("GET /" + std::string(8192, 'a') + " HTTP/1.1\r\n\r\n"), 414);
  EXPECT_EQ(refused("POST / HTTP/1.1\r\nContent-Length: 2097153\r\n\r\n"), 413);
  EXPECT_EQ(refused("POST / HTTP/1.1\r\nContent-Length: 99999999999999999999999\r\n\r\n"), 413);
  EXPECT_EQ(refused("POST / HTTP/1.1\r\nContent-Length: 2097152\r\n\r\n"), 0);
  EXPECT_EQ(refused("POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n"), 411);
  EXPECT_EQ(refused("POST / HTTP/1.1\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n"),
            411);
  EXPECT_EQ(refused("POST / HTTP/1.1\r\nContent-Encoding: gzip\r\n\r\n"), 415);
}

} // namespace faultline::serve
