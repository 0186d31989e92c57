// The address bar is the state of the page. `route` is what it says, `navigate` changes it; clicks on plain
// links within the site are taken over, so that views write ordinary <a href>.

export type Route =
  | { name: 'faults' }
  | { name: 'fault'; id: string }
  | { name: 'taxonomy' }
  | { name: 'scoreboard' }
  | { name: 'compare' }
  | { name: 'campaigns' }
  | { name: 'campaign'; campaign: string }
  | { name: 'variant'; campaign: string; id: string }
  | { name: 'check' }
  | { name: 'criteria' }
  | { name: 'glossary' }
  | { name: 'runs' }
  | { name: 'not-found' };

function parse(path: string): Route {
  let parts: string[];
  try {
    parts = path.split('/').filter(Boolean).map(decodeURIComponent);
  } catch {
    return { name: 'not-found' };
  }
  const [first, second, third, fourth] = parts;
  switch (parts.length) {
    case 0:
      return { name: 'faults' };
    case 1:
      if (
        first === 'faults' || first === 'taxonomy' || first === 'scoreboard' || first === 'campaigns' ||
        first === 'check' || first === 'criteria' || first === 'glossary' || first === 'runs'
      ) {
        return { name: first };
      }
      break;
    case 2:
      if (first === 'faults') return { name: 'fault', id: second! };
      if (first === 'scoreboard' && second === 'compare') return { name: 'compare' };
      if (first === 'campaigns') return { name: 'campaign', campaign: second! };
      break;
    case 4:
      if (first === 'campaigns' && third === 'variants') return { name: 'variant', campaign: second!, id: fourth! };
      break;
  }
  return { name: 'not-found' };
}

class Router {
  path = $state(location.pathname);
  search = $state(location.search);
  hash = $state(location.hash);

  // What is shown, and the query string as state. The query is a copy: change it through `set_query`.
  route = $derived(parse(this.path));
  query = $derived(new URLSearchParams(this.search));

  sync() {
    this.path = location.pathname;
    this.search = location.search;
    this.hash = location.hash;
  }
}

export const router = new Router();

// navigate moves to an address of this site. With `replace` the present entry of the history is overwritten,
// which is right for what changes with every key; `keep` leaves scroll position and focus where they are.
export function navigate(to: string, options: { replace?: boolean; keep?: boolean } = {}): void {
  const before = location.pathname;
  stop_restoring();
  if (options.replace) history.replaceState(history.state, '', to);
  else history.pushState({ y: 0 }, '', to);
  router.sync();
  if (options.keep || location.pathname === before) return;
  window.scrollTo(0, 0);
  // A new view is announced and read from its start, as after loading a page.
  requestAnimationFrame(() => document.getElementById('main')?.focus({ preventScroll: true }));
}

// set_query writes the query string of the present view. Empty values are left out, so that addresses stay short.
export function set_query(
  changes: Record<string, string | string[] | null | undefined>,
  options: { replace?: boolean } = {},
): void {
  const query = new URLSearchParams(location.search);
  for (const [key, value] of Object.entries(changes)) {
    query.delete(key);
    for (const one of Array.isArray(value) ? value : [value]) {
      if (one !== null && one !== undefined && one !== '') query.append(key, one);
    }
  }
  navigate(href(location.pathname, query), { ...options, keep: true });
}

// href joins a path and a query: href('/scoreboard/compare', { a: 'check', b: 'watch' }).
export function href(path: string, query: URLSearchParams | Record<string, string | undefined> = {}): string {
  const given = query instanceof URLSearchParams ? query : Object.entries(query).filter((one) => one[1] !== undefined);
  const text = new URLSearchParams(given as URLSearchParams | [string, string][]).toString();
  return text ? `${path}?${text}` : path;
}

function on_click(event: MouseEvent): void {
  if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) {
    return;
  }
  const link = (event.target as Element | null)?.closest?.('a[href]') as HTMLAnchorElement | null;
  if (!link || link.target || link.hasAttribute('download') || link.origin !== location.origin) return;
  if (link.pathname.startsWith('/api/')) return;
  // Places within the page are the browser's own business.
  if (link.hash && link.pathname === location.pathname && link.search === location.search) return;
  event.preventDefault();
  navigate(link.pathname + link.search + link.hash);
}

// Views load what they show, so where the reader was can be restored only when the page is long enough again, and
// has to be held for a moment while it grows. Each entry of the history keeps its place; a reader who does something
// meanwhile is left alone.

let restoring: number | undefined;

function stop_restoring(): void {
  if (restoring !== undefined) cancelAnimationFrame(restoring);
  restoring = undefined;
}

function restore(y: number): void {
  stop_restoring();
  if (y === 0) {
    window.scrollTo(0, 0);
    return;
  }
  const until = performance.now() + 1500;
  const attempt = () => {
    const reachable = document.documentElement.scrollHeight - window.innerHeight;
    if (reachable >= y && Math.abs(window.scrollY - y) > 1) window.scrollTo(0, y);
    restoring = performance.now() < until ? requestAnimationFrame(attempt) : undefined;
  };
  restoring = requestAnimationFrame(attempt);
}

export function start_router(): void {
  history.scrollRestoration = 'manual';
  let saving: ReturnType<typeof setTimeout> | undefined;
  const on_scroll = () => {
    clearTimeout(saving);
    if (restoring === undefined) saving = setTimeout(() => history.replaceState({ y: window.scrollY }, ''), 150);
  };
  const place = () => (history.state as { y?: number } | null)?.y ?? 0;
  if (location.pathname === '/') navigate(`/faults${location.search}`, { replace: true, keep: true });
  const on_pop = () => {
    clearTimeout(saving);
    router.sync();
    restore(place());
  };
  if (!location.hash) restore(place());
  addEventListener('popstate', on_pop);
  addEventListener('scroll', on_scroll, { passive: true });
  for (const name of ['wheel', 'touchmove', 'pointerdown', 'keydown']) addEventListener(name, stop_restoring, { passive: true });
  addEventListener('hashchange', () => router.sync());
  document.addEventListener('click', on_click);
}
