import { is_abort } from './api';

export interface Resource<T> {
  readonly data: T | undefined;
  readonly error: Error | undefined;
  readonly loading: boolean;
  reload(): void;
}

// resource keeps the answer to a question that depends on the state of the page. Whatever `load` reads before
// its first await is watched: when it changes, the running request is cancelled and the question asked anew.
// The old answer stays until the new one is there, so that the page does not jump; `reset` decides otherwise
// for questions about something else altogether. Call it while a component is set up.
//   const fault = resource((signal) => get<Fault>(`/faults/${id}`, undefined, signal));
export function resource<T>(load: (signal: AbortSignal) => Promise<T>, options: { reset?: () => unknown } = {}): Resource<T> {
  let data = $state.raw<T>();
  let error = $state.raw<Error>();
  let loading = $state(true);
  let asked = $state(0);
  let last_reset: unknown;

  $effect(() => {
    void asked;
    const reset = options.reset?.();
    if (reset !== last_reset) {
      last_reset = reset;
      data = undefined;
      error = undefined;
    }
    const abort = new AbortController();
    loading = true;
    load(abort.signal).then(
      (answer) => {
        if (abort.signal.aborted) return;
        data = answer;
        error = undefined;
        loading = false;
      },
      (reason: unknown) => {
        if (abort.signal.aborted || is_abort(reason)) return;
        error = reason instanceof Error ? reason : new Error(String(reason));
        loading = false;
      },
    );
    return () => abort.abort();
  });

  return {
    get data() {
      return data;
    },
    get error() {
      return error;
    },
    get loading() {
      return loading;
    },
    reload() {
      asked += 1;
    },
  };
}
