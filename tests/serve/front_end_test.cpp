#include "base/file.hpp"
#include "base/gzip.hpp"
#include "serve/front_end.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace faultline::serve {

using testing::HasSubstr;

class FrontEndTest : public testing::Test {
protected:
  void SetUp() override
  {
    Result<TempDir> made = TempDir::create();
    ASSERT_TRUE(made);
    m_folder.emplace(*std::move(made));
    ASSERT_TRUE(
        write_tree(m_folder->path() / "web",
                   {{"index.html", "<meta name=\"csp-nonce\" content=\"__NONCE__\"><p>page</p>"},
                    {"favicon.svg", "<svg/>"},
                    {"assets/app-1234.js", std::string(3000, 'x')},
                    {"assets/app-1234.css", "a{}"}}));
    ASSERT_TRUE(write_file(m_folder->path() / "secret.txt", "secret"));
  }

  FrontEnd load() const { return FrontEnd::load(m_folder->path() / "web"); }

private:
  std::optional<TempDir> m_folder;
};

TEST_F(FrontEndTest, FilesComeFromMemoryWithTypeAndTag)
{
  const FrontEnd front_end = load();
  const Reply script = front_end.answer("/assets/app-1234.js");
  EXPECT_EQ(script.status, 200);
  EXPECT_EQ(script.type, "text/javascript; charset=utf-8");
  EXPECT_EQ(*gunzip(script.zipped, 10000), std::string(3000, 'x'));
  EXPECT_EQ(script.headers.at("Cache-Control"), "public, max-age=31536000, immutable");
  const Reply icon = front_end.answer("/favicon.svg");
  EXPECT_EQ(icon.type, "image/svg+xml");
  EXPECT_EQ(icon.body, "<svg/>");
  EXPECT_EQ(icon.headers.at("Cache-Control"), "no-cache");
  EXPECT_NE(icon.headers.at("ETag"), script.headers.at("ETag"));
}

TEST_F(FrontEndTest, EveryViewIsThePage)
{
  const FrontEnd front_end = load();
  for (const std::string path : {"/", "/faults", "/faults/pytorch-x", "/scoreboard/compare"}) {
    const Reply page = front_end.answer(path);
    EXPECT_EQ(page.status, 200) << path;
    EXPECT_EQ(page.type, "text/html; charset=utf-8");
    EXPECT_THAT(page.body, HasSubstr("<p>page</p>"));
  }
  EXPECT_EQ(front_end.answer("/assets/app-old.js").status, 404);
}

TEST_F(FrontEndTest, ThePageHasANonceOfItsOwn)
{
  const FrontEnd front_end = load();
  const Reply first = front_end.answer("/");
  const Reply second = front_end.answer("/");
  EXPECT_NE(first.body, second.body);
  EXPECT_EQ(first.body.find("__NONCE__"), std::string::npos);
  const size_t at = first.body.find("content=\"") + 9;
  const std::string nonce = first.body.substr(at, 32);
  EXPECT_THAT(first.headers.at("Content-Security-Policy"), HasSubstr("'nonce-" + nonce + "'"));
  EXPECT_FALSE(first.cacheable);
}

TEST_F(FrontEndTest, NoPathLeadsOutOfTheFolder)
{
  const FrontEnd front_end = load();
  for (const std::string path : {"/../secret.txt", "/assets/../../secret.txt", "//secret.txt"}) {
    const Reply reply = front_end.answer(path);
    EXPECT_EQ(reply.body.find("secret"), std::string::npos) << path;
  }
}

TEST_F(FrontEndTest, WithoutPagesItSaysHowToMakeThem)
{
  const FrontEnd front_end = FrontEnd::load("/nonexistent");
  EXPECT_FALSE(front_end.is_built());
  const Reply page = front_end.answer("/faults");
  EXPECT_EQ(page.status, 200);
  EXPECT_THAT(page.body, HasSubstr("./run serve"));
}

} // namespace faultline::serve
