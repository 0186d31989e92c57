#include "rules/reporter.hpp"

#include <gtest/gtest.h>

namespace faultline::rules {

namespace {

// The severity of the only finding.
std::optional<Severity> severity_in(const std::string& text)
{
  const Rule* const rules[] = {find_rule("product-for-its-diagonal")};
  const std::vector<source::Finding> found =
      check(*program::analyse("train.py", "import torch\n" + text), rules);
  return found.size() == 1 ? std::optional(found.front().severity) : std::nullopt;
}

} // namespace

TEST(ProductForItsDiagonal, IsAHintInAFormula)
{
  EXPECT_EQ(severity_in("def f(a, b):\n    return torch.trace(torch.linalg.inv(a) @ b)\n"),
            Severity::info);
  EXPECT_EQ(severity_in("torch.trace(torch.eye(8) @ torch.eye(8))\n"), Severity::info);
}

TEST(ProductForItsDiagonal, IsAWarningWhereItCosts)
{
  const std::string large = "torch.trace(torch.eye(64) @ torch.eye(64))\n";
  EXPECT_EQ(severity_in(large), Severity::warning);
  const std::string loop = "for i in range(100):\n    torch.trace(torch.eye(8) @ torch.eye(8))\n";
  EXPECT_EQ(severity_in(loop), Severity::warning);
  const std::string batch = "x = torch.randn(9, 8, 8)\n(x @ x).diagonal(dim1=1, dim2=2)\n";
  EXPECT_EQ(severity_in(batch), Severity::warning);
}

// One line that is reached from several places has the worst of their severities.
TEST(ProductForItsDiagonal, IsAWarningIfOneOfItsCallersLoops)
{
  EXPECT_EQ(severity_in("def f(a):\n    return torch.trace(a @ a)\n"
                        "f(torch.eye(8))\n"
                        "for i in range(100):\n    f(torch.eye(8))\n"),
            Severity::warning);
}

} // namespace faultline::rules
