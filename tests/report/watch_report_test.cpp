#include "report/page.hpp"
#include "report/watch_fixture.hpp"
#include "report/watch_report.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace faultline::report {

using testing::HasSubstr;
using testing::Not;

namespace {

std::string page_of(const trace::Trace& trace,
                    const std::vector<trace::Detection>& detections = {},
                    WatchEnd end = WatchEnd::program)
{
  const std::string html =
      watch_html(trace, detections, {}, {}, {"python3 t.py", "2026-11-18", end});
  return html.substr(0, html.find("<footer>"));
}

trace::Trace ended(trace::Trace trace, int status = 0)
{
  trace.add(trace::End{.status = status});
  return trace;
}

trace::Trace crashed_before_a_step()
{
  trace::Trace trace;
  add_layer(trace, 0, "a<b>");
  trace::Crash crash;
  crash.exception = "RuntimeError";
  crash.message = "5x8 and 6x2 & <b>";
  trace.add(crash);
  return ended(std::move(trace), 1);
}

} // namespace

TEST(MessageHtml, ShowsBackticksAsCode)
{
  EXPECT_EQ(message_html("use `a < b` or `c`, not d"),
            "use <code>a &lt; b</code> or <code>c</code>, not d");
}

TEST(MessageHtml, LeavesBackticksWithoutAPair)
{
  EXPECT_EQ(message_html(""), "");
  EXPECT_EQ(message_html("a ` b"), "a ` b");
  EXPECT_EQ(message_html("a `` b `c`"), "a `` b <code>c</code>");
  EXPECT_EQ(message_html("a `b\nc` d"), "a `b\nc` d");
}

TEST(MessageHtml, NothingElseIsMarkup)
{
  EXPECT_EQ(message_html("`<code>` <b>&amp;"), "<code>&lt;code&gt;</code> &lt;b&gt;&amp;amp;");
}

TEST(WatchFigures, MarkWhereTheLossStoppedBeingFinite)
{
  const Json spec = watch_figures(lost_trace())["loss"]["spec"];
  ASSERT_EQ(spec["layer"].size(), 3U);
  EXPECT_EQ(spec["layer"][1]["data"]["values"],
            parse_json(R"([{"step": 2, "what": "not finite from step 2 on"}])"));
  EXPECT_EQ(spec["layer"][2]["mark"]["align"], "right");
}

TEST(WatchFigures, TheAxisFitsWhatIsFinite)
{
  const Json figures = watch_figures(lost_trace());
  for (const char* name : {"loss", "layer_0", "layer_1"}) {
    for (const Json& value : figures[name]["spec"]["data"]["values"]) {
      EXPECT_LE(value["step"], 1) << name;
    }
  }
}

TEST(WatchFigures, AHugeRangeIsShownLogarithmicallyInShortNumbers)
{
  const Json y = watch_figures(lost_trace())["loss"]["spec"]["layer"][0]["encoding"]["y"];
  EXPECT_EQ(y["scale"]["type"], "log");
  EXPECT_EQ(y["axis"]["format"], ".6~g");
}

TEST(WatchFigures, AFiniteRunHasNoMarksAndALinearScale)
{
  trace::Trace trace;
  add_step(trace, 0, 3);
  add_step(trace, 1, NAN); // not seen: no gap
  add_step(trace, 2, 1);
  const Json spec = watch_figures(trace)["loss"]["spec"];
  EXPECT_EQ(spec["layer"].size(), 1U);
  EXPECT_EQ(spec["data"]["values"].size(), 2U);
  EXPECT_FALSE(spec["layer"][0]["encoding"]["y"]["scale"].contains("type"));
}

TEST(WatchFigures, ALossThatIsFiniteAgainHasAGap)
{
  trace::Trace trace;
  for (const uint32_t step : {0U, 1U, 2U}) {
    add_step(trace, step, step == 1 ? INFINITY : 1);
  }
  const Json spec = watch_figures(trace)["loss"]["spec"];
  EXPECT_TRUE(spec["data"]["values"][1]["value"].is_null());
  EXPECT_EQ(spec["layer"][1]["data"]["values"][0]["what"], "not finite at step 1");
}

TEST(WatchHtml, SaysThatALossIsNotANumber)
{
  const std::string html = page_of(ended(lost_trace()));
  EXPECT_THAT(
      html, HasSubstr("<dd>not a number<small>2 at the start; not finite from step 2 on</small>"));
  EXPECT_THAT(html, Not(HasSubstr("<dt>Ended")));
  EXPECT_THAT(html, Not(HasSubstr("class=\"marked\"")));
}

TEST(WatchHtml, SaysWhatWasNeverFinite)
{
  trace::Trace trace;
  add_layer(trace, 0, "fc");
  add_numbers(trace, 0, 0, 10);
  trace.add(trace::Check{});
  add_step(trace, 0, NAN);
  const std::string html = page_of(ended(std::move(trace)));
  EXPECT_THAT(html, HasSubstr("<dd>not a number<small>at every step</small>"));
  EXPECT_THAT(html, HasSubstr("No curve of the loss: it was never finite."));
  EXPECT_THAT(html, HasSubstr("<code>fc</code> Linear: not finite from step 0 on</li>"));
}

TEST(WatchHtml, SaysWhatIsMissingAfterACrash)
{
  const std::string html = page_of(crashed_before_a_step());
  EXPECT_THAT(html, HasSubstr("No curves: no training step has ended."));
  EXPECT_THAT(html, HasSubstr("none did. Called until then:"));
  EXPECT_THAT(html, HasSubstr("<li><code>a&lt;b&gt;</code> Linear</li>"));
  EXPECT_THAT(html,
              HasSubstr("The program crashed before a training step had ended: RuntimeError: 5x8 "
                        "and 6x2 &amp; &lt;b&gt;</p>"));
  EXPECT_THAT(html, Not(HasSubstr("class=\"figures\"")));
}

TEST(WatchHtml, MarksARunThatWasInterrupted)
{
  const std::string html = page_of(ended(lost_trace()), {}, WatchEnd::interrupt);
  EXPECT_THAT(html, HasSubstr("<dd>interrupted<small>after step 19</small>"));
  EXPECT_THAT(html, HasSubstr("<p class=\"marked\">The run was interrupted after step 19.</p>"));
  EXPECT_THAT(html, HasSubstr("None until then"));
}

TEST(WatchHtml, MarksARunThatWasStoppedAtAFinding)
{
  EXPECT_THAT(page_of(ended(lost_trace(), -1), {}, WatchEnd::finding),
              HasSubstr("The run was stopped at a finding, after step 19."));
}

TEST(WatchHtml, MarksARecordThatBreaksOff)
{
  EXPECT_THAT(page_of(ended(lost_trace(), -1)), HasSubstr("<dd>broken off<small>after step 19"));
  EXPECT_THAT(page_of(lost_trace()), HasSubstr("The recording ends after step 19"));
}

TEST(WatchHtml, SaysTheStatusOfAProgramThatFailed)
{
  EXPECT_THAT(page_of(ended(lost_trace(), 3)), HasSubstr("with an error<small>exit status 3"));
}

TEST(WatchHtml, SaysThatTheProbeGaveUp)
{
  trace::Trace trace = lost_trace();
  trace.add(trace::Problem{"out of <memory>"});
  EXPECT_THAT(page_of(ended(std::move(trace))),
              HasSubstr("saw nothing more: out of &lt;memory&gt;"));
}

TEST(WatchHtml, ShowsCodeInMessagesAndLabelsHelp)
{
  trace::Detection detection;
  detection.finding.rule = "TR001";
  detection.finding.message = "the result of `log<x>` is infinite";
  detection.finding.notes = {{"layer `0` (Linear)"}};
  detection.finding.help = "call `clamp` first";
  const std::string html = page_of(ended(lost_trace()), {detection});
  EXPECT_THAT(html, HasSubstr("<p>the result of <code>log&lt;x&gt;</code> is infinite</p>"));
  EXPECT_THAT(html, HasSubstr("<p class=\"note\">layer <code>0</code> (Linear)</p>"));
  EXPECT_THAT(html,
              HasSubstr("<p class=\"help\"><span class=\"label\">Help</span>call "
                        "<code>clamp</code> first</p>"));
}

} // namespace faultline::report
