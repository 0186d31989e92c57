#include "catalog/catalog.hpp"
#include "evaluate/subject.hpp"
#include "evaluate/tool_job.hpp"

#include <gtest/gtest.h>

namespace faultline::evaluate {

namespace fs = std::filesystem;

static const catalog::Catalog& catalog_here()
{
  static const Result<catalog::Catalog> k_catalog = catalog::load_catalog(FL_SOURCE_DIR);
  return *k_catalog;
}

TEST(Subject, TakesTheRightAnswersOfAFault)
{
  const catalog::Fault* fault = catalog_here().find("pytorch-softmax-before-cross-entropy");
  ASSERT_NE(fault, nullptr);
  const Result<Subject> subject = subject_of(*fault);
  ASSERT_TRUE(subject);
  EXPECT_EQ(subject->entry, "train.py");
  EXPECT_EQ(subject->types.front(),
            "model/layers/missing-redundant-wrong-layer/redundant-softmax-layer");
  ASSERT_EQ(subject->places.size(), 2U); // models.py:39, and the accepted train.py:44
  EXPECT_EQ(subject->places[1].lines, std::vector<int>{44});
  EXPECT_EQ(subject->groups.at("silent"), std::set<std::string>{"silent"});
  EXPECT_NE(subject->buggy.at("models.py"), subject->fixed.at("models.py"));
}

TEST(Subject, TheWorkspaceGivesNothingAway)
{
  run::Environment environment;
  environment.root = FL_SOURCE_DIR;
  Tool tool;
  tool.command = {"tool", "{program}", "{entry}", "{files}", "{run}"};
  for (const catalog::Fault& fault : catalog_here().faults) {
    const Result<Subject> subject = subject_of(fault);
    ASSERT_TRUE(subject);
    for (const catalog::Version version : {catalog::Version::buggy, catalog::Version::fixed}) {
      const run::Job job = tool_job(tool, *subject, version, environment, {});
      EXPECT_EQ(job.files.size(), subject->program(version).size());
      for (const auto& [path, content] : job.files) {
        EXPECT_TRUE(path.starts_with("program/")) << path;
        EXPECT_EQ(path.find("test"), std::string::npos) << path;
      }
      for (const std::string& word : job.command) {
        EXPECT_EQ(word.find("buggy"), std::string::npos) << word;
        EXPECT_EQ(word.find("fixed"), std::string::npos) << word;
        EXPECT_EQ(word.find(fault.id), std::string::npos) << word;
      }
    }
  }
}

class SetTest : public testing::Test {
protected:
  SetTest()
  {
    EXPECT_TRUE(write_tree(m_folder->path(),
                           {{"so_1_buggy.py", "a = 1\nb = 2\n"},
                            {"so_1_copy.py", "a = 1\nb = 2\n"},
                            {"so_1_fixed.py", "a = 1\nb = 3\n"},
                            {"notes.txt", ""}}));
  }
  Result<std::vector<Subject>> load(const std::string& csv)
  {
    EXPECT_TRUE(write_file(m_folder->path() / "set.csv", csv));
    return load_set(m_folder->path(), catalog_here().schemes);
  }
  std::string error(const std::string& csv)
  {
    const auto loaded = load(csv);
    EXPECT_FALSE(loaded);
    return loaded ? "" : fs::path(loaded.error().line()).filename().string();
  }

  Result<TempDir> m_folder = TempDir::create();
};

TEST_F(SetTest, ProgramsGetNeutralNames)
{
  const auto subjects = load("buggy,fixed,label,lines,framework,input\n"
                             "so_1_buggy.py,so_1_fixed.py,api/deprecated-api,2 1,keras,[1]\n");
  ASSERT_TRUE(subjects) << subjects.error().line();
  ASSERT_EQ(subjects->size(), 1U);
  const Subject& subject = subjects->front();
  EXPECT_EQ(subject.id, "so_1_buggy");
  EXPECT_EQ(subject.entry, "train.py");
  EXPECT_EQ(subject.buggy, (FileTree{{"train.py", "a = 1\nb = 2\n"}}));
  EXPECT_EQ(subject.fixed, (FileTree{{"train.py", "a = 1\nb = 3\n"}}));
  EXPECT_EQ(subject.places.front().lines, (std::vector<int>{2, 1}));
  EXPECT_EQ(subject.types, std::vector<std::string>{"api/deprecated-api"});
  EXPECT_EQ(subject.framework, "keras");
  EXPECT_EQ(subject.columns.at("input"), "[1]");
  Tool tool;
  tool.frameworks = {"pytorch"};
  EXPECT_EQ(not_applicable(tool, subject), "not for keras");
  tool.frameworks = {"keras"};
  tool.command = {"{set.input}", "{set.output}"};
  EXPECT_EQ(not_applicable(tool, subject), "needs the column `output` of a set");
}

TEST_F(SetTest, SaysWhatIsWrong)
{
  EXPECT_EQ(error("buggy,fixed,label\n"), "set.csv has no column `lines`");
  EXPECT_EQ(error("buggy,fixed,label,lines\nno.py,so_1_fixed.py,,1\n"),
            "set.csv:2: cannot read `no.py`");
  EXPECT_EQ(error("buggy,fixed,label,lines\nso_1_buggy.py,so_1_fixed.py,,9\n"),
            "set.csv:2: line 9 is not in the buggy file, which has 2");
  EXPECT_EQ(error("buggy,fixed,label,lines\nso_1_buggy.py,so_1_fixed.py,,x\n"),
            "set.csv:2: `x` is not a list of line numbers");
  EXPECT_EQ(error("buggy,fixed,label,lines\nso_1_buggy.py,so_1_fixed.py,apis,1\n"),
            "set.csv:2: unknown type `apis`, did you mean `api`?");
  EXPECT_EQ(error("buggy,fixed,label,lines\nnotes.txt,so_1_fixed.py,,1\n"),
            "set.csv:2: `notes.txt` is not a Python, JavaScript or C++ file");
  EXPECT_EQ(error("buggy,fixed,label,lines\nso_1_buggy.py,so_1_buggy.py,,1\n"),
            "set.csv:2: `so_1_buggy.py` is both the buggy and the fixed program");
  EXPECT_EQ(error("buggy,fixed,label,lines\nso_1_buggy.py,so_1_copy.py,,1\n"),
            "set.csv:2: `so_1_buggy.py` and `so_1_copy.py` are the same program, so there is no "
            "fault");
  EXPECT_EQ(error("buggy,fixed,label,lines\nso_1_buggy.py,so_1_fixed.py,,1\n"
                  "so_1_buggy.py,so_1_fixed.py,,1\n"),
            "set.csv:3: `so_1_buggy.py` is there twice");
  EXPECT_EQ(error("buggy,fixed,label,lines,framework\nso_1_buggy.py,so_1_fixed.py,,1,pytroch\n"),
            "set.csv:2: unknown framework `pytroch`, did you mean `pytorch`?");
  EXPECT_EQ(error("buggy,fixed,label,lines\n"), "set.csv has only a header line");
}

TEST_F(SetTest, AnyFrameworkMayBeNamed)
{
  const auto subjects =
      load("buggy,fixed,label,lines,framework\nso_1_buggy.py,so_1_fixed.py,,1,JAX\n");
  ASSERT_TRUE(subjects) << subjects.error().line();
  EXPECT_EQ(subjects->front().framework, "jax");
}

TEST_F(SetTest, AFrameworkMayBeLeftOpen)
{
  const auto subjects =
      load("\xEF\xBB\xBF"
           "buggy,fixed,label,lines,framework\nso_1_buggy.py,so_1_fixed.py,,1,\n");
  ASSERT_TRUE(subjects) << subjects.error().line();
  EXPECT_EQ(subjects->front().framework, "");
  EXPECT_FALSE(subjects->front().groups.contains("framework"));
}

class SetFilterTest : public testing::Test {
protected:
  // What `filter` chooses from three programs, by their ids, or the error.
  static std::string chosen(const SetFilter& filter, const char* framework = "keras")
  {
    std::vector<Subject> set(3);
    set[0].id = "a_buggy";
    set[0].framework = framework;
    set[0].types = {"api/deprecated-api"};
    set[1].id = "b_buggy";
    set[1].types = {"training/optimiser/wrong-optimisation-function"};
    set[2].id = "c_buggy";
    const auto selected = select_from_set(set, filter, catalog_here().schemes);
    if (!selected) {
      return selected.error().line();
    }
    std::string ids;
    for (const Subject& subject : *selected) {
      ids += subject.id.front();
    }
    return ids;
  }
};

TEST_F(SetFilterTest, ChoosesByIdTypeAndFramework)
{
  EXPECT_EQ(chosen({}), "abc");
  EXPECT_EQ(chosen({{"c_buggy", "a_buggy"}, {}, {}}), "ac");
  EXPECT_EQ(chosen({{}, {"api", "training"}, {}}), "ab");
  EXPECT_EQ(chosen({{}, {}, {"keras"}}), "a");
}

TEST_F(SetFilterTest, SaysWhatTheSetDoesNotHave)
{
  EXPECT_EQ(chosen({{"a_bugy"}, {}, {}}),
            "the set has no program `a_bugy`, did you mean `a_buggy`?");
  EXPECT_EQ(chosen({{"quantum"}, {}, {}}),
            "the set has no program `quantum`; it is one of a_buggy, b_buggy, c_buggy");
  EXPECT_EQ(chosen({{}, {"modle"}, {}}), "unknown type `modle`, did you mean `model`?");
  EXPECT_EQ(chosen({{}, {"gpu-usage"}, {}}), "no program of the set is like that");
  EXPECT_EQ(chosen({{}, {}, {"karas"}}),
            "the set has no program of framework `karas`, did you mean `keras`?");
  EXPECT_EQ(chosen({{}, {}, {"keras"}}, ""),
            "--framework cannot choose from this set: its column `framework` is empty or missing");
}

} // namespace faultline::evaluate
