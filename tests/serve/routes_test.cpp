#include "serve/routes.hpp"

#include <gtest/gtest.h>

namespace faultline::serve {

static Reply one(Context&, const Request&)
{
  return {};
}

static constexpr Route k_table[] = {{"GET", "/api/v1/faults", Access::open, one},
                                    {"GET", "/api/v1/faults/export", Access::open, one},
                                    {"GET", "/api/v1/faults/{id}", Access::open, one},
                                    {"POST", "/api/v1/runs", Access::token, one},
                                    {"GET", "/api/v1/runs", Access::open, one},
                                    {"GET", "/api/v1/a/{x}/b/{y}", Access::open, one}};

static Match match(Request& request, const std::string& method, const std::string& target)
{
  request = {};
  request.method = method;
  EXPECT_TRUE(read_target(target, request));
  return match(k_table, request);
}

TEST(Routes, APartInBracesStandsForOnePart)
{
  Request request;
  const Match found = match(request, "GET", "/api/v1/a/1%2F2/b/three");
  ASSERT_NE(found.route, nullptr);
  EXPECT_EQ(request.captures, (std::vector<std::string>{"1/2", "three"}));
  EXPECT_EQ(match(request, "GET", "/api/v1/faults/x/y").route, nullptr);
  EXPECT_EQ(match(request, "GET", "/api/v1/faults/").route, nullptr);
}

TEST(Routes, TheFirstThatFitsCounts)
{
  Request request;
  EXPECT_EQ(match(request, "GET", "/api/v1/faults/export").route, &k_table[1]);
  EXPECT_EQ(match(request, "GET", "/api/v1/faults/other").route, &k_table[2]);
}

TEST(Routes, HeadIsAnsweredWhereGetIs)
{
  Request request;
  EXPECT_EQ(match(request, "HEAD", "/api/v1/faults").route, &k_table[0]);
}

TEST(Routes, AnotherMethodIsToldFromAnotherPath)
{
  Request request;
  EXPECT_EQ(match(request, "DELETE", "/api/v1/runs").allow, "GET, HEAD, OPTIONS, POST");
  EXPECT_EQ(match(request, "GET", "/api/v1/nothing").allow, "");
  EXPECT_EQ(match(request, "GET", "/").allow, "");
}

} // namespace faultline::serve
