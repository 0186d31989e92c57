#include "program/values/trail.hpp"

#include <gmock/gmock.h>

#include <array>
#include <vector>

namespace faultline::program {
namespace {

using testing::ElementsAre;

TEST(Trail, GivesContainersInTheOrderInWhichTheyWereTouched)
{
  // Where containers lie in memory is another in each run; how branches are joined must not be.
  std::array<Scope, 4> scopes;
  Trail trail;
  trail.begin();
  for (const size_t number : {2, 0, 3, 1, 2}) {
    trail.touch(scopes[number]);
  }
  std::vector<Container*> order;
  for (const auto& [container, content] : trail.undo()) {
    order.push_back(container);
  }
  EXPECT_THAT(order, ElementsAre(&scopes[2], &scopes[0], &scopes[3], &scopes[1]));
}

TEST(Trail, KeepsTheContentOfBeforeTheFirstTouch)
{
  Scope scope;
  None before;
  None after;
  scope.names["x"] = &before;
  Trail trail;
  trail.begin();
  trail.touch(scope);
  scope.names["x"] = &after;
  trail.touch(scope);
  const Contents outcome = trail.undo();
  EXPECT_EQ(scope.names["x"], &before);
  ASSERT_NE(outcome.find(&scope), nullptr);
  EXPECT_EQ(outcome.find(&scope)->names.at("x"), &after);
  Scope other;
  EXPECT_EQ(outcome.find(&other), nullptr);
}

TEST(Trail, GivesWhatAnInnerFrameSavedToTheOneAround)
{
  Scope scope;
  None value;
  Trail trail;
  trail.begin();
  trail.begin();
  trail.touch(scope);
  scope.names["x"] = &value;
  trail.commit();
  trail.undo();
  EXPECT_TRUE(scope.names.empty());
}

} // namespace
} // namespace faultline::program
