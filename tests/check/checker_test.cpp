#include "base/file.hpp"
#include "base/format.hpp"
#include "base/json.hpp"
#include "check/checker.hpp"

#include <gtest/gtest.h>

namespace faultline::check {

namespace fs = std::filesystem;

namespace {

// A rule that needs nothing of the frameworks: the shapes of a reshape do not fit.
constexpr const char* k_bad = "import numpy as np\nx = np.zeros((2, 3)).reshape((4, 2))\n";

class Project {
public:
  explicit Project(const FileTree& files)
  {
    EXPECT_TRUE(m_place && write_tree(m_place->path(), files));
    m_before = fs::current_path();
    fs::current_path(m_place->path());
  }
  ~Project() { fs::current_path(m_before); }
  Project(const Project&) = delete;
  Project& operator=(const Project&) = delete;

  Report
  check(const std::vector<std::string>& paths, const Options& options = {}, Config config = {})
  {
    if (!config.exclude.empty() || !config.per_file.empty()) {
      config.folder = fs::current_path();
    }
    m_config = std::move(config);
    std::vector<Subject> subjects;
    for (const std::string& path : paths) {
      subjects.push_back({path, &m_config});
    }
    Result<Report> report = check_programs(subjects, options);
    EXPECT_TRUE(report) << report.error().line();
    return report ? *std::move(report) : Report();
  }

private:
  Result<TempDir> m_place = TempDir::create();
  fs::path m_before;
  Config m_config;
};

std::string lines(const Report& report)
{
  std::string text;
  for (const source::Finding& finding : report.findings) {
    const source::Place& place = finding.place;
    text += format("{}{}:{}:{} {}\n",
                   place.file,
                   place.cell > 0 ? format(" cell {}", place.cell) : "",
                   place.line,
                   place.column,
                   finding.rule);
  }
  return text;
}

Options with_jobs(size_t jobs)
{
  Options options;
  options.jobs = jobs;
  return options;
}

} // namespace

TEST(Checker, ChecksFilesSideBySideAndReportsInOrder)
{
  FileTree files;
  std::vector<std::string> paths;
  std::string expected;
  for (int i = 10; i < 40; ++i) {
    paths.push_back(format("f{}.py", i));
    files[paths.back()] = k_bad;
    expected += format("f{}.py:2:30 SH004\n", i);
  }
  Project project(files);
  const Report report = project.check(paths, with_jobs(4));
  EXPECT_EQ(lines(report), expected);
  EXPECT_EQ(report.analysed, 30U);
}

TEST(Checker, AnImportedFileIsReportedOnce)
{
  Project project({{"helper.py", k_bad},
                   {"a.py", "import helper\nprint(helper.x)\n"},
                   {"b.py", "from helper import x\nprint(x)\n"}});
  EXPECT_EQ(lines(project.check({"a.py", "b.py"})), "helper.py:2:30 SH004\n");
  EXPECT_EQ(lines(project.check({"a.py", "b.py", "helper.py"})), "helper.py:2:30 SH004\n");
}

TEST(Checker, OfANotebookThePlacesAreCells)
{
  Json book;
  book["cells"] = Json::array(
      {{{"cell_type", "code"}, {"source", "import numpy as np\n"}},
       {{"cell_type", "code"}, {"source", "%time\nx = np.zeros((2, 3)).reshape((4, 2))"}}});
  Project project({{"n.ipynb", print_json_compact(book)}});
  EXPECT_EQ(lines(project.check({"n.ipynb"})), "n.ipynb cell 2:2:30 SH004\n");
}

TEST(Checker, SaysWhatItCannotRead)
{
  Project project({{"binary.py", std::string("a\0b", 3)},
                   {"wide.py", "\xFF\xFEx"},
                   {"n.ipynb", "{}"},
                   {"fine.py", ""}});
  const Report report = project.check({"binary.py", "fine.py", "gone.py", "n.ipynb", "wide.py"});
  EXPECT_EQ(report.analysed, 1U);
  std::string text;
  for (const Unreadable& file : report.unreadable) {
    text += file.path + ": " + file.reason + "\n";
  }
  EXPECT_EQ(text,
            "binary.py: it is not text: byte 1 is 0\n"
            "gone.py: No such file or directory\n"
            "n.ipynb: not a notebook: it has no cells\n"
            "wide.py: it is UTF-16, not UTF-8\n");
}

TEST(Checker, SaysWhatItDidNotUnderstandFirst)
{
  Project project({{"broken.py", "x = 1\ny = (\nz = )\n"}, {"fine.py", "x = 1\n"}});
  const Report report = project.check({"broken.py", "fine.py"});
  EXPECT_EQ(report.analysed, 2U);
  ASSERT_EQ(report.partly.size(), 1U);
  EXPECT_EQ(report.partly[0].place.file, "broken.py");
  EXPECT_EQ(report.partly[0].what, "syntax error");
}

TEST(Checker, TheConfigurationChoosesRulesAndFiles)
{
  Project project(
      {{"a.py", k_bad}, {"tests/b.py", k_bad}, {"gen.py", k_bad}, {"c.py", "import gen\n"}});
  Config config;
  config.ignore = {"SH"};
  EXPECT_EQ(lines(project.check({"a.py"}, {}, config)), "");
  Options options;
  options.select = {"SH004"};
  EXPECT_EQ(lines(project.check({"a.py"}, options, config)), "a.py:2:30 SH004\n")
      << "what is asked for on the command line goes first";
  options = {};
  options.ignore = {"shape"};
  EXPECT_EQ(lines(project.check({"a.py"}, options)), "");
  Config per_file;
  per_file.per_file.push_back({IgnorePatterns("tests/"), {"SH004"}});
  EXPECT_EQ(lines(project.check({"a.py", "tests/b.py"}, {}, per_file)), "a.py:2:30 SH004\n");
  Config excluding;
  excluding.exclude = {"gen.py"};
  EXPECT_EQ(lines(project.check({"c.py"}, {}, excluding)), "");
}

TEST(Checker, AnUnknownRuleIsAnError)
{
  static const Config k_config;
  Options options;
  options.select = {"nonsense"};
  EXPECT_FALSE(check_programs({{"a.py", &k_config}}, options));
}

} // namespace faultline::check
