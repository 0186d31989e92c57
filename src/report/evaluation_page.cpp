// The matrix is a table of links; what a link leads to is a panel that shows itself when it is the
// target, so that everything but sorting, filtering and the Escape key works without a script.

#include "report/evaluation_page.hpp"

namespace faultline::report {

std::string_view evaluation_page_style()
{
  return R"css(
:root { --both: #2c7a4b; --place: #5a9e6f; --type: #86b98f; --wrong: #d9a441; --nothing: #c9ced3; --failed: #a8552a; --none: transparent; }
@media (prefers-color-scheme: dark) {
  :root { --both: #3f9c65; --place: #35784f; --type: #2d5c40; --wrong: #9a7424; --nothing: #3a434b; --failed: #a8552a; }
}
.matrix { max-height: 46rem; overflow: auto; }
.matrix th { position: sticky; top: 0; z-index: 2; }
.matrix td { padding: .2rem .35rem; }
.matrix td:first-child { position: sticky; left: 0; background: var(--sheet); max-width: 24rem; overflow: hidden; text-overflow: ellipsis; }
.matrix a { display: block; min-width: 6.5rem; padding: .2rem .5rem; border-radius: 4px; text-decoration: none; color: var(--ink); border: 1px solid transparent; }
.matrix a:hover, .matrix a:focus-visible { border-color: var(--ink); }
.v-both { background: var(--both); } .matrix a.v-both, .key .v-both { color: #fff; }
.v-right-place { background: var(--place); } .matrix a.v-right-place, .key .v-right-place { color: #fff; }
.v-right-type { background: var(--type); } .v-wrong-cause { background: var(--wrong); } .v-said-nothing { background: var(--nothing); }
.v-crashed, .v-timed-out, .v-out-of-memory { background: var(--failed); }
.matrix a.v-crashed, .matrix a.v-timed-out, .matrix a.v-out-of-memory, .key .v-crashed { color: #fff; }
.v-not-applicable, .v-not-installed, .v-not-run { background: var(--none); } .matrix a.v-not-applicable, .matrix a.v-not-installed, .matrix a.v-not-run { color: var(--soft); }
.alarm::after { content: " !"; font-weight: 700; }
.key { display: flex; flex-wrap: wrap; gap: .5rem; list-style: none; padding: 0; font-size: .85rem; }
.key span { display: inline-block; padding: .1rem .5rem; border-radius: 4px; }
.panel { display: none; position: fixed; z-index: 8; top: 0; right: 0; bottom: 0; width: min(100%, 46rem); overflow: auto; background: var(--sheet); border-left: 1px solid var(--line); padding: 1.25rem; box-shadow: -1rem 0 3rem rgb(0 0 0 / .18); }
.panel:target { display: block; }
.panel h3 { margin: 0 3rem .25rem 0; overflow-wrap: anywhere; }
.panel h4 { margin: 1.25rem 0 .25rem; font-size: .95rem; }
.panel .close { position: absolute; top: 1rem; right: 1.25rem; text-decoration: none; font-size: 1.2rem; }
.panel ol { padding-left: 1.4rem; } .panel li { margin: .5rem 0; overflow-wrap: anywhere; }
.hit { color: var(--good); font-weight: 600; } .miss { color: var(--bad); }
@media (max-width: 40rem) { .panel { padding: 1rem; } .matrix td:first-child { max-width: 11rem; } .matrix a { min-width: 5.5rem; } }
@media print { .matrix { max-height: none; } }
)css";
}

std::string_view evaluation_page_script()
{
  return R"js(
'use strict';
(() => {
  let from = null;
  document.addEventListener('click', event => {
    const link = event.target.closest && event.target.closest('#cells a');
    if (link) from = link;
  });
  const focus = () => {
    const panel = location.hash.length > 1 && document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (panel && panel.classList.contains('panel')) panel.querySelector('.close').focus();
    else if (from) { from.focus({preventScroll: true}); from = null; }
  };
  addEventListener('hashchange', focus);
  addEventListener('keydown', event => { if (event.key === 'Escape' && location.hash.startsWith('#c-')) location.hash = '#matrix'; });
})();
)js";
}

} // namespace faultline::report
