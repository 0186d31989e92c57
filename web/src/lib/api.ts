// The server's API, /api/v1. Answers are what `types.ts` says; a refusal is an ApiError with the server's words.
// Caching is left to the browser: the server sends ETags, and fetch asks with them by itself.

export type Params = URLSearchParams | Record<string, string | number | boolean | string[] | null | undefined>;

export class ApiError extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
    this.name = 'ApiError';
  }
}

export function api_url(path: string, params?: Params): string {
  let query: URLSearchParams;
  if (params instanceof URLSearchParams) {
    query = params;
  } else {
    query = new URLSearchParams();
    for (const [key, value] of Object.entries(params ?? {})) {
      for (const one of Array.isArray(value) ? value : [value]) {
        if (one !== null && one !== undefined) query.append(key, String(one));
      }
    }
  }
  const text = query.toString();
  return `/api/v1${path}${text ? `?${text}` : ''}`;
}

async function request(method: string, url: string, body: unknown, signal?: AbortSignal): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(url, {
      method,
      signal,
      headers: body === undefined ? {} : { 'Content-Type': 'application/json' },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    throw new ApiError(0, 'The server does not respond. Is it still running?');
  }
  if (response.ok) return response;
  let message = `The server answered ${response.status} ${response.statusText}`.trim();
  try {
    const answer = (await response.json()) as { error?: { message?: string } };
    message = answer.error?.message ?? message;
  } catch {
    // Not JSON: the status has to do.
  }
  throw new ApiError(response.status, message);
}

export async function get<T>(path: string, params?: Params, signal?: AbortSignal): Promise<T> {
  return (await (await request('GET', api_url(path, params), undefined, signal)).json()) as T;
}

export async function post<T>(path: string, body: unknown, signal?: AbortSignal): Promise<T> {
  return (await (await request('POST', api_url(path), body, signal)).json()) as T;
}

export async function del<T = unknown>(path: string): Promise<T | undefined> {
  const text = await (await request('DELETE', api_url(path), undefined)).text();
  return text ? (JSON.parse(text) as T) : undefined;
}

export const is_abort = (error: unknown): boolean => error instanceof DOMException && error.name === 'AbortError';

// events listens to server-sent events until the returned function is called. The browser resumes a broken
// stream with Last-Event-ID; when it gives up, the stream is opened anew, less and less often. It is closed while
// the page is hidden: browsers allow only a handful of connections to one server, and a forgotten tab should not
// hold any. `connected` is told when the stream opens and breaks.
export function events(
  path: string,
  // biome-ignore lint/suspicious/noExplicitAny: each kind of event has data of its own, which its handler names
  handlers: Record<string, (data: any) => void>,
  connected?: (open: boolean) => void,
): () => void {
  let source: EventSource | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let delay = 1000;

  const close = () => {
    clearTimeout(timer);
    source?.close();
    source = undefined;
  };
  const open = () => {
    const opened = new EventSource(api_url(path));
    source = opened;
    opened.onopen = () => {
      delay = 1000;
      connected?.(true);
    };
    opened.onerror = () => {
      connected?.(false);
      if (source !== opened || opened.readyState !== EventSource.CLOSED) return;
      timer = setTimeout(open, delay);
      delay = Math.min(delay * 2, 30000);
    };
    for (const [name, handler] of Object.entries(handlers)) {
      opened.addEventListener(name, (event) => {
        if (source === opened) handler(JSON.parse((event as MessageEvent<string>).data));
      });
    }
  };
  const follow = () => {
    close();
    if (!document.hidden) open();
  };
  follow();
  document.addEventListener('visibilitychange', follow);
  return () => {
    document.removeEventListener('visibilitychange', follow);
    close();
  };
}
