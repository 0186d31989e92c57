#include "program/names/api.hpp"
#include "program/names/signature.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace faultline::program {
namespace {

std::string shown(std::string_view signature)
{
  std::string text;
  for (const Parameter& parameter : parse_signature(signature)) {
    static constexpr std::string_view k_marks[] = {"", "!", "*", "**"};
    text += text.empty() ? "" : " ";
    text += std::string(k_marks[static_cast<size_t>(parameter.form)]) + std::string(parameter.name);
    text += parameter.fallback.empty() ? "" : "=" + std::string(parameter.fallback);
  }
  return text;
}

TEST(Signature, ReadsWhatPythonWrites)
{
  EXPECT_EQ(shown(""), "");
  EXPECT_EQ(shown("units, activation=None"), "units activation=None");
  EXPECT_EQ(shown("size=(2, 2), mode='a, b', *, dtype=None"),
            "size=(2, 2) mode='a, b' !dtype=None");
  EXPECT_EQ(shown("*size, out=None, **kwargs"), "*size !out=None **kwargs");
}

TEST(Registry, FollowsAliasesToTheEnd)
{
  EXPECT_EQ(canonical_path("torch.nn.modules.linear.Linear"), "torch.nn.Linear");
  EXPECT_EQ(canonical_path("tensorflow.compat.v1.keras.layers.core.Dense"), "keras.layers.Dense");
  EXPECT_EQ(canonical_path("tensorflow.python.keras.Model"), "keras.Model");
  EXPECT_EQ(canonical_path("torch.nn.Linear"), "torch.nn.Linear");
  EXPECT_EQ(canonical_path("os.path.join"), "os.path.join");
}

TEST(Registry, KnowsOpaqueFamilies)
{
  EXPECT_TRUE(is_opaque("torch.distributed.init_process_group"));
  EXPECT_TRUE(is_opaque("torch.jit"));
  EXPECT_FALSE(is_opaque("torch.distributions"));
  EXPECT_FALSE(is_opaque("torch"));
}

TEST(Registry, EveryRowIsSound)
{
  std::set<std::string_view> names;
  for (const auto table : api_tables()) {
    for (const Api& row : table) {
      EXPECT_TRUE(names.insert(row.name).second) << row.name << " appears twice";
      EXPECT_EQ(canonical_path(row.name), row.name) << "an alias hides the row";
      EXPECT_TRUE(row.base.empty() || find_api(row.base) != nullptr) << row.name;
      std::set<std::string_view> parameters;
      for (const Parameter& parameter : parameters_of(row)) {
        EXPECT_TRUE(parameters.insert(parameter.name).second) << row.name;
      }
    }
  }
}

} // namespace
} // namespace faultline::program
