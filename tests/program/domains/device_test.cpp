#include "program/domains/device.hpp"

#include <gtest/gtest.h>

#include <string>

namespace faultline::program {
namespace {

std::string named(std::string_view name)
{
  const auto device = Device::named(name);
  return device ? device->text() : "none";
}

TEST(Device, KnowsTheNamesOfAllLibraries)
{
  EXPECT_EQ(named("cpu"), "cpu");
  EXPECT_EQ(named("cpu:0"), "cpu");
  EXPECT_EQ(named("cuda"), "cuda");
  EXPECT_EQ(named("cuda:1"), "cuda:1");
  EXPECT_EQ(named("/device:GPU:0"), "cuda:0");
  EXPECT_EQ(named("/gpu:1"), "cuda:1");
  EXPECT_EQ(named("mps"), "cuda");
  EXPECT_EQ(named("cuda:x"), "none");
  EXPECT_EQ(named("tpu"), "none");
}

TEST(Device, ClashesOnlyWhenBothAreSure)
{
  EXPECT_TRUE(Device::cpu().clashes_with(Device::cuda()));
  EXPECT_FALSE(Device::cuda(0).clashes_with(Device::cuda()));
  EXPECT_FALSE(Device::cpu().clashes_with(Device::chosen(1)));
  EXPECT_FALSE(Device::cpu().clashes_with(Device::top()));
}

} // namespace
} // namespace faultline::program
