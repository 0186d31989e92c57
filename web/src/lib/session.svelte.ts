import { del, get, post } from './api';
import { queue } from './queue.svelte';
import type { Session, Status } from './types';

// Who is looking, and what this server can do for them. Reading is open to everybody; running needs the token
// that the server printed when it started.
class SessionState {
  authenticated = $state(false);
  status = $state.raw<Status>();
  dialog = $state(false);
  // Why the dialog asks, or what was wrong with the answer.
  problem = $state('');

  // Why nothing can be run, or nothing to say if it can.
  blocked = $derived.by(() => {
    if (this.status && !this.status.can_run) return this.status.reason || 'This machine cannot run programs.';
    if (!this.authenticated) return 'Sign in with the token of this server to run things.';
    return '';
  });

  ask(problem: string) {
    this.problem = problem;
    this.dialog = true;
  }

  async refresh() {
    const [session, status] = await Promise.allSettled([get<Session>('/session'), get<Status>('/status')]);
    if (session.status === 'fulfilled') this.authenticated = session.value.authenticated;
    if (status.status === 'fulfilled') this.status = status.value;
  }

  async sign_in(token: string) {
    this.authenticated = (await post<Session>('/session', { token })).authenticated;
    queue.restart();
  }

  async sign_out() {
    await del('/session');
    this.authenticated = false;
    queue.restart();
  }
}

export const session = new SessionState();
