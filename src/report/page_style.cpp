// Design: a calm sheet of paper. One serif-free family, two greys, one accent; numbers in columns
// of equal digits; nothing moves. Colours are variables, so light and dark differ in one place.

#include "report/page.hpp"

namespace faultline::report {

std::string_view page_style()
{
  return R"css(
:root {
  color-scheme: light dark;
  --ground: #fbfbf9; --sheet: #ffffff; --ink: #1d2329; --soft: #5b6570; --line: #dfe3e6;
  --tint: #f1f4f5; --accent: #24608f; --good: #2c7a4b; --bad: #a8552a; --add: #e4f3e8; --del: #fae6e3;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #14181c; --sheet: #1a1f24; --ink: #e3e7ea; --soft: #99a3ac; --line: #30383f;
    --tint: #21272d; --accent: #7fb8e6; --good: #74c596; --bad: #e6a173; --add: #1c3626; --del: #402421;
  }
}
* { box-sizing: border-box; }
html { scroll-behavior: smooth; scroll-padding-top: 4rem; }
@media (prefers-reduced-motion: reduce) { html { scroll-behavior: auto; } }
body {
  margin: 0; background: var(--ground); color: var(--ink);
  font: 16px/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif;
}
main, header, footer { max-width: 76rem; margin: 0 auto; padding: 0 1.25rem; }
header { padding-top: 2.5rem; }
h1 { font-size: 2rem; line-height: 1.2; margin: 0 0 .25rem; letter-spacing: -.01em; }
h2 { font-size: 1.35rem; margin: 0 0 .25rem; letter-spacing: -.005em; }
h3 { font-size: 1rem; margin: 1.75rem 0 .35rem; }
p { margin: .25rem 0 .75rem; max-width: 46rem; }
.kicker, .note, figcaption { color: var(--soft); font-size: .9rem; }
.kicker { margin: 0; }
a { color: var(--accent); text-underline-offset: .15em; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 2px; }
.skip { position: absolute; left: -100vw; }
.skip:focus { left: 1rem; top: 1rem; background: var(--sheet); padding: .5rem 1rem; z-index: 9; }
nav { position: sticky; top: 0; z-index: 5; background: var(--ground); border-bottom: 1px solid var(--line); margin-top: 1.75rem; }
nav ul { display: flex; gap: 1.25rem; list-style: none; max-width: 76rem; margin: 0 auto; padding: .7rem 1.25rem; overflow-x: auto; white-space: nowrap; }
nav a { text-decoration: none; font-size: .92rem; }
nav a:hover { text-decoration: underline; }
section { margin: 2.75rem 0; }
.facts { display: grid; grid-template-columns: repeat(auto-fit, minmax(9.5rem, 1fr)); gap: 1px; background: var(--line); border: 1px solid var(--line); border-radius: 8px; overflow: hidden; margin: 1.5rem 0 0; }
.facts div { background: var(--sheet); padding: .9rem 1rem; }
.facts dt { color: var(--soft); font-size: .85rem; }
.facts dd { margin: 0; font-size: 1.6rem; line-height: 1.25; font-variant-numeric: tabular-nums; letter-spacing: -.01em; }
.facts dd small { display: block; font-size: .82rem; color: var(--soft); letter-spacing: 0; }
.figures { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 30rem), 1fr)); gap: 1.25rem; margin: 1rem 0; }
figure { margin: 0; background: var(--sheet); border: 1px solid var(--line); border-radius: 8px; padding: 1rem; min-width: 0; }
figure h3 { margin: 0 0 .5rem; }
figcaption { margin-top: .5rem; line-height: 1.45; }
.plot { width: 100%; min-height: 8rem; }
.plot.vega-embed { display: block; }
.scroll { width: fit-content; max-width: 100%; min-width: min(100%, 22rem); overflow-x: auto; background: var(--sheet); border: 1px solid var(--line); border-radius: 8px; margin: .5rem 0; }
table { border-collapse: collapse; width: 100%; font-size: .9rem; font-variant-numeric: tabular-nums; }
th, td { padding: .4rem .7rem; text-align: left; vertical-align: top; white-space: nowrap; border-bottom: 1px solid var(--line); }
tbody tr:last-child td { border-bottom: 0; }
tbody tr:hover td { background: var(--tint); }
th { font-weight: 600; color: var(--soft); background: var(--tint); white-space: nowrap; }
.r { text-align: right; }
td.w { white-space: normal; min-width: 16rem; overflow-wrap: anywhere; }
th button { all: unset; cursor: pointer; font: inherit; color: inherit; }
th button:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
th button::after { content: "↕"; opacity: .35; margin-left: .3em; font-size: .85em; }
th[aria-sort=ascending] button::after { content: "↑"; opacity: 1; }
th[aria-sort=descending] button::after { content: "↓"; opacity: 1; }
code, pre { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; font-size: .85em; }
.id { white-space: nowrap; }
pre { margin: .5rem 0; padding: .75rem .9rem; background: var(--tint); border-radius: 6px; overflow: auto; max-height: 26rem; line-height: 1.45; }
pre .add { background: var(--add); display: block; } pre .del { background: var(--del); display: block; }
pre .at { color: var(--accent); display: block; } pre .ctx { display: block; }
.findings { list-style: none; padding: 0; margin: 1rem 0; display: grid; gap: .75rem; }
.findings li { background: var(--sheet); border: 1px solid var(--line); border-radius: 8px; padding: .85rem 1rem; display: grid; grid-template-columns: 2.2rem 8.5rem 1fr; gap: .25rem 1rem; }
.findings li.coded { grid-template-columns: 4.2rem 5rem 1fr; }
.findings .coded .no { font-size: 1rem; line-height: 1.55; text-align: left; }
.findings .no { font-size: 1.35rem; line-height: 1.2; color: var(--soft); text-align: right; font-variant-numeric: tabular-nums; }
.findings p { margin: 0 0 .3rem; max-width: none; }
.verdict { font-weight: 600; } .held { color: var(--good); } .not_held { color: var(--bad); } .undecided { color: var(--soft); }
.help .label { color: var(--good); font-weight: 600; margin-right: .4em; }
.marked { border-left: 3px solid var(--bad); padding-left: .75rem; margin-top: 1rem; }
.numbers { font-variant-numeric: tabular-nums; }
details { background: var(--sheet); border: 1px solid var(--line); border-radius: 8px; margin: .5rem 0; }
details > summary { cursor: pointer; padding: .6rem .9rem; }
details > div { padding: 0 .9rem .8rem; }
details details { border-color: var(--line); }
summary .s { color: var(--soft); }
.tag { display: inline-block; border: 1px solid var(--line); border-radius: 999px; padding: 0 .55rem; font-size: .82rem; color: var(--soft); }
.filter { display: flex; flex-wrap: wrap; gap: .75rem; align-items: center; margin: .75rem 0; }
.filter input { font: inherit; color: inherit; background: var(--sheet); border: 1px solid var(--line); border-radius: 6px; padding: .35rem .6rem; min-width: min(100%, 22rem); }
.keep { max-height: 40rem; overflow: auto; }
.keep th { position: sticky; top: 0; }
dl.plain { display: grid; grid-template-columns: max-content 1fr; gap: .25rem 1.25rem; margin: .75rem 0; }
dl.plain dt { color: var(--soft); } dl.plain dd { margin: 0; overflow-wrap: anywhere; }
footer { padding-top: 1rem; padding-bottom: 3rem; color: var(--soft); font-size: .85rem; border-top: 1px solid var(--line); }
@media (max-width: 40rem) {
  h1 { font-size: 1.6rem; } section { margin: 2rem 0; } figure { padding: .75rem; }
  .findings li { grid-template-columns: 1.2rem 1fr; } .findings li.coded { grid-template-columns: 4.2rem 1fr; } .findings .no { text-align: left; } .findings .text { grid-column: 1 / -1; }
  th, td { padding: .4rem .6rem; } dl.plain { grid-template-columns: 1fr; } dl.plain dd { margin-bottom: .4rem; }
}
@media print { nav, .filter, .skip { display: none; } .keep { max-height: none; } body { background: #fff; } }
#vg-tooltip-element { font: 13px/1.4 system-ui, sans-serif; max-width: 22rem; }
#vg-tooltip-element table tr td.value { max-width: 16rem; overflow-wrap: anywhere; }
)css";
}

} // namespace faultline::report
