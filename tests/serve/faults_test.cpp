#include "serve/json_schema.hpp"
#include "serve/server_fixture.hpp"

#include <gmock/gmock.h>

#include <set>

namespace faultline::serve {

using testing::HasSubstr;
using testing::StartsWith;

using catalog::fault_named;

namespace {

class FaultsTest : public ServerTest {
protected:
  void SetUp() override
  {
    ServerTest::SetUp();
    write_fault(fault_named("a"), "pytorch/a");
    FileTree other = fault_named("b");
    catalog::change(other, "fault.toml", "Loss stays flat", "Softmax, \\\"twice\\\"");
    catalog::change(other, "fault.toml", "\"dev\"", "\"test\"");
    write_fault(other, "pytorch/b");
    write_fault(catalog::javascript_fault(), "tfjs/flat-loss");
    Request asked;
    m_description = parse_json(get_description(context, asked).body);
  }

  // The reply to a path without a server between, held against the description.
  Reply ask(const std::string& target, int status = 200)
  {
    Request request;
    request.method = "GET";
    EXPECT_TRUE(read_target(target, request)) << target;
    const Match found = match(routes(), request);
    if (found.route == nullptr) {
      ADD_FAILURE() << "no route for " << target;
      return {};
    }
    Reply reply = found.route->handler(context, request);
    if (!reply.zipped.empty()) {
      reply.body = *gunzip(reply.zipped, 1 << 24);
    }
    while (reply.pieces) {
      const Result<std::string> piece = reply.pieces();
      EXPECT_TRUE(piece) << piece.error().line();
      if (!piece || piece->empty()) {
        break;
      }
      reply.body += *piece;
    }
    EXPECT_EQ(reply.status, status) << target << " " << reply.body;
    const std::string pattern(found.route->pattern);
    const Json& described = m_description["paths"][pattern]["get"]["responses"];
    EXPECT_TRUE(described.contains(std::to_string(status))) << pattern << " " << status;
    const Json& content = described[std::to_string(status)]["content"];
    const std::string type = reply.type.substr(0, reply.type.find(';'));
    EXPECT_TRUE(content.contains(type)) << pattern << " " << type;
    if (type == "application/json") {
      const JsonSchema schema(m_description);
      EXPECT_THAT(schema.problems(parse_json(reply.body), content[type]["schema"]),
                  testing::IsEmpty())
          << target;
    }
    return reply;
  }

  Json json(const std::string& target) { return parse_json(ask(target).body); }
  std::string problem(const std::string& target)
  {
    return parse_json(ask(target, 400).body)["error"]["message"];
  }

  Json m_description;
};

} // namespace

TEST_F(FaultsTest, TheDescriptionNamesEveryRouteAndNoOther)
{
  std::set<std::string> served;
  for (const Route& route : routes()) {
    std::string method(route.method);
    std::ranges::transform(method, method.begin(), [](unsigned char c) { return std::tolower(c); });
    served.insert(method + " " + std::string(route.pattern));
    const Json& operation = m_description["paths"][std::string(route.pattern)][method];
    EXPECT_EQ(operation.contains("security"), route.access == Access::token) << route.pattern;
  }
  std::set<std::string> described;
  std::set<std::string> operations;
  for (const auto& [path, methods] : m_description["paths"].items()) {
    for (const auto& [method, operation] : methods.items()) {
      described.insert(method + " " + path);
      EXPECT_TRUE(operations.insert(operation["operationId"]).second);
    }
  }
  EXPECT_EQ(served, described);
  EXPECT_EQ(m_description["openapi"], "3.1.0");
}

TEST_F(FaultsTest, EveryReferenceOfTheDescriptionLeadsSomewhere)
{
  size_t count = 0;
  const std::function<void(const Json&)> walk = [&](const Json& value) {
    if (value.is_object() && value.contains("$ref")) {
      const std::string reference = value["$ref"];
      EXPECT_TRUE(m_description.contains(Json::json_pointer(reference.substr(1)))) << reference;
      ++count;
    }
    for (const Json& inner : value) {
      if (inner.is_structured()) {
        walk(inner);
      }
    }
  };
  walk(m_description);
  EXPECT_GT(count, 50U);
}

TEST_F(FaultsTest, ListsFilteredSearchedAndCounted)
{
  index();
  const Json all = json("/api/v1/faults");
  EXPECT_EQ(all["total"], 3);
  EXPECT_EQ(all["limit"], 50);
  EXPECT_EQ(all["items"][0]["id"], "pytorch-a");
  EXPECT_EQ(json("/api/v1/faults?framework=tfjs&framework=libtorch")["total"], 1);
  EXPECT_EQ(json("/api/v1/faults?type=api&split=test")["items"][0]["id"], "pytorch-b");
  EXPECT_EQ(json("/api/v1/faults?q=softm")["total"], 1);
  EXPECT_EQ(json("/api/v1/faults?silent=false")["total"], 0);
  EXPECT_EQ(json("/api/v1/faults?sort=-id&limit=1")["items"][0]["id"], "tfjs-flat-loss");
  EXPECT_EQ(json("/api/v1/faults?offset=1&limit=1")["items"][0]["id"], "pytorch-b");
  EXPECT_EQ(json("/api/v1/faults?status=withdrawn")["total"], 0);
  EXPECT_EQ(json("/api/v1/faults?framework=tfjs")["facets"]["framework"][0]["count"], 2);
}

TEST_F(FaultsTest, WrongParametersAreRefusedInOneLine)
{
  index();
  EXPECT_EQ(problem("/api/v1/faults?framwork=x"),
            "unknown parameter `framwork`, did you mean `framework`?");
  EXPECT_EQ(problem("/api/v1/faults?framework=pytorsh"),
            "unknown framework `pytorsh`, did you mean `pytorch`?");
  EXPECT_EQ(problem("/api/v1/faults?limit=501"), "`limit` must be a whole number from 0 to 500");
  EXPECT_THAT(problem("/api/v1/faults?sort=size"), StartsWith("unknown sort `size`"));
  EXPECT_EQ(problem("/api/v1/faults?q=a+b+c+d+e+f+g+h+i+j+k+l+m+n+o+p+q"),
            "`q` has more than 16 words");
  EXPECT_EQ(json("/api/v1/faults?q=" + std::string(40, '+') + "(((nowhere)))")["total"], 0);
  EXPECT_THAT(problem("/api/v1/faults/export?format=xml"), StartsWith("unknown format `xml`"));
  EXPECT_EQ(problem("/api/v1/faults/pytorch-a?x=1"), "unknown parameter `x`");
}

TEST_F(FaultsTest, SqlInEveryParameterIsOnlyText)
{
  index();
  const std::string attack = "%27%20OR%201%3D1%3B%20DROP%20TABLE%20entry%3B%20--";
  for (const std::string_view facet : catalog::k_facets) {
    const std::string target = "/api/v1/faults?" + std::string(facet) + "=" + attack;
    if (facet == "dataset") {
      EXPECT_EQ(json(target)["total"], 0);
    } else {
      problem(target);
    }
  }
  EXPECT_EQ(json("/api/v1/faults?q=" + attack)["total"], 0);
  EXPECT_EQ(json("/api/v1/faults?q=%22%20OR%20a%2A%20NEAR%28")["total"], 0);
  for (const std::string name : {"sort", "offset", "limit"}) {
    problem("/api/v1/faults?" + name + "=" + attack);
  }
  problem("/api/v1/faults/export?format=" + attack);
  for (const std::string inner : {"", "/proof", "/similar"}) {
    ask("/api/v1/faults/" + attack + inner, 404);
  }
  EXPECT_EQ(json("/api/v1/faults")["total"], 3);
}

TEST_F(FaultsTest, ExportsEverythingThatMatches)
{
  index();
  const Reply csv = ask("/api/v1/faults/export?format=csv&framework=pytorch");
  EXPECT_THAT(csv.headers.at("Content-Disposition"), HasSubstr("faults.csv"));
  EXPECT_THAT(csv.body, StartsWith("id,title,framework,language,split,status,silent,support,"));
  EXPECT_THAT(csv.body, HasSubstr("pytorch-b,\"Softmax, \"\"twice\"\"\",pytorch,python,test,"));
  EXPECT_EQ(std::ranges::count(csv.body, '\n'), 3);
  const Json whole = json("/api/v1/faults/export?format=json");
  EXPECT_EQ(whole.size(), 3U);
  EXPECT_EQ(json("/api/v1/faults/export?split=test").size(), 1U);
  EXPECT_EQ(json("/api/v1/faults/export?q=nowhere").size(), 0U);
  const Reply lines = ask("/api/v1/faults/export?format=jsonl");
  EXPECT_EQ(std::ranges::count(lines.body, '\n'), 3);
}

TEST_F(FaultsTest, AFaultComesWithAllItsTexts)
{
  index();
  const Json fault = json("/api/v1/faults/pytorch-a");
  EXPECT_EQ(fault["files"][0]["path"], "train.py");
  EXPECT_EQ(fault["files"][0]["fixed"], std::string(catalog::k_with_zero_grad));
  EXPECT_EQ(fault["files"][0]["faulty_lines"], Json::array({4}));
  EXPECT_THAT(fault["diff"].get<std::string>(), HasSubstr("+    optimizer.zero_grad()"));
  EXPECT_EQ(fault["test_file"]["text"], "import oracle\n");
  EXPECT_EQ(fault["checkout"]["command"], "faultline checkout pytorch-a FOLDER");
  EXPECT_EQ(parse_json(ask("/api/v1/faults/pytorch-c", 404).body)["error"]["message"],
            "unknown fault `pytorch-c`, did you mean `pytorch-a`?");
}

TEST_F(FaultsTest, AScriptInATitleStaysText)
{
  FileTree hostile = fault_named("c");
  catalog::change(hostile, "fault.toml", "Loss stays flat", "</script><script>alert(1)</script>");
  write_fault(hostile, "pytorch/c");
  start();
  for (const std::string path : {"/api/v1/faults?q=alert", "/api/v1/faults/pytorch-c"}) {
    const httplib::Result answer = client().Get(path);
    ASSERT_TRUE(answer);
    // Whoever opens the answer itself gets data, which no browser takes for a page.
    EXPECT_EQ(answer->get_header_value("Content-Type"), "application/json");
    EXPECT_EQ(answer->get_header_value("X-Content-Type-Options"), "nosniff");
    EXPECT_THAT(answer->get_header_value("Content-Security-Policy"),
                HasSubstr("script-src 'self';"));
    EXPECT_THAT(answer->body, HasSubstr("<script>alert(1)</script>"));
  }
  const httplib::Result exported = client().Get("/api/v1/faults/export?format=csv");
  EXPECT_THAT(exported->get_header_value("Content-Disposition"), StartsWith("attachment"));
}

TEST_F(FaultsTest, AProofThatWasNeverMadeIsEmpty)
{
  index();
  const Json proof = json("/api/v1/faults/pytorch-a/proof");
  EXPECT_TRUE(proof["record"].is_null());
  EXPECT_EQ(proof["runs"].size(), 0U);
  EXPECT_EQ(proof["checks"].size(), 0U);
}

TEST_F(FaultsTest, SimilarFaultsShareTheFix)
{
  index();
  const Json similar = json("/api/v1/faults/pytorch-a/similar");
  ASSERT_EQ(similar["items"].size(), 1U);
  EXPECT_EQ(similar["items"][0]["id"], "pytorch-b");
  EXPECT_EQ(similar["items"][0]["similarity"], 1.0);
  EXPECT_EQ(similar["items"][0]["same_group"], true);
}

TEST_F(FaultsTest, StatusAndSchemesAreAsDescribed)
{
  index();
  context.cannot_run = "no sandbox";
  const Json status = json("/api/v1/status");
  EXPECT_EQ(status["faults"], 3);
  EXPECT_EQ(status["can_run"], false);
  EXPECT_EQ(status["frameworks"]["pytorch"]["available"], false);
  const Json schemes = json("/api/v1/schemes");
  EXPECT_EQ(schemes["schemes"].size(), catalog::k_scheme_names.size());
  json("/api/v1/session");
  json("/api/v1/openapi.json");
}

} // namespace faultline::serve
