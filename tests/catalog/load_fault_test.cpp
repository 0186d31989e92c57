#include "catalog/fault.hpp"
#include "catalog/fault_fixture.hpp"
#include "catalog/fault_json.hpp"
#include "catalog/token_index.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace faultline::catalog {

namespace fs = std::filesystem;

namespace {

class LoadFault : public ProjectTest {
protected:
  // The fault of these files is refused with `message`, in which names are relative to its folder.
  void check_error(const FileTree& files, const std::string& message) const
  {
    check_error(write_fault(files), message);
  }

  static void check_error(const fs::path& folder, const std::string& message)
  {
    const Result<Fault> fault = load_fault(folder, project_schemes());
    ASSERT_FALSE(fault) << "expected: " << message;
    EXPECT_EQ(fault.error().kind, ErrorKind::bad_data);
    EXPECT_EQ(replace_all(fault.error().line(), folder.string() + "/", ""), message);
  }

  // The minimal fault with one thing of its fault.toml changed.
  void check_change(std::string_view from, std::string_view to, const std::string& message) const
  {
    FileTree files = minimal_fault();
    change(files, "fault.toml", from, to);
    check_error(files, message);
  }

  void check_two_part_change(std::string_view from,
                             std::string_view to,
                             const std::string& message) const
  {
    FileTree files = two_part_fault();
    change(files, "fault.toml", from, to);
    check_error(files, message);
  }

  // The minimal fault with another accepted answer, which begins in line 48.
  void check_accepted(const std::string& fields, const std::string& message) const
  {
    FileTree files = minimal_fault();
    files["fault.toml"] += "\n[[accepted]]\n" + fields;
    check_error(files, message);
  }
};

} // namespace

TEST_F(LoadFault, ReadsEveryFieldOfAMinimalFault)
{
  const Fault fault = loaded(minimal_fault());
  EXPECT_EQ(fault.id, "pytorch-flat-loss");
  EXPECT_EQ(fault.title, "Loss stays flat");
  EXPECT_EQ(fault.framework, "pytorch");
  EXPECT_EQ(fault.language(), "python");
  EXPECT_EQ(fault.split, "dev");
  EXPECT_TRUE(fault.silent);
  EXPECT_EQ(fault.summary, "Gradients pile up.");
  EXPECT_EQ(fault.general, "Easy to forget.");
  EXPECT_EQ(fault.origin.kind, "stack_overflow");
  EXPECT_EQ(fault.origin.url, "https://stackoverflow.com/questions/1");
  EXPECT_EQ(fault.origin.dataset, "islam2020");
  EXPECT_EQ(fault.origin.record, "so-001");
  EXPECT_THAT(fault.run.command, testing::ElementsAre("python3", "train.py"));
  EXPECT_THAT(fault.run.test, testing::ElementsAre("python3", "../test.py"));
  EXPECT_EQ(fault.run.timeout_seconds, 20);
  EXPECT_EQ(fault.run.memory_mib, 512);
  EXPECT_FALSE(fault.run.compile);
  EXPECT_EQ(fault.oracle.evidence, "FAIL: loss");
  EXPECT_FALSE(fault.oracle.statistical);
  EXPECT_THAT(fault.environments, testing::ElementsAre("torch1"));
  EXPECT_THAT(fault.absent_in, testing::IsEmpty());
  EXPECT_THAT(fault.data, testing::IsEmpty());
  EXPECT_EQ(fault.realism.api, "same");
  EXPECT_EQ(fault.realism.data, "stand-in");
  EXPECT_EQ(fault.realism.fix, "accepted");
  EXPECT_EQ(fault.realism.note, "As reported.");
  EXPECT_FALSE(fault.withdrawn);
  EXPECT_EQ(fault.program, (FileTree{{"train.py", minimal_fault()["program/train.py"]}}));
  EXPECT_EQ(fault.test_file, "test.py");
  EXPECT_EQ(fault.test_text, "import oracle\n");
}

TEST_F(LoadFault, TheOnlyPartHasNoNameAndTheTitleOfTheFault)
{
  const Fault fault = loaded(minimal_fault());
  ASSERT_EQ(fault.parts.size(), 1);
  const Part& part = fault.parts.front();
  EXPECT_EQ(part.name, "");
  EXPECT_EQ(part.title, "Loss stays flat");
  EXPECT_EQ(part.patch_file, "fix.patch");
  EXPECT_EQ(part.labels.get("type"), "api/missing-api-call");
  EXPECT_EQ(part.labels.get("level"), "ml-component");
  EXPECT_THAT(part.labels.published, testing::ElementsAre("fix_pattern"));
  EXPECT_EQ(part.location.file, "train.py");
  EXPECT_THAT(part.location.lines, testing::ElementsAre(4));
}

TEST_F(LoadFault, ReadsPartsAndOtherRightAnswers)
{
  FileTree files = two_part_fault();
  files["fault.toml"] += "\n[[accepted]]\npart = \"print\"\nfile = \"train.py\"\nlines = [4, 7]\n"
                         "fix_pattern = \"monitor\"\nwhy = \"Where the loss comes from.\"\n";
  const Fault fault = loaded(files);
  ASSERT_EQ(fault.parts.size(), 2);
  EXPECT_EQ(fault.parts[0].name, "gradients");
  EXPECT_EQ(fault.parts[1].title, "Part print");
  EXPECT_EQ(fault.parts[1].patch_file, "print.patch");
  ASSERT_EQ(fault.accepted.size(), 2);
  EXPECT_EQ(fault.accepted[0].part, "gradients");
  EXPECT_TRUE(fault.accepted[0].patch);
  EXPECT_FALSE(fault.accepted[0].location);
  EXPECT_EQ(fault.accepted[0].why, "Clearing after the step is as good.");
  EXPECT_FALSE(fault.accepted[1].patch);
  ASSERT_TRUE(fault.accepted[1].location);
  EXPECT_THAT(fault.accepted[1].location->lines, testing::ElementsAre(4, 7));
  EXPECT_EQ(fault.accepted[1].fix_pattern, "monitor");
}

TEST_F(LoadFault, ReadsAStatisticalOracle)
{
  FileTree files = minimal_fault();
  change(
      files,
      "fault.toml",
      "evidence = \"FAIL: loss\"\n",
      "evidence = \"FAIL: loss\"\nmetric = \"accuracy\"\ndirection = \"lower\"\nthreshold = 0.5\n"
      "seeds = 10\ntest = \"welch\"\nalpha = 0.01\neffect = 2\n");
  const Fault fault = loaded(files);
  ASSERT_TRUE(fault.oracle.statistical);
  EXPECT_EQ(fault.oracle.statistical->metric, "accuracy");
  EXPECT_FALSE(fault.oracle.statistical->higher_is_better);
  EXPECT_EQ(fault.oracle.statistical->threshold, 0.5);
  EXPECT_EQ(fault.oracle.statistical->seeds, 10);
  EXPECT_EQ(fault.oracle.statistical->test, "welch");
  EXPECT_EQ(fault.oracle.statistical->alpha, 0.01);
  EXPECT_EQ(fault.oracle.statistical->effect, 2);
}

TEST_F(LoadFault, ALineOfTenMegabytesIsALineLikeOthers)
{
  const std::string line(10 << 20, 'a');
  FileTree files = minimal_fault();
  change(files, "fault.toml", "\"Easy to forget.\"", "\"" + line + "\"");
  files["program/data.py"] = "# " + line + "\n";
  files["test.py"] += "# " + line + "\n";
  const Fault fault = loaded(files);
  EXPECT_EQ(fault.general, line);
  EXPECT_FALSE(tokens_of(fault.general).empty());
  EXPECT_GT(full_json(fault, 0).dump().size(), line.size());
}

TEST_F(LoadFault, AnEvidenceThatBacktracksWithoutEndIsStillAPattern)
{
  FileTree files = minimal_fault();
  const std::string line(10 << 20, 'a');
  const size_t start = files["fault.toml"].find("evidence");
  const size_t end = files["fault.toml"].find('\n', start);
  files["fault.toml"].replace(
      start, end - start, "evidence = '(" + line.substr(0, 20000) + "+)+b'");
  EXPECT_EQ(loaded(files).oracle.evidence.size(), 20005U);
}

TEST_F(LoadFault, AWithdrawnFaultKeepsItsFolderAndSaysWhy)
{
  FileTree files = minimal_fault();
  files["fault.toml"] +=
      "\n[withdrawn]\nversion = \"1.2\"\ndate = \"2026-03-01\"\nreason = \"Same as another.\"\n";
  const Fault fault = loaded(files);
  ASSERT_TRUE(fault.withdrawn);
  EXPECT_EQ(fault.withdrawn->version, "1.2");
  EXPECT_EQ(fault.withdrawn->date, "2026-03-01");
  EXPECT_EQ(fault.withdrawn->reason, "Same as another.");
}

TEST_F(LoadFault, WhatIsLeftOutHasADefault)
{
  FileTree files = minimal_fault();
  change(files, "fault.toml", "silent    = true\n", "");
  change(files, "fault.toml", "timeout_seconds = 20\nmemory_mib      = 512\n", "");
  change(files, "fault.toml", "dataset = \"islam2020\"\nrecord  = \"so-001\"\n", "");
  change(files, "fault.toml", "data     = []\n", "");
  change(files, "fault.toml", "note = \"As reported.\"\n", "");
  change(files, "fault.toml", "published   = [\"fix_pattern\"]\n", "");
  const Fault fault = loaded(files);
  EXPECT_FALSE(fault.silent);
  EXPECT_EQ(fault.run.timeout_seconds, 30);
  EXPECT_EQ(fault.run.memory_mib, 1024);
  EXPECT_EQ(fault.origin.dataset, "");
  EXPECT_EQ(fault.realism.note, "");
  EXPECT_THAT(fault.parts.front().labels.published, testing::IsEmpty());
}

TEST_F(LoadFault, ALinkToAFaultsFolderIsRefused)
{
  write_fault(minimal_fault());
  const fs::path link = root() / "faults/pytorch/linked";
  fs::create_directory_symlink(root() / "faults/pytorch/flat-loss", link);
  check_error(link, link.string() + ":1: the fault's folder is a symbolic link");
}

TEST_F(LoadFault, AMissingDescriptionIsNamed)
{
  FileTree files = minimal_fault();
  files.erase("fault.toml");
  const fs::path folder = write_fault(files);
  check_error(folder, folder.string() + ":1: missing file fault.toml");
}

TEST_F(LoadFault, AMissingProgramIsNamed)
{
  FileTree files = minimal_fault();
  files.erase("program/train.py");
  check_error(files, "fault.toml:1: program is not a directory");
}

TEST_F(LoadFault, AProgramHasFiles)
{
  FileTree files = minimal_fault();
  files.erase("program/train.py");
  files["program/.hidden"] = "x";
  check_error(files, "fault.toml:1: program/ is empty");
}

TEST_F(LoadFault, ALinkInTheProgramIsRefused)
{
  const fs::path folder = write_fault(minimal_fault());
  fs::create_symlink("/etc/passwd", folder / "program/data.py");
  check_error(folder, "fault.toml:1: program/data.py is a symbolic link");
}

TEST_F(LoadFault, AMissingPatchIsNamed)
{
  FileTree files = minimal_fault();
  files.erase("fix.patch");
  check_error(files, "fault.toml:1: missing file fix.patch");
}

TEST_F(LoadFault, AMissingTestIsNamed)
{
  FileTree files = minimal_fault();
  files.erase("test.py");
  check_error(files, "fault.toml:1: missing file test.py");
}

TEST_F(LoadFault, TheTestLiesBesideTheProgram)
{
  check_change(
      "\"../test.py\"", "\"test.py\"", "fault.toml:1: `test` must run ../test.py or ../test.js");
  check_change("\"../test.py\"",
               "\"../../test.py\"",
               "fault.toml:1: `test` must run ../test.py or ../test.js");
}

TEST_F(LoadFault, APatchThatDoesNotApplyIsNamedWithItsLine)
{
  FileTree files = minimal_fault();
  change(files, "fix.patch", "     loss.backward()", "     loss.sum().backward()");
  check_error(files,
              "fix.patch:7: hunk does not apply: train.py:5 is \"    loss.backward()\", the patch "
              "expects \"    loss.sum().backward()\"");
}

TEST_F(LoadFault, APatchOfAnotherFileIsNamedWithItsLine)
{
  FileTree files = minimal_fault();
  files["fix.patch"] = replace_all(files["fix.patch"], "train.py", "trian.py");
  check_error(files, "fix.patch:1: trian.py does not exist, did you mean `train.py`?");
}

TEST_F(LoadFault, AMalformedPatchIsNamedWithItsLine)
{
  FileTree files = minimal_fault();
  change(files, "fix.patch", "@@ -3,3 +3,4 @@", "@@ three lines @@");
  check_error(files, "fix.patch:3: a hunk header must look like `@@ -3,7 +3,8 @@`");
}

TEST_F(LoadFault, BrokenTomlIsNamedWithItsLine)
{
  check_change(
      "split     = \"dev\"",
      "split     = \"dev",
      "fault.toml:4: broken TOML: Error while parsing string: unescaped control characters other "
      "than TAB (U+0009) are explicitly prohibited");
}

TEST_F(LoadFault, UnknownKeysAreRefusedWithTheNearest)
{
  check_change("split     =",
               "spilt = \"dev\"\nsplit     =",
               "fault.toml:4: unknown key `spilt`, did you mean `split`?");
  check_change("memory_mib      = 512",
               "memory_mb = 512",
               "fault.toml:33: unknown key `memory_mb`, did you mean `memory_mib`?");
  check_change("[realism]", "[notes]\nx = 1\n[realism]", "fault.toml:42: unknown key `notes`");
}

TEST_F(LoadFault, MissingKeysAreNamed)
{
  check_change("title     = \"Loss stays flat\"\n", "", "fault.toml:1: missing key `title`");
  check_change("kind    = \"stack_overflow\"\n", "", "fault.toml:9: missing key `kind`");
  check_change("symptom     = \"bad-performance\"\n", "", "fault.toml:15: missing key `symptom`");
  check_change("evidence = \"FAIL: loss\"\n", "", "fault.toml:35: missing key `evidence`");
  check_change("file  = \"train.py\"\n", "", "fault.toml:25: missing key `file`");
  check_change("[location]\nfile  = \"train.py\"\nlines = [4]\n",
               "",
               "fault.toml:1: missing table `[location]`");
}

TEST_F(LoadFault, AnEnvironmentIsNotBothWithAndWithoutTheFault)
{
  check_change("in = [\"torch1\"]\n",
               "in = [\"torch1\"]\nnot_in = [\"torch1\"]\n",
               "fault.toml:40: `torch1` is in `in` as well");
}

TEST_F(LoadFault, TheUsualEnvironmentNeedNotBeNamed)
{
  FileTree files = minimal_fault();
  change(files, "fault.toml", "in = [\"torch1\"]\n", "");
  const Result<Fault> fault = load_fault(write_fault(files), project_schemes());
  ASSERT_TRUE(fault) << fault.error().line();
  EXPECT_THAT(fault->environments, testing::ElementsAre("torch1"));
}

TEST_F(LoadFault, ValuesOfTheWrongTypeAreRefused)
{
  check_change("\"Loss stays flat\"", "7", "fault.toml:2: `title` must be a string");
  check_change("= true", "= \"yes\"", "fault.toml:5: `silent` must be true or false");
  check_change("[4]", "4", "fault.toml:27: `lines` must be a list of integers");
  check_change("[4]", "[\"4\"]", "fault.toml:27: `lines` must be a list of integers");
  check_change("[\"python3\", \"train.py\"]",
               "\"python3 train.py\"",
               "fault.toml:30: `command` must be a list of strings");
  check_change("= 20", "= \"20\"", "fault.toml:32: `timeout_seconds` must be a number");
  check_change("= 512", "= 512.0", "fault.toml:33: `memory_mib` must be an integer");
  check_change("in = [\"torch1\"]", "in = 1", "fault.toml:39: `in` must be a list of strings");
}

TEST_F(LoadFault, EmptyTextsAreRefused)
{
  check_change("\"Gradients pile up.\"", "\" \"", "fault.toml:6: `summary` is empty");
  check_change("\"FAIL: loss\"", "\"\"", "fault.toml:36: `evidence` is empty");
}

TEST_F(LoadFault, AnUnknownLabelIsRefusedWithTheNearest)
{
  check_change(
      "\"api/missing-api-call\"",
      "\"api/missing-api-cal\"",
      "fault.toml:16: unknown type `api/missing-api-cal`, did you mean `api/missing-api-call`?");
  check_change("\"bad-performance\"",
               "\"bad-performence\"",
               "fault.toml:19: unknown symptom `bad-performence`, did you mean `bad-performance`?");
  check_change("\"ml-component\"",
               "\"somewhere-else-entirely\"",
               "fault.toml:22: unknown level `somewhere-else-entirely`");
}

TEST_F(LoadFault, AnInnerNodeIsNoLabel)
{
  check_change("\"api/missing-api-call\"",
               "\"api\"",
               "fault.toml:16: type `api` is not a leaf of its scheme");
}

TEST_F(LoadFault, OnlySchemesCanBePublished)
{
  check_change("[\"fix_pattern\"]",
               "[\"fix_patern\"]",
               "fault.toml:23: unknown label scheme `fix_patern` in `published`");
}

TEST_F(LoadFault, AChoiceIsRefusedWithTheNearestAndTheOthers)
{
  check_change("framework = \"pytorch\"",
               "framework = \"pytroch\"",
               "fault.toml:3: unknown framework `pytroch`, did you mean `pytorch`?; it is one of "
               "pytorch, keras, tensorflow, tfjs, libtorch");
  check_change(
      "\"dev\"", "\"training\"", "fault.toml:4: unknown split `training`; it is one of dev, test");
  check_change(
      "\"stack_overflow\"",
      "\"stackoverflow\"",
      "fault.toml:10: unknown kind `stackoverflow`, did you mean `stack_overflow`?; it is one of "
      "stack_overflow, github, study, injected");
  check_change("api  = \"same\"",
               "api  = \"other\"",
               "fault.toml:43: unknown api `other`; it is one of same, ported");
  check_change("data = \"stand-in\"",
               "data = \"standin\"",
               "fault.toml:44: unknown data `standin`, did you mean `stand-in`?; it is one of "
               "same, stand-in");
  check_change("fix  = \"accepted\"",
               "fix  = \"none\"",
               "fault.toml:45: unknown fix `none`; it is one of accepted, equivalent");
}

TEST_F(LoadFault, AnOriginHasAnAddress)
{
  check_change("\"https://stackoverflow.com/questions/1\"",
               "\"stackoverflow.com/questions/1\"",
               "fault.toml:11: `url` must start with https://");
}

TEST_F(LoadFault, ALocationIsAPlaceInTheProgram)
{
  check_change("file  = \"train.py\"",
               "file  = \"model.py\"",
               "fault.toml:26: `model.py` is not a file of program/");
  check_change("file  = \"train.py\"",
               "file  = \"../test.py\"",
               "fault.toml:26: `../test.py` is not a file of program/");
  check_change("[4]", "[8]", "fault.toml:27: line 8 is not in train.py, which has 7");
  check_change("[4]", "[0]", "fault.toml:27: line 0 is not in train.py, which has 7");
  check_change("[4]", "[4, -1]", "fault.toml:27: line -1 is not in train.py, which has 7");
  check_change("[4]", "[]", "fault.toml:27: `lines` must name at least one line");
}

TEST_F(LoadFault, ACommandHasWords)
{
  check_change("[\"python3\", \"train.py\"]",
               "[]",
               "fault.toml:29: `command` and `test` must each name at least one word");
  check_change("test    = [\"python3\", \"../test.py\"]\n",
               "",
               "fault.toml:29: `command` and `test` must each name at least one word");
}

TEST_F(LoadFault, LimitsAreSane)
{
  for (const char* seconds : {"= 0", "= -1", "= 3601", "= nan", "= inf"}) {
    check_change("= 20", seconds, "fault.toml:32: `timeout_seconds` must lie between 0 and 3600");
  }
  for (const char* memory : {"= 15", "= -512", "= 2000000"}) {
    check_change("= 512", memory, "fault.toml:33: `memory_mib` must lie between 16 and 1048576");
  }
}

TEST_F(LoadFault, TheEvidenceIsARegularExpression)
{
  check_change(
      "\"FAIL: loss\"",
      "\"FAIL: (loss\"",
      "fault.toml:36: `evidence` is not a regular expression: missing closing parenthesis at "
      "character 12");
}

TEST_F(LoadFault, AStatisticalOracleIsComplete)
{
  const auto check_oracle =
      [this](std::string_view from, std::string_view to, const std::string& message) {
        FileTree files = minimal_fault();
        change(files,
               "fault.toml",
               "evidence = \"FAIL: loss\"\n",
               "evidence = \"FAIL: loss\"\nmetric = \"accuracy\"\ndirection = "
               "\"higher\"\nthreshold = 0.5\n"
               "seeds = 10\ntest = \"mann-whitney\"\nalpha = 0.01\neffect = 0.9\n");
        change(files, "fault.toml", from, to);
        check_error(files, message);
      };
  check_oracle("direction = \"higher\"\n", "", "fault.toml:35: missing key `direction`");
  check_oracle(
      "\"higher\"", "\"up\"", "fault.toml:38: unknown direction `up`; it is one of higher, lower");
  check_oracle(
      "\"mann-whitney\"",
      "\"mannwhitney\"",
      "fault.toml:41: unknown test `mannwhitney`, did you mean `mann-whitney`?; it is one of "
      "mann-whitney, welch");
  check_oracle("seeds = 10", "seeds = 1", "fault.toml:40: `seeds` must lie between 2 and 1000");
  check_oracle("seeds = 10", "seeds = 1001", "fault.toml:40: `seeds` must lie between 2 and 1000");
  check_oracle("alpha = 0.01", "alpha = 1.0", "fault.toml:42: `alpha` must lie between 0 and 1");
  check_oracle("alpha = 0.01", "alpha = 0", "fault.toml:42: `alpha` must lie between 0 and 1");
  check_oracle("effect = 0.9\n", "", "fault.toml:35: missing key `effect`");
  check_oracle("metric = \"accuracy\"\n", "", "fault.toml:41: unknown key `alpha`");
}

TEST_F(LoadFault, CompiledFilesHavePlainNames)
{
  const auto check_compile = [this](const std::string& compile, const std::string& message) {
    FileTree files = minimal_fault();
    change(files,
           "fault.toml",
           "memory_mib      = 512\n",
           "memory_mib      = 512\ncompile = " + compile + "\n");
    check_error(files, message);
  };
  check_compile("{ sources = [\"-o.cpp\"], output = \"train\" }",
                "fault.toml:34: `-o.cpp` is not a plain file name");
  check_compile("{ sources = [\"a.cpp\"], output = \"../train\" }",
                "fault.toml:34: `../train` is not a plain file name");
  check_compile("{ sources = [\"a b.cpp\"], output = \"train\" }",
                "fault.toml:34: `a b.cpp` is not a plain file name");
  check_compile("{ sources = [\"$(x).cpp\"], output = \"train\" }",
                "fault.toml:34: `$(x).cpp` is not a plain file name");
  check_compile("{ sources = [\"/a.cpp\"], output = \"train\" }",
                "fault.toml:34: `/a.cpp` is not a plain file name");
  check_compile("{ sources = [], output = \"train\" }",
                "fault.toml:34: `sources` must name at least one file");
  check_compile("{ sources = [\"a.cpp\"] }", "fault.toml:34: missing key `output`");
}

TEST_F(LoadFault, CppFaultsSayHowTheyAreCompiled)
{
  check_change("framework = \"pytorch\"",
               "framework = \"libtorch\"",
               "fault.toml:29: a libtorch fault needs `compile` in [run]");
}

TEST_F(LoadFault, DataSetsAreKnown)
{
  check_change("data     = []",
               "data     = [\"imagenet\"]",
               "fault.toml:40: unknown data set `imagenet`; it is one of mnist, spam");
}

TEST_F(LoadFault, APartIsNoneOnItsOwn)
{
  FileTree files = two_part_fault();
  std::string& text = files["fault.toml"];
  const size_t second = text.rfind("[[part]]");
  text.erase(second, text.find("[run]") - second);
  check_error(files, "fault.toml:15: a fault with `[[part]]` needs at least two of them");
}

TEST_F(LoadFault, PartsHaveDifferentNames)
{
  check_two_part_change(
      "name  = \"print\"", "name  = \"gradients\"", "fault.toml:34: duplicate part `gradients`");
}

TEST_F(LoadFault, LabelsBelongToTheParts)
{
  check_two_part_change(
      "[run]", "[labels]\ntype = \"x\"\n[run]", "fault.toml:51: unknown key `labels`");
}

TEST_F(LoadFault, APatchOfAPartStaysInTheFolder)
{
  check_two_part_change("\"print.patch\"",
                        "\"../print.patch\"",
                        "fault.toml:36: `../print.patch` leaves the fault's folder");
  check_two_part_change("\"print.patch\"",
                        "\"/print.patch\"",
                        "fault.toml:36: `/print.patch` leaves the fault's folder");
  check_two_part_change(
      "\"print.patch\"", "\"other.patch\"", "fault.toml:36: missing file other.patch");
}

TEST_F(LoadFault, AnAcceptedAnswerAnswersAPart)
{
  check_two_part_change(
      "part  = \"gradients\"\n", "", "fault.toml:70: `part` must say which part this answers");
  check_two_part_change(
      "part  = \"gradients\"", "part  = \"loss\"", "fault.toml:71: there is no part `loss`");
}

TEST_F(LoadFault, AnAcceptedAnswerIsAFixOrAPlace)
{
  check_accepted(
      "why = \"So.\"\n",
      "fault.toml:48: an accepted answer needs `patch`, or `file` and `lines`, or `type`");
  check_accepted("file = \"train.py\"\nwhy = \"So.\"\n",
                 "fault.toml:48: `lines` must name at least one line");
  check_accepted("file = \"train.py\"\nlines = [9]\nwhy = \"So.\"\n",
                 "fault.toml:50: line 9 is not in train.py, which has 7");
  check_accepted("patch = \"accepted/a.patch\"\nwhy = \"So.\"\n",
                 "fault.toml:49: missing file accepted/a.patch");
  check_accepted("file = \"train.py\"\nlines = [5]\n", "fault.toml:48: missing key `why`");
  check_accepted("file = \"train.py\"\nlines = [5]\nfix_pattern = \"optimiser\"\nwhy = \"So.\"\n",
                 "fault.toml:51: unknown fix_pattern `optimiser`, did you mean `optimizer`?");
}

TEST_F(LoadFault, AnAcceptedPatchAppliesToTheBuggyProgram)
{
  FileTree files = two_part_fault();
  change(files, "accepted/clear-after.patch", "     loss.backward()", "     loss.sum().backward()");
  check_error(files,
              "accepted/clear-after.patch:4: hunk does not apply: train.py:5 is \"    "
              "loss.backward()\", the "
              "patch expects \"    loss.sum().backward()\"");
}

TEST_F(LoadFault, AWithdrawnFaultNeedsItsReason)
{
  FileTree files = minimal_fault();
  files["fault.toml"] += "\n[withdrawn]\nversion = \"1.2\"\ndate = \"2026-03-01\"\n";
  check_error(files, "fault.toml:48: missing key `reason`");
}

TEST_F(LoadFault, AFixFixesSomething)
{
  FileTree files = minimal_fault();
  files["fix.patch"] = "";
  EXPECT_FALSE(load_fault(write_fault(files), project_schemes()));
}

TEST_F(LoadFault, ALinkedTestIsRefused)
{
  const fs::path folder = write_fault(minimal_fault());
  fs::remove(folder / "test.py");
  fs::create_symlink("/etc/passwd", folder / "test.py");
  EXPECT_FALSE(load_fault(folder, project_schemes()));
}

} // namespace faultline::catalog
