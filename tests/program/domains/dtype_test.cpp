#include "program/domains/dtype.hpp"

#include <gtest/gtest.h>

#include <string>

namespace faultline::program {
namespace {

std::string named(std::string_view name)
{
  const auto type = DType::named(name);
  return type ? std::string(type->text()) : "none";
}

std::string promoted(std::string_view a, std::string_view b)
{
  const DType left = DType::named(a).value_or(DType());
  const DType right = DType::named(b).value_or(DType());
  EXPECT_EQ(DType::promoted(left, right), DType::promoted(right, left));
  return std::string(DType::promoted(left, right).text());
}

TEST(DType, KnowsTheNamesOfAllLibraries)
{
  EXPECT_EQ(named("float32"), "float32");
  EXPECT_EQ(named("torch.float"), "float32");
  EXPECT_EQ(named("torch.int"), "int32");
  EXPECT_EQ(named("torch.long"), "int64");
  EXPECT_EQ(named("tf.int64"), "int64");
  EXPECT_EQ(named("numpy.uint8"), "uint8");
  EXPECT_EQ(named("float"), "float64");
  EXPECT_EQ(named("int"), "int64");
  EXPECT_EQ(named("f4"), "float32");
  EXPECT_EQ(named("<f8"), "float64");
  EXPECT_EQ(named("bool"), "bool");
  EXPECT_EQ(named("object"), "object");
  EXPECT_EQ(named("relu"), "none");
  EXPECT_EQ(named(""), "none");
}

TEST(DType, SortsTypesIntoFamilies)
{
  EXPECT_TRUE(DType(DType::Kind::bfloat16).is_floating());
  EXPECT_FALSE(DType(DType::Kind::complex64).is_floating());
  EXPECT_TRUE(DType(DType::Kind::uint8).is_integer());
  EXPECT_FALSE(DType(DType::Kind::boolean).is_integer());
  EXPECT_TRUE(DType(DType::Kind::boolean).is_numeric());
  EXPECT_FALSE(DType(DType::Kind::object).is_numeric());
  EXPECT_FALSE(DType().is_numeric());
}

TEST(DType, PromotesAsNumpyAndTorchBothDo)
{
  EXPECT_EQ(promoted("float32", "float64"), "float64");
  EXPECT_EQ(promoted("float16", "bfloat16"), "float32");
  EXPECT_EQ(promoted("uint8", "int8"), "int16");
  EXPECT_EQ(promoted("uint8", "int32"), "int32");
  EXPECT_EQ(promoted("bool", "uint8"), "uint8");
  EXPECT_EQ(promoted("int16", "float32"), "float32");
  EXPECT_EQ(promoted("int64", "float64"), "float64");
  EXPECT_EQ(promoted("complex64", "float64"), "complex128");
}

TEST(DType, IsUnknownWhereTheyDisagreeOrEitherIs)
{
  EXPECT_EQ(promoted("int64", "float32"), "unknown");
  EXPECT_EQ(promoted("object", "float32"), "unknown");
  EXPECT_EQ(promoted("nothing known", "float32"), "unknown");
}

} // namespace
} // namespace faultline::program
