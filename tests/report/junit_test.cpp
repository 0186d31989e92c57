#include "report/junit.hpp"

#include <gtest/gtest.h>

namespace faultline::report {

namespace {

// The attribute `message` of the only failure.
void check_escaped(const std::string& failure, const std::string& expected)
{
  EXPECT_EQ(junit_xml("s", {{"n", "g", 0, failure, ""}}),
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
            "<testsuite name=\"s\" tests=\"1\" failures=\"1\" skipped=\"0\" time=\"0.000\">\n"
            "  <testcase name=\"n\" classname=\"g\" time=\"0.000\">\n"
            "    <failure message=\"" +
                expected +
                "\"/>\n"
                "  </testcase>\n"
                "</testsuite>\n");
}

} // namespace

TEST(JUnit, CountsCasesFailuresAndWhatWasSkipped)
{
  EXPECT_EQ(junit_xml("verify",
                      {{"pytorch-a", "pytorch", 1.25, "", ""},
                       {"pytorch-b", "pytorch", 0.5, "the fixed version fails", ""},
                       {"tfjs-c", "tfjs", 0, "", "no node"},
                       {"tfjs-d", "tfjs", 2, "", ""}}),
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
            "<testsuite name=\"verify\" tests=\"4\" failures=\"1\" skipped=\"1\" time=\"3.750\">\n"
            "  <testcase name=\"pytorch-a\" classname=\"pytorch\" time=\"1.250\"/>\n"
            "  <testcase name=\"pytorch-b\" classname=\"pytorch\" time=\"0.500\">\n"
            "    <failure message=\"the fixed version fails\"/>\n"
            "  </testcase>\n"
            "  <testcase name=\"tfjs-c\" classname=\"tfjs\" time=\"0.000\">\n"
            "    <skipped message=\"no node\"/>\n"
            "  </testcase>\n"
            "  <testcase name=\"tfjs-d\" classname=\"tfjs\" time=\"2.000\"/>\n"
            "</testsuite>\n");
}

TEST(JUnit, ASuiteMayBeEmpty)
{
  EXPECT_EQ(junit_xml("verify", {}),
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
            "<testsuite name=\"verify\" tests=\"0\" failures=\"0\" skipped=\"0\" time=\"0.000\">\n"
            "</testsuite>\n");
}

TEST(JUnit, EscapesWhatIsMarkup)
{
  check_escaped("a < b && c > \"d\"", "a &lt; b &amp;&amp; c &gt; &quot;d&quot;");
  check_escaped("&amp;", "&amp;amp;");
}

TEST(JUnit, ControlCharactersBecomeQuestionMarks)
{
  check_escaped("\x1b[31mred\x1b[0m\tand\nmore", "?[31mred?[0m?and?more");
}

TEST(JUnit, BytesThatAreNoTextAreReplaced)
{
  check_escaped("caf\xE9", "caf\uFFFD");
  check_escaped("café", "café");
}

TEST(JUnit, EscapesTheNamesToo)
{
  EXPECT_EQ(junit_xml("a&b", {{"<n>", "\"g\"", 0, "", ""}}),
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
            "<testsuite name=\"a&amp;b\" tests=\"1\" failures=\"0\" skipped=\"0\" time=\"0.000\">\n"
            "  <testcase name=\"&lt;n&gt;\" classname=\"&quot;g&quot;\" time=\"0.000\"/>\n"
            "</testsuite>\n");
}

} // namespace faultline::report
