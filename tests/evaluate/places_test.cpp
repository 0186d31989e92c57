#include "evaluate/places.hpp"

#include <gtest/gtest.h>

namespace faultline::evaluate {

// 1  class Net(nn.Module):
// 2      def __init__(self):
// 3          self.hidden = nn.Linear(
// 4              8, 2)
// 5          self.out = nn.Linear(2, 1)
// 6
// 7      def forward(self, x):
// 8          for i in range(3):
// 9              x = self.hidden(x)
// 10         return self.out(x)
static const FileTree k_python = {{"net.py",
                                   "class Net(nn.Module):\n"
                                   "    def __init__(self):\n"
                                   "        self.hidden = nn.Linear(\n"
                                   "            8, 2)\n"
                                   "        self.out = nn.Linear(2, 1)\n"
                                   "\n"
                                   "    def forward(self, x):\n"
                                   "        for i in range(3):\n"
                                   "            x = self.hidden(x)\n"
                                   "        return self.out(x)\n"}};

TEST(Places, LinesOfOneStatementBelongTogether)
{
  const ProgramPlaces places(k_python);
  EXPECT_TRUE(places.same_statement("net.py", 3, 4));
  EXPECT_FALSE(places.same_statement("net.py", 4, 5));
  EXPECT_FALSE(places.same_statement("net.py", 8, 9)); // the loop's head is not its body
  EXPECT_TRUE(places.same_statement("net.py", 9, 9));
  EXPECT_FALSE(places.same_statement("net.py", 9, 900));
  EXPECT_FALSE(places.same_statement("other.py", 1, 2));
}

TEST(Places, BuildingAndCallingALayerBelongTogether)
{
  const ProgramPlaces places(k_python);
  EXPECT_TRUE(places.same_layer("net.py", 4, 9));
  EXPECT_TRUE(places.same_layer("net.py", 5, 10));
  EXPECT_FALSE(places.same_layer("net.py", 5, 9));
  EXPECT_FALSE(places.same_layer("net.py", 2, 7));
}

TEST(Places, KnowLayersOfJavaScript)
{
  const ProgramPlaces places(FileTree{{"net.js",
                                       "const hidden = tf.layers.dense({units: 4});\n"
                                       "const out = tf.layers.dense({units: 1});\n"
                                       "const y = out.apply(hidden.apply(x));\n"}});
  EXPECT_TRUE(places.same_layer("net.js", 1, 3));
  EXPECT_FALSE(places.same_layer("net.js", 1, 2));
}

} // namespace faultline::evaluate
