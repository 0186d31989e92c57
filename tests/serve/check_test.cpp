#include "base/file.hpp"
#include "check/checker.hpp"
#include "serve/api/handlers.hpp"
#include "serve/text_analysis.hpp"

#include <gtest/gtest.h>

namespace faultline::serve {

static Reply check(const Json& body)
{
  static const auto k_analysis = TextAnalysis::start();
  EXPECT_TRUE(k_analysis) << k_analysis.error().line();
  Context context;
  context.analysis = k_analysis->get();
  Request request;
  request.method = "POST";
  request.body = print_json_compact(body);
  return check_text(context, request);
}

static Json checked(const std::string& name, const std::string& text)
{
  const Reply reply = check({{"name", name}, {"text", text}});
  EXPECT_EQ(reply.status, 200) << reply.body;
  return parse_json(reply.body);
}

static const std::string k_program = "import torch\n"
                                     "import torch.nn as nn\n"
                                     "from helper import head\n"
                                     "x = torch.randn(4, 3)\n"
                                     "y = torch.randint(0, 3, (4,))\n"
                                     "loss = nn.functional.cross_entropy(head(x), y)\n";

static const std::string k_own = "import torch\n"
                                 "import torch.nn as nn\n"
                                 "head = nn.Softmax(dim=1)\n"
                                 "x = torch.randn(4, 3)\n"
                                 "y = torch.randint(0, 3, (4,))\n"
                                 "loss = nn.functional.cross_entropy(head(x), y)\n";

TEST(CheckText, FindsWhatCheckFinds)
{
  const Json json = checked("train.py", k_own);
  ASSERT_EQ(json["findings"].size(), 1U) << json;
  EXPECT_EQ(json["findings"][0]["file"], "train.py");
  EXPECT_EQ(json["findings"][0]["line"], 6);
  EXPECT_TRUE(json["partly"].is_null());
  EXPECT_GE(json["seconds"].get<double>(), 0);
}

// The same program finds its module when it is a file, and must not when it was sent.
TEST(CheckText, NeverReadsFilesOfTheServer)
{
  const Result<TempDir> folder = TempDir::create();
  ASSERT_TRUE(write_file(folder->path() / "helper.py",
                         "import torch.nn as nn\nhead = nn.Softmax(dim=1)\n"));
  ASSERT_TRUE(write_file(folder->path() / "train.py", k_program));
  const std::filesystem::path before = std::filesystem::current_path();
  std::filesystem::current_path(folder->path());
  const ::faultline::check::Config config;
  const auto on_disk = ::faultline::check::check_programs({{"train.py", &config}}, {});
  ASSERT_TRUE(on_disk);
  EXPECT_EQ(on_disk->findings.size(), 1U); // so that silence below means something
  for (const std::string& name : {std::string("train.py"),
                                  (folder->path() / "train.py").string(),
                                  std::string("../a/b.py")}) {
    EXPECT_EQ(checked(name, k_program)["findings"].size(), 0U) << name;
  }
  // Nor by the names that a program itself can give.
  const std::string absolute = folder->path().string();
  EXPECT_EQ(checked("train.py",
                    "import sys\nsys.path.insert(0, '" + absolute + "')\n" + k_program)["findings"]
                .size(),
            0U);
  std::filesystem::current_path(before);
}

TEST(CheckText, ShowsModels)
{
  const Json json = checked("m.py",
                            "import torch.nn as nn\n"
                            "net = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 2))\n");
  ASSERT_EQ(json["models"].size(), 1U) << json;
  EXPECT_EQ(json["models"][0]["line"], 2);
  EXPECT_EQ(json["models"][0]["parameters"], 58);
  EXPECT_EQ(json["models"][0]["layers"].size(), 3U);
}

TEST(CheckText, KnowsTheCellsOfANotebook)
{
  const Json notebook = {
      {"nbformat", 4},
      {"nbformat_minor", 5},
      {"metadata", Json::object()},
      {"cells",
       Json::array({{{"cell_type", "markdown"}, {"source", "# Title"}},
                    {{"cell_type", "code"}, {"source", "import torch\nimport torch.nn as nn"}},
                    {{"cell_type", "code"}, {"source", k_own.substr(k_own.find("head"))}}})}};
  const Json json = checked("a.ipynb", print_json_compact(notebook));
  ASSERT_EQ(json["findings"].size(), 1U) << json;
  EXPECT_EQ(json["findings"][0]["cell"], 2);
  EXPECT_EQ(json["findings"][0]["line"], 4);
  ASSERT_EQ(json["cells"].size(), 2U);
  EXPECT_EQ(json["cells"][0]["number"], 1);
  EXPECT_EQ(json["cells"][0]["text"], "import torch\nimport torch.nn as nn");
}

TEST(CheckText, RefusesWhatItCannotRead)
{
  const auto refused = [](const Json& body, int status) {
    const Reply reply = check(body);
    EXPECT_EQ(reply.status, status) << reply.body;
    return parse_json(reply.body)["error"]["message"].get<std::string>();
  };
  EXPECT_EQ(refused({{"name", "a.py"}, {"text", std::string(3UL << 20U, 'x')}}, 413),
            "the text is larger than 2 MiB");
  EXPECT_EQ(refused({{"name", "a.py"}}, 400), "`text` is missing");
  EXPECT_EQ(refused({{"name", 7}, {"text", ""}}, 400), "`name` is not a text");
  EXPECT_EQ(refused({{"path", "/etc/passwd"}, {"text", ""}}, 400), "unknown key `path`");
  EXPECT_EQ(refused("text", 400), "the body is not a JSON object");
  EXPECT_EQ(refused({{"name", std::string(300, 'a')}, {"text", ""}}, 400),
            "`name` is longer than 200 bytes");
  EXPECT_EQ(refused({{"name", "a.ipynb"}, {"text", "{}"}}, 400).substr(0, 14), "not a notebook");
  EXPECT_EQ(refused({{"name", "a.py"}, {"text", std::string("a\0b", 3)}}, 400),
            "it is not text: byte 1 is 0");
}

TEST(CheckText, SurvivesDeepNestingAndManyAtOnce)
{
  std::string deep = "x = ";
  deep.append(200'000, '(').append("1").append(200'000, ')');
  EXPECT_EQ(check({{"text", deep}}).status, 200); // starts the process that the threads ask
  std::vector<std::thread> threads;
  for (int i = 0; i < 6; ++i) {
    threads.emplace_back([&deep] { EXPECT_EQ(check({{"text", deep}}).status, 200); });
  }
  for (std::thread& thread : threads) {
    thread.join();
  }
}

} // namespace faultline::serve
