#include "base/text.hpp"
#include "report/campaign_report.hpp"
#include "study/campaign_fixture.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <regex>
#include <set>

namespace faultline::report {

using testing::Each;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

static size_t count_in(std::string_view text, std::string_view what)
{
  size_t count = 0;
  for (size_t at = text.find(what); at != std::string_view::npos; at = text.find(what, at + 1)) {
    ++count;
  }
  return count;
}

// Stands for the real scripts, which are a megabyte.
static const FigureScripts k_scripts = {"var vega;", "var vegaLite;", "var vegaEmbed;", "BSD"};

TEST(CampaignText, ShowsEveryTable)
{
  const auto analysis = study::analyse_campaign(study::small_campaign());
  const std::string text = campaign_text(analysis, Painter(false), 120);
  EXPECT_THAT(text,
              StartsWith("Sentence classifier\n10 of 11 variants finished, 4 clean runs; "
                         "started 2026-01-02T03:04:05Z, ended 2026-01-02T04:04:05Z\n"));
  EXPECT_THAT(text,
              HasSubstr("\nSymptom         Variants   Share\n"
                        "normal                 2  20.0 %\n"
                        "crash                  3  30.0 %\n"));
  EXPECT_THAT(text,
              HasSubstr("\nComOR                6  50.0 %      2  33.3 %     1  1 "
                        "not-a-number, 1 invalid-metric, 1 slower\n"));
  EXPECT_THAT(text, HasSubstr("\n 4  did not hold (wording of finding 4 not found)\n"));
  EXPECT_THAT(text, HasSubstr("\nValueError         2  66.7 %  a4       model.py:7  x = x + y\n"));
  EXPECT_THAT(text, HasSubstr("1 min 7 s of CPU time instead of 2 min 24 s: 2.1 times less\n"));
}

TEST(CampaignJson, HasThePromisedKeys)
{
  const Json json = campaign_json(study::analyse_campaign(study::small_campaign()));
  EXPECT_EQ(json["variants"], 11);
  EXPECT_EQ(json["finished"], 10);
  EXPECT_EQ(json["symptoms"]["crash"]["count"], 3);
  EXPECT_EQ(json["symptoms"]["crash"]["share"], 0.3);
  EXPECT_EQ(json["by_operator"]["MU001"]["label"], "ArOR");
  EXPECT_EQ(json["by_operator"]["MU001"]["symptoms"]["degraded"]["count"], 1);
  EXPECT_EQ(json["by_phase"]["learning"]["variants"], 7);
  EXPECT_EQ(json["by_target"]["torch.nn"]["variants"], 5);
  EXPECT_EQ(json["clean"]["runs"], 4);
  EXPECT_EQ(json["tests"].size(), 7U);
  EXPECT_EQ(json["findings"].size(), 9U);
  EXPECT_EQ(json["crashes"][0]["variants"], Json({"a4", "c1"}));
  EXPECT_EQ(json["accounting"]["spent_cpu_seconds"], 67.0);
  EXPECT_EQ(json["figures"].size(), 7U);
  for (const auto& [name, figure] : json["figures"].items()) {
    EXPECT_TRUE(figure["spec"].contains("layer") || figure["spec"].contains("mark")) << name;
    EXPECT_FALSE(figure["caption"].get<std::string>().empty()) << name;
  }
}

// Symptoms of a figure are the numbers of the tables.
TEST(CampaignFigures, CarryTheirData)
{
  const Json figures = campaign_figures(study::analyse_campaign(study::small_campaign()));
  double total = 0;
  for (const Json& bar : figures["symptoms_by_phase"]["spec"]["data"]["values"]) {
    if (bar["group"] == "learning") {
      total += bar["variants"].get<double>();
    }
  }
  EXPECT_EQ(total, 7);
  const Json& boxes = figures["metric_by_operator"]["spec"]["layer"];
  EXPECT_EQ(boxes[0]["data"]["values"][0]["kind"], "clean");
  EXPECT_NEAR(boxes[0]["data"]["values"][0]["median"].get<double>(), 0.83, 1e-12);
  EXPECT_EQ(boxes[3]["data"]["values"][0]["variant"], "a3");
  EXPECT_EQ(figures["metric_and_time"]["spec"]["layer"][0]["data"]["values"].size(), 3U);
  EXPECT_EQ(figures["metric_and_time"]["spec"]["layer"][1]["data"]["values"].size(), 4U);
}

TEST(CampaignCsv, HasAFileForEachTableAndARowForEachRun)
{
  const FileTree files = campaign_csv(study::analyse_campaign(study::small_campaign()));
  EXPECT_EQ(files.size(), 15U);
  const auto runs = split_lines(files.at("runs.csv"));
  ASSERT_EQ(runs.size(), 1U + 4 + 10);
  EXPECT_THAT(std::string(runs[0]), StartsWith("variant,repeat,operator,"));
  EXPECT_EQ(runs[1], ",0,,,,,,,,,,normal,cold,ran,,,,9,9,9,0,0,0.8");
  EXPECT_EQ(runs[8],
            "a4,0,MU001,,learning,,model.py,4,1,+,-,crash,function,ran,ValueError,model.py:7,x = x "
            "+ y,1,1,0.5,0,0,");
  EXPECT_THAT(files.at("symptoms.csv"), HasSubstr("\ncrash,3,0.3\n"));
  EXPECT_THAT(files.at("variants.csv"), HasSubstr("\nc3,ComOR,learning,torch.nn,hang,,,,"));
  EXPECT_THAT(files.at("runs.csv"), HasSubstr(",10,10,5,0,0,nan\n"));
}

TEST(CampaignHtml, LoadsNothing)
{
  const std::string html =
      campaign_html(study::analyse_campaign(study::small_campaign()), k_scripts, {});
  EXPECT_THAT(html, HasSubstr("default-src 'none'"));
  EXPECT_THAT(html, Not(HasSubstr(" src=")));
  EXPECT_THAT(html, Not(HasSubstr("<link")));
  EXPECT_THAT(html, Not(HasSubstr("@import")));
  EXPECT_THAT(html, Not(HasSubstr("url(")));
  const std::regex href("href=\"([^\"]*)\"");
  std::vector<std::string> targets;
  for (std::sregex_iterator it(html.begin(), html.end(), href), end; it != end; ++it) {
    targets.push_back((*it)[1]);
  }
  EXPECT_FALSE(targets.empty());
  EXPECT_THAT(targets, Each(StartsWith("#")));
}

TEST(CampaignHtml, TextsOfProgramsStayTexts)
{
  const std::string evil = "</script></pre><img src=x onerror=alert(1)>\"'&\x01\xff";
  campaign::Data data = study::small_campaign();
  data.spec.name = data.spec.text = data.machine = data.started = evil;
  data.spec.metrics[0].name = evil;
  data.spec.phases[0].name = evil;
  data.versions[evil] = evil;
  data.settings[evil] = evil;
  for (campaign::VariantRecord& record : data.variants) {
    for (campaign::Run& run : data.runs) {
      run.variant = run.variant == record.variant.id ? evil + record.variant.id : run.variant;
    }
    record.variant.id = evil + record.variant.id;
    record.variant.op = record.variant.library = record.variant.file = evil;
    record.variant.before = record.variant.after = evil;
    record.phases = {evil, evil + "2"};
  }
  for (campaign::Run& run : data.runs) {
    if (run.metrics.contains("accuracy")) {
      run.metrics[evil] = run.metrics["accuracy"];
    }
    if (run.crash) {
      *run.crash = {evil, evil, evil, 1, evil, evil};
    }
  }
  CampaignPage page;
  page.command = evil;
  page.texts = [&](const campaign::VariantRecord&) { return VariantTexts{evil, evil}; };
  const std::string html = campaign_html(study::analyse_campaign(data), k_scripts, page);
  EXPECT_EQ(count_in(html, "<img"), 0U);
  EXPECT_EQ(count_in(html, "</script"), 6U); // figures, three libraries, the page's own two
  EXPECT_EQ(count_in(html, "<script"), 6U);
  EXPECT_EQ(count_in(html, "\x01"), 0U);
  EXPECT_EQ(html, to_valid_utf8(html));
  EXPECT_GT(count_in(html, "&lt;/script&gt;&lt;/pre&gt;&lt;img"), 20U);
  EXPECT_GT(count_in(html, "\\u003c/script>"), 3U);
}

TEST(CampaignHtml, ShowsDiffAndTheEndOfTheLogOfWhatStandsOut)
{
  std::set<std::string> asked;
  CampaignPage page;
  page.texts = [&](const campaign::VariantRecord& record) {
    asked.insert(record.variant.id);
    return VariantTexts{"@@ -1 +1 @@\n-a + b\n+a - b\n",
                        "first line\n" + std::string(5000, 'x') + "\nlast line\n"};
  };
  const std::string html =
      campaign_html(study::analyse_campaign(study::small_campaign()), k_scripts, page);
  // Crashes: one of each cause.
  EXPECT_THAT(asked, testing::UnorderedElementsAre("a3", "a4", "c2", "c3", "c4", "c5", "c6"));
  EXPECT_THAT(html,
              HasSubstr("<span class=\"del\">-a + b</span><span class=\"add\">+a - b</span>"));
  EXPECT_THAT(html, HasSubstr("last line"));
  EXPECT_THAT(html, Not(HasSubstr("first line")));
  EXPECT_THAT(html, HasSubstr("bytes before it are left out"));
}

// FL_PAGE=page.html writes the page, with the real scripts, to look at.
TEST(CampaignHtml, EveryLinkOfALargePageLeadsSomewhere)
{
  const campaign::Data data = study::large_campaign(1800);
  CampaignPage page;
  page.command = "faultline campaign run programs/sentence/campaign.toml";
  page.texts = [](const campaign::VariantRecord& record) {
    return VariantTexts{format("--- a/{0}\n+++ b/{0}\n@@ -{1} +{1} @@\n-    {2}\n+    {3}\n",
                               record.variant.file,
                               record.variant.line,
                               record.variant.before,
                               record.variant.after),
                        "epoch 1, loss 0.61\nepoch 2, loss 0.42\n</script>\n"};
  };
  FigureScripts scripts = k_scripts;
  const char* wanted = std::getenv("FL_PAGE");
  if (wanted != nullptr) {
    const auto loaded = load_figure_scripts(FL_SOURCE_DIR);
    ASSERT_TRUE(loaded) << loaded.error().line();
    scripts = *loaded;
  }
  const std::string html = campaign_html(study::analyse_campaign(data), scripts, page);
  const std::string body = html.substr(0, html.find("<script"));
  std::set<std::string> ids;
  const std::regex id(" id=\"([^\"]*)\"");
  for (std::sregex_iterator it(body.begin(), body.end(), id), end; it != end; ++it) {
    EXPECT_TRUE(ids.insert((*it)[1]).second) << "twice: " << (*it)[1];
  }
  // A link to v-… falls back to the row r-….
  const std::regex href("href=\"#([^\"]*)\"");
  size_t links = 0;
  for (std::sregex_iterator it(body.begin(), body.end(), href), end; it != end; ++it) {
    const std::string target = (*it)[1];
    const bool row = target.starts_with("v-") && ids.contains("r-" + target.substr(2));
    EXPECT_TRUE(ids.contains(target) || row) << target;
    ++links;
  }
  EXPECT_GT(links, 1800U);
  if (wanted != nullptr) {
    ASSERT_TRUE(write_file(wanted, html));
  }
}

TEST(FigureScripts, AMissingPackageIsSaidInOneLine)
{
  const auto scripts = load_figure_scripts("/nowhere");
  ASSERT_FALSE(scripts);
  EXPECT_EQ(scripts.error().kind, ErrorKind::machine);
  EXPECT_EQ(scripts.error().line(),
            "/nowhere/node_modules/vega/build/vega.min.js is missing, which the page needs for its "
            "figures: `npm ci` in /nowhere installs it; the other formats need none");
}

TEST(FigureScripts, AreInstalled)
{
  const auto scripts = load_figure_scripts(FL_SOURCE_DIR);
  ASSERT_TRUE(scripts) << scripts.error().line();
  for (const std::string* script : {&scripts->vega, &scripts->vega_lite, &scripts->vega_embed}) {
    EXPECT_GT(script->size(), 10000U);
    EXPECT_EQ(count_in(*script, "</script"), 0U);
  }
}

} // namespace faultline::report
