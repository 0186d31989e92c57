#include "base/format.hpp"
#include "base/text.hpp"
#include "campaign/spec.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace faultline::campaign {

namespace fs = std::filesystem;

static const fs::path k_tiny = fs::path(FL_TEST_DATA) / "campaign/tiny";

// What load_spec says of the tiny campaign with `from` replaced by `to`; "" if it is fine.
static std::string problem_with(const std::string& from, const std::string& to)
{
  const Result<std::string> text = read_file(k_tiny / "campaign.toml");
  EXPECT_NE(text->find(from), std::string::npos) << from;
  const Result<Spec> spec =
      parse_spec(replace_all(*text, from, to), k_tiny / "campaign.toml", SpecChecks::all);
  return spec ? "" : replace_all(spec.error().line(), k_tiny.string() + "/", "");
}

TEST(CampaignSpec, ReadsEveryField)
{
  const Result<Spec> spec = load_spec(k_tiny / "campaign.toml");
  ASSERT_TRUE(spec) << spec.error().line();
  EXPECT_EQ(spec->name, "Tiny");
  EXPECT_TRUE(fs::equivalent(spec->folder, k_tiny));
  EXPECT_EQ(spec->command.size(), 4U);
  EXPECT_EQ(spec->checkpoint, "train.py:epoch");
  ASSERT_EQ(spec->metrics.size(), 2U);
  EXPECT_EQ(spec->metrics[0].most, 1.0);
  EXPECT_TRUE(spec->metrics[0].higher_is_better);
  EXPECT_EQ(spec->metrics[1].key, "test.loss");
  EXPECT_FALSE(spec->metrics[1].higher_is_better);
  EXPECT_EQ(spec->phases[1].regions[0].function, "epoch");
  EXPECT_EQ(spec->operators.size(), 1U);
  EXPECT_EQ(spec->clean_repeats, 2);
  EXPECT_EQ(spec->repeats, 1);
  EXPECT_TRUE(spec->sampling.covered);
}

TEST(CampaignSpec, ChoosesOperatorsByLevelAndPrefix)
{
  EXPECT_EQ(problem_with("[\"MU001\"]", "[\"source\"]"), "");
  EXPECT_EQ(problem_with("[\"MU001\"]", "[\"MU00\", \"MU001\"]"), "");
}

TEST(CampaignSpec, SaysWhatIsWrongWithFileAndLine)
{
  EXPECT_EQ(problem_with("checkpoint", "checkpiont"),
            "campaign.toml:4: unknown key `checkpiont`, did you mean `checkpoint`?");
  EXPECT_EQ(problem_with("\"Tiny\"", "7"), "campaign.toml:1: `name` must be a string");
  EXPECT_EQ(problem_with("\".\"", "\"nowhere\""), "campaign.toml:2: there is no folder nowhere");
  EXPECT_EQ(problem_with("[\"MU001\"]", "[\"replace-arithmetic-operater\"]"),
            "campaign.toml:5: unknown operator `replace-arithmetic-operater`, did you mean "
            "`replace-arithmetic-operator`?");
  EXPECT_EQ(problem_with("[\"MU001\"]", "[]"),
            "campaign.toml:5: `operators` is missing or empty, e.g. operators = [\"source\"]");
  EXPECT_EQ(
      problem_with("operators  =", "data = [\"spma\"]\noperators ="),
      "campaign.toml:5: unknown data set `spma`, did you mean `spam`?; known are mnist, spam");
  EXPECT_EQ(problem_with("[\"python3\", \"train.py\", \"--seed\", \"{seed}\"]", "[]"),
            "campaign.toml:3: `command` is missing or empty, e.g. command = [\"python3\", "
            "\"train.py\"]");
  EXPECT_EQ(problem_with("[\"python3\", \"train.py\", \"--seed\", \"{seed}\"]", "[\"make\"]"),
            "campaign.toml:3: `command` must run a Python script: [\"python3\", \"SCRIPT\", …]");
  EXPECT_EQ(problem_with("\"python3\", \"train.py\"", "\"python3\", \"trian.py\""),
            "campaign.toml:3: the program has no file `trian.py`, did you mean `train.py`?");
  EXPECT_EQ(problem_with("train.py:epoch\"\noper", "train.py:epcoh\"\noper"),
            "campaign.toml:4: train.py has no function `epcoh`, did you mean `epoch`?");
  EXPECT_EQ(problem_with("train.py:load", "lod.py"),
            "campaign.toml:20: the program has no file `lod.py`");
  EXPECT_EQ(problem_with("train.py:load", "train.py:900-901"),
            "campaign.toml:20: train.py has 35 lines, none numbered 900");
  EXPECT_EQ(problem_with("train.py:load", "train.py:9-4"),
            "campaign.toml:20: `train.py:9-4` is no range of lines: file:from-to");
  EXPECT_EQ(
      problem_with("([-+.\\w]+)", "("),
      "campaign.toml:9: not a regular expression: missing closing parenthesis at character 9");
  EXPECT_EQ(problem_with("([-+.\\w]+)", "x"),
            "campaign.toml:9: `fitted x` has no group: put the number in parentheses");
  EXPECT_EQ(problem_with("[0, 1]", "[1, 0.5]"),
            "campaign.toml:10: `range` is upside down: 1 is not below 0.5");
  EXPECT_EQ(problem_with("[0, 1]", "[1]"),
            "campaign.toml:10: `range` must be two numbers: [least, most]");
  EXPECT_EQ(problem_with("\"lower\"", "\"less\""),
            "campaign.toml:16: `better` is `higher` or `lower`, not `less`");
  EXPECT_EQ(problem_with("[\"train.py\"]", "[\"nn/*.py\"]"),
            "campaign.toml:27: `nn/*.py` matches no Python file of the program");
  EXPECT_EQ(problem_with("clean_repeats = 2", "clean_repeats = 0"),
            "campaign.toml:30: `clean_repeats` must lie between 1 and 2147483647");
  EXPECT_EQ(problem_with("clean_repeats = 2", "time_limit_factor = 1"),
            "campaign.toml:30: `time_limit_factor` must be more than 1");
  EXPECT_EQ(problem_with("[run]", "[sampling]\nconfidence = 0.95\n[run]"),
            "campaign.toml:29: `confidence` and `interval` belong together: give both or none");
  EXPECT_EQ(problem_with("[run]", "[run"),
            "campaign.toml:29: broken TOML: Error while parsing table header: expected "
            "']', saw '\\n'");
}

TEST(CampaignSpec, ReadsHowToUseSlurm)
{
  const Result<std::string> text = read_file(k_tiny / "campaign.toml");
  const auto slurm_of = [&](const std::string& table) {
    const Result<Spec> spec =
        parse_spec(*text + "\n" + table, k_tiny / "campaign.toml", SpecChecks::all);
    EXPECT_TRUE(spec) << spec.error().line();
    return spec->slurm;
  };
  const SlurmSettings usual = slurm_of("");
  EXPECT_EQ(usual.partition, "");
  EXPECT_EQ(usual.cpus_per_task, 1U);
  EXPECT_EQ(usual.time_limit_minutes, 0U);
  EXPECT_EQ(usual.array_size, 200U);
  EXPECT_EQ(usual.at_once, 0U);
  EXPECT_TRUE(usual.options.empty());
  const SlurmSettings own = slurm_of("[slurm]\npartition = \"short\"\ncpus_per_task = 2\n"
                                     "time_limit_minutes = 30\narray_size = 500\nat_once = 40\n"
                                     "options = [\"--mem=4G\", \"--nice\"]\n");
  EXPECT_EQ(own.partition, "short");
  EXPECT_EQ(own.cpus_per_task, 2U);
  EXPECT_EQ(own.time_limit_minutes, 30U);
  EXPECT_EQ(own.array_size, 500U);
  EXPECT_EQ(own.at_once, 40U);
  EXPECT_EQ(own.options, (std::vector<std::string>{"--mem=4G", "--nice"}));
}

TEST(CampaignSpec, RefusesWhatSlurmCannotDo)
{
  const auto problem = [](const std::string& line) {
    const std::string said = problem_with("[run]", "[slurm]\n" + line + "\n\n[run]");
    return said.substr(std::min(said.size(), said.find(": ") + 2));
  };
  EXPECT_EQ(problem("cpus_per_task = 0"), "`cpus_per_task` must lie between 1 and 2147483647");
  EXPECT_EQ(problem("array_size = 0"), "`array_size` must lie between 1 and 2147483647");
  EXPECT_EQ(problem("time_limit_minutes = -5"),
            "`time_limit_minutes` must lie between 1 and 2147483647");
  EXPECT_EQ(problem("partion = \"short\""), "unknown key `partion`, did you mean `partition`?");
  EXPECT_EQ(problem("options = [\"--mem\", \"4G\"]"),
            "`4G` is no option of sbatch: write each as one word, e.g. \"--mem=4G\"");
}

TEST(CampaignSpec, AMissingFileIsARequestThatIsWrong)
{
  const Result<Spec> spec = load_spec("/nowhere/campaign.toml");
  ASSERT_FALSE(spec);
  EXPECT_EQ(spec.error().kind, ErrorKind::not_found);
  EXPECT_EQ(spec.error().line(), "there is no campaign file /nowhere/campaign.toml");
}

TEST(CampaignSpec, AStoredCampaignNeedsNoProgram)
{
  const Result<std::string> text = read_file(k_tiny / "campaign.toml");
  EXPECT_TRUE(parse_spec(*text, "/gone/campaign.toml", SpecChecks::text_only));
}

} // namespace faultline::campaign
