#include "base/format.hpp"
#include "campaign/store.hpp"
#include "serve/small_project.hpp"

#include <cmath>

namespace faultline::serve {

class Campaigns : public SmallProject {
protected:
  void SetUp() override
  {
    SmallProject::SetUp();
    campaign::Data data;
    const Result<campaign::Spec> spec =
        campaign::load_spec(std::filesystem::path(FL_TEST_DATA) / "campaign/tiny/campaign.toml");
    ASSERT_TRUE(spec) << spec.error().line();
    data.spec = *spec;
    data.started = "2026-01-02T03:04:05Z";
    data.clean_address = "clean";
    for (size_t i = 0; i < 6; ++i) {
      campaign::VariantRecord record;
      record.variant.id = format("MU001-{:08x}", i);
      record.variant.op = i < 4 ? "MU001" : "MU002";
      record.variant.file = "train.py";
      record.variant.line = 10 - i;
      record.variant.before = "a \xff";
      record.variant.after = "<b>";
      record.phases = {"preprocessing"};
      if (i % 2 == 0) {
        record.phases.emplace_back("learning");
      }
      record.address = record.variant.id;
      data.variants.push_back(std::move(record));
    }
    Result<campaign::Store> store = campaign::Store::open(m_context.home / "campaigns/tiny");
    ASSERT_TRUE(store);
    ASSERT_TRUE(store->put_plan(data));
    ASSERT_TRUE(store->put("clean", run_of("", 0, campaign::Symptom::normal), "clean\n"));
    for (size_t i = 0; i < 4; ++i) {
      ASSERT_TRUE(store->put(data.variants[i].address,
                             run_of(data.variants[i].variant.id,
                                    0,
                                    i == 0 ? campaign::Symptom::crash : campaign::Symptom::normal),
                             "<script>\xff log of " + data.variants[i].variant.id));
    }
  }

  static campaign::Run run_of(const std::string& variant, int repeat, campaign::Symptom symptom)
  {
    campaign::Run run;
    run.variant = variant;
    run.repeat = repeat;
    run.symptom = symptom;
    run.metrics = {{"accuracy", symptom == campaign::Symptom::crash ? NAN : 0.5}};
    run.seconds = run.cpu_seconds = 1;
    return run;
  }
};

TEST_F(Campaigns, AreListedWithHowFarTheyAre)
{
  std::filesystem::create_directories(m_context.home / "campaigns/no-campaign");
  const Json all = get("/campaigns")["campaigns"];
  ASSERT_EQ(all.size(), 1U);
  EXPECT_EQ(all[0]["name"], "tiny");
  EXPECT_EQ(all[0]["title"], "Tiny");
  EXPECT_EQ(all[0]["program"], "campaign.toml"); // nobody needs to know where
  EXPECT_EQ(all[0]["variants"], 6);
  EXPECT_EQ(all[0]["done"], 4);
  EXPECT_EQ(all[0]["symptoms"]["crash"], 1);
  EXPECT_EQ(all[0]["state"], "running"); // written to just now
  EXPECT_TRUE(all[0]["finished"].is_null());
}

TEST_F(Campaigns, ReportFiguresAndTables)
{
  const Json report = get("/campaigns/tiny");
  EXPECT_EQ(report["variants"], 6);
  EXPECT_EQ(report["finished"], 4);
  EXPECT_TRUE(report["figures"].is_object());
  EXPECT_EQ(error("GET", "/campaigns/tyni", {}, 404),
            "there is no campaign `tyni`, did you mean `tiny`?");
  EXPECT_EQ(call("GET", "/campaigns/..%2Ftiny").status, 404);
}

TEST_F(Campaigns, VariantsAreFilteredSortedAndPaged)
{
  EXPECT_EQ(get("/campaigns/tiny/variants")["total"], 6);
  EXPECT_EQ(get("/campaigns/tiny/variants?symptom=crash")["total"], 1);
  EXPECT_EQ(get("/campaigns/tiny/variants?symptom=not%20run")["total"], 2);
  EXPECT_EQ(get("/campaigns/tiny/variants?operator=MU002")["total"], 2);
  EXPECT_EQ(get("/campaigns/tiny/variants?phase=learning&symptom=normal")["total"], 1);
  EXPECT_EQ(get("/campaigns/tiny/variants?phase=preprocessing&symptom=normal")["total"], 3);
  const Json page = get("/campaigns/tiny/variants?sort=line&offset=1&limit=2");
  EXPECT_EQ(page["total"], 6);
  ASSERT_EQ(page["items"].size(), 2U);
  EXPECT_EQ(page["items"][0]["line"], 6);
  EXPECT_EQ(get("/campaigns/tiny/variants?sort=-line")["items"][0]["line"], 10);
  EXPECT_EQ(call("GET", "/campaigns/tiny/variants?sort=colour").status, 400);
  EXPECT_EQ(call("GET", "/campaigns/tiny/variants?symptom=x").status, 400);
  EXPECT_EQ(call("GET", "/campaigns/tiny/variants?page=1").status, 400);
}

TEST_F(Campaigns, AVariantIsShownWithItsLog)
{
  const Json variant = get("/campaigns/tiny/variants/MU001-00000000");
  EXPECT_EQ(variant["symptom"], "crash");
  EXPECT_EQ(variant["runs"].size(), 1U);
  EXPECT_EQ(variant["log"], "<script>\xEF\xBF\xBD log of MU001-00000000");
  EXPECT_EQ(call("GET", "/campaigns/tiny/variants/nope").status, 404);
}

TEST_F(Campaigns, ProgressIsSentAsItGrowsUntilTheEnd)
{
  const Reply reply = call("GET", "/campaigns/tiny/events");
  ASSERT_TRUE(reply.events);
  EventBatch batch = reply.events(1);
  ASSERT_EQ(batch.events.size(), 1U);
  EXPECT_EQ(batch.events[0].data["done"], 4);
  EXPECT_FALSE(batch.end);
  EXPECT_TRUE(reply.events(.01).events.empty());
  Result<campaign::Store> store = campaign::Store::open(m_context.home / "campaigns/tiny");
  ASSERT_TRUE(
      store->put("MU001-00000004", run_of("MU001-00000004", 0, campaign::Symptom::hang), ""));
  batch = reply.events(5);
  ASSERT_EQ(batch.events.size(), 1U);
  EXPECT_EQ(batch.events[0].data["done"], 5);
  EXPECT_EQ(batch.events[0].data["symptoms"]["hang"], 1);
  ASSERT_TRUE(store->put_finished("2026-01-02T04:00:00Z"));
  batch = reply.events(5);
  EXPECT_TRUE(batch.end);
  EXPECT_EQ(get("/campaigns")["campaigns"][0]["state"], "finished");
}

} // namespace faultline::serve
