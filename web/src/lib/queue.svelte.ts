import { events } from './api';
import type { Run, Runs } from './types';

// The queue of runs, live. One stream serves the whole page.
class QueueState {
  runs = $state.raw<Run[]>([]);
  running = $state(0);
  waiting = $state(0);
  workers = $state(0);
  per_user = $state(0);
  connected = $state(false);
  known = $state(false);

  take(answer: Runs) {
    this.runs = answer.runs;
    this.running = answer.running;
    this.waiting = answer.waiting;
    this.workers = answer.workers;
    this.per_user = answer.per_user;
    this.known = true;
  }

  #stop: (() => void) | undefined;

  start(): () => void {
    this.#stop = events('/events', { queue: (data: Runs) => this.take(data) }, (open) => (this.connected = open));
    return () => this.#stop?.();
  }

  // Which runs are one's own is decided when the stream is opened.
  restart() {
    this.#stop?.();
    this.start();
  }
}

export const queue = new QueueState();

export const is_over = (run: Run): boolean => run.state !== 'waiting' && run.state !== 'running';
