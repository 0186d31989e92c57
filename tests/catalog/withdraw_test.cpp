#include "catalog/fault_fixture.hpp"
#include "catalog/withdraw.hpp"

namespace faultline::catalog {

class WithdrawTest : public testing::Test {
protected:
  void SetUp() override
  {
    ASSERT_TRUE(m_place);
    ASSERT_TRUE(write_tree(m_place->path(), minimal_fault()));
  }
  Fault load() const
  {
    Result<Fault> fault = load_fault(m_place->path(), project_schemes());
    EXPECT_TRUE(fault) << fault.error().line();
    return fault ? *std::move(fault) : Fault();
  }

private:
  Result<TempDir> m_place = TempDir::create();
};

TEST_F(WithdrawTest, KeepsTheFaultAndSaysSinceWhenAndWhy)
{
  const std::string reason = R"(A "feature", see C:\docs — not a fault.)";
  const Fault before = load();
  ASSERT_TRUE(withdraw(before, {"0.2.0", "2026-11-16", reason}));
  const Fault after = load();
  ASSERT_TRUE(after.withdrawn);
  EXPECT_EQ(after.withdrawn->version, "0.2.0");
  EXPECT_EQ(after.withdrawn->date, "2026-11-16");
  EXPECT_EQ(after.withdrawn->reason, reason);
  EXPECT_EQ(after.id, before.id);
  EXPECT_EQ(after.program, before.program);
}

TEST_F(WithdrawTest, IsDoneOnce)
{
  ASSERT_TRUE(withdraw(load(), {"0.2.0", "2026-11-16", "A feature."}));
  const Result<void> again = withdraw(load(), {"0.3.0", "2027-01-01", "Another reason."});
  ASSERT_FALSE(again);
  EXPECT_EQ(again.error().line(),
            load().id + " was withdrawn already, in 0.2.0 on 2026-11-16: A feature.");
}

TEST_F(WithdrawTest, NeedsAReasonOfOneLine)
{
  for (const std::string reason : {"", " ", "two\nlines", "tab\there", "\xff"}) {
    const Result<void> refused = withdraw(load(), {"0.2.0", "2026-11-16", reason});
    ASSERT_FALSE(refused) << reason;
    EXPECT_EQ(refused.error().line(), "--reason must be one line of text that says why");
  }
  EXPECT_FALSE(load().withdrawn);
}

} // namespace faultline::catalog
