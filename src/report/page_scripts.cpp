// What pages do by themselves: draw the figures in the colours of the page, sort tables, filter a
// list, and open what a link leads to. Without it every table can still be read.

#include "report/page.hpp"

namespace faultline::report {

std::string_view table_script()
{
  return R"js(
'use strict';
(() => {
  for (const table of document.querySelectorAll('table.sortable')) {
    const heads = [...table.tHead.rows[0].cells];
    heads.forEach((head, column) => head.querySelector('button').addEventListener('click', () => {
      const down = head.getAttribute('aria-sort') === 'ascending';
      for (const other of heads) other.removeAttribute('aria-sort');
      head.setAttribute('aria-sort', down ? 'descending' : 'ascending');
      const key = row => { const c = row.cells[column]; return c.dataset.n === undefined ? c.textContent : Number(c.dataset.n); };
      const order = (a, b) => typeof a === 'number' && typeof b === 'number' ? a - b : String(a).localeCompare(String(b));
      const rows = [...table.tBodies[0].rows].sort((a, b) => order(key(a), key(b)) * (down ? -1 : 1));
      table.tBodies[0].append(...rows);
    }));
  }
  const filter = document.getElementById('filter');
  if (filter) {
    const rows = [...document.querySelectorAll('[data-filtered] tbody tr')];
    const words = rows.map(row => (row.textContent + ' ' + (row.dataset.words || '')).toLowerCase());
    const shown = document.getElementById('shown');
    filter.addEventListener('input', () => {
      const wanted = filter.value.toLowerCase().split(/\s+/).filter(Boolean);
      let count = 0;
      rows.forEach((row, i) => { row.hidden = !wanted.every(w => words[i].includes(w)); count += row.hidden ? 0 : 1; });
      shown.textContent = count + ' of ' + rows.length;
    });
  }
})();
)js";
}

std::string_view figure_script()
{
  return R"js(
'use strict';
(() => {
  const figures = JSON.parse(document.getElementById('figures').textContent);
  const dark = matchMedia('(prefers-color-scheme: dark)');
  const config = () => {
    const style = getComputedStyle(document.documentElement);
    const of = name => style.getPropertyValue(name).trim();
    const ink = of('--ink'), soft = of('--soft'), line = of('--line');
    return {
      background: 'transparent',
      font: 'system-ui, sans-serif',
      view: {stroke: null},
      axis: {labelColor: ink, titleColor: soft, gridColor: line, domainColor: line, tickColor: line,
             labelFontSize: 12, titleFontSize: 12, titleFontWeight: 'normal', labelLimit: 150},
      axisY: {grid: false},
      legend: {labelColor: ink, labelFontSize: 12, symbolType: 'square'},
      style: {lost: {color: of('--bad')}, 'lost-label': {color: of('--bad'), fontSize: 12}},
    };
  };
  // A legend in five columns does not fit a phone.
  const fitted = (spec, width) => {
    const copy = JSON.parse(JSON.stringify(spec));
    const legends = [copy.encoding, ...(copy.layer || []).map(l => l.encoding)]
      .map(e => e && e.color && e.color.legend).filter(Boolean);
    for (const legend of legends) legend.columns = Math.max(2, Math.min(5, Math.floor(width / 125)));
    return copy;
  };
  const draw = () => {
    for (const plot of document.querySelectorAll('.plot')) {
      const figure = figures[plot.dataset.figure];
      vegaEmbed(plot, fitted(figure.spec, plot.clientWidth), {
        actions: false, renderer: 'svg', config: config(), tooltip: {theme: dark.matches ? 'dark' : 'light'},
      }).then(result => {
        const svg = plot.querySelector('svg');
        if (svg) { svg.setAttribute('role', 'img'); svg.setAttribute('aria-label', figure.title + '. ' + figure.caption); }
        result.view.addEventListener('click', (event, item) => {
          const link = item && item.datum && item.datum.link;
          if (link) { event.preventDefault(); go(link); }
        });
      }).catch(error => { plot.textContent = 'The figure could not be drawn: ' + error.message; });
    }
  };
  // A variant that is shown in full is at v-…, every one is a row at r-….
  const go = hash => {
    const id = decodeURIComponent(hash.slice(1));
    const target = document.getElementById(id) || document.getElementById('r-' + id.slice(2));
    if (!target) return;
    for (let at = target; at; at = at.parentElement) if (at.tagName === 'DETAILS') at.open = true;
    if (location.hash !== '#' + target.id) history.pushState(null, '', '#' + target.id);
    target.scrollIntoView({block: 'start'});
    const focus = target.querySelector('summary, a') || target;
    focus.focus({preventScroll: true});
  };
  document.addEventListener('click', event => {
    const link = event.target.closest && event.target.closest('a[href^="#"]');
    if (link && (link.hash.startsWith('#v-') || link.hash.startsWith('#r-'))) { event.preventDefault(); go(link.hash); }
  });
  addEventListener('hashchange', () => go(location.hash));
  draw();
  dark.addEventListener('change', draw);
  if (location.hash.length > 2) go(location.hash);
})();
)js";
}

} // namespace faultline::report
