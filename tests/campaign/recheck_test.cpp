#include "base/file.hpp"
#include "base/sqlite.hpp"
#include "campaign/recheck.hpp"

#include <gtest/gtest.h>

namespace faultline::campaign {

TEST(Recheck, FindsTheSameFromNothingAndSaysWhenItDoesNot)
{
  const run::Environment environment = run::discover_environment(FL_SOURCE_DIR, {});
  const Result<Spec> spec =
      load_spec(std::filesystem::path(FL_TEST_DATA) / "campaign" / "toy" / "campaign.toml");
  ASSERT_TRUE(spec) << spec.error().line();
  const Result<TempDir> folder = TempDir::create();
  ASSERT_TRUE(folder);
  Result<Store> store = Store::open(folder->path() / "toy");
  ASSERT_TRUE(store) << store.error().line();
  SessionOptions options;
  options.workers = 2;
  options.most_variants = 12;
  ASSERT_TRUE(plan_campaign(*store, *spec, environment, options));
  ASSERT_TRUE(run_missing(*store, environment, options));

  const auto all = recheck(*store, environment, options, {"", 6, 1});
  ASSERT_TRUE(all) << all.error().line();
  EXPECT_EQ(all->size(), 6U);
  for (const Rechecked& each : *all) {
    EXPECT_TRUE(each.same_symptom) << each.variant;
    EXPECT_TRUE(each.same_metrics) << each.variant;
  }

  // A store that says something else is found out.
  Result<Database> database = Database::open(folder->path() / "toy" / "campaign.sqlite");
  ASSERT_TRUE(database);
  ASSERT_TRUE(database->execute("UPDATE runs SET symptom = 'hang' WHERE address IN "
                                "(SELECT address FROM variants)"));
  const auto changed = recheck(*store, environment, options, {"", 6, 1});
  ASSERT_TRUE(changed) << changed.error().line();
  for (const Rechecked& each : *changed) {
    EXPECT_FALSE(each.same_symptom) << each.variant;
    EXPECT_TRUE(each.differs()) << each.variant;
  }

  // One variant by its name.
  const auto one = recheck(*store, environment, options, {changed->front().variant});
  ASSERT_TRUE(one) << one.error().line();
  ASSERT_EQ(one->size(), 1U);
  EXPECT_EQ(one->front().variant, changed->front().variant);
  EXPECT_TRUE(one->front().differs());
  const auto none = recheck(*store, environment, options, {"MU001-00000000"});
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().message, "MU001-00000000 was not run yet");
}

} // namespace faultline::campaign
