// What the tests of the pages share: the real program, serving a home in which everything has been run once, and a
// real browser that counts everything a page must never do.

import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { chmod, cp, mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import net from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { chromium } from 'playwright-core';

export const project = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');
// Where faults, tools and the built pages are.
export const root = process.env.FAULTLINE_ROOT ?? project;
export const binary = process.env.FAULTLINE_BINARY ?? path.join(project, 'build/release/faultline');

// The faults that the prepared home knows something about. The first one crashes at once, the second trains and is
// silent, the third is decided by a statistical test.
export const crashing = 'pytorch-loss-data-index';
export const silent = 'pytorch-softmax-before-cross-entropy';
export const statistical = 'tfjs-boolean-epochs';
export const evaluated = [crashing, silent, statistical, 'pytorch-conv-without-flatten', 'pytorch-series-split'];
export const campaign = 'readings';

const run_file = promisify(execFile);
const campaign_file = path.join(project, 'tests/web/campaign/campaign.toml');

// Temporary folders and whatever else has to go at the end of a test file, the last one first.
const endings = [];
export const at_end = (ending) => endings.push(ending);
export async function clean_up() {
  while (endings.length > 0) await endings.pop()();
}

export async function temporary(name) {
  const folder = await mkdtemp(path.join(tmpdir(), `faultline-${name}-`));
  at_end(async () => {
    await make_writable(folder);
    await rm(folder, { recursive: true, force: true });
  });
  return folder;
}

async function make_writable(folder) {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const place = path.join(folder, entry.name);
    if (entry.isDirectory()) {
      await chmod(place, 0o755);
      await make_writable(place);
    }
  }
}

export async function faultline(home, ...words) {
  const env = { ...process.env, FAULTLINE_HOME: home, FAULTLINE_ROOT: root, NO_COLOR: '1' };
  return run_file(binary, words, { env, maxBuffer: 64 * 1024 * 1024 });
}

// A home in which faults were proved, tools were run and a campaign ended. It is made in the home that the other tests
// use too and brought up to date there, which runs only what changed and is not known. Every caller gets a copy, so
// that no test sees what another did.
export async function prepared_home() {
  const kept = process.env.FAULTLINE_HOME ?? path.join(project, 'build/web-test-home');
  await faultline(kept, 'verify', crashing, silent, statistical);
  await faultline(kept, 'evaluate', '--tool', 'check', '--tool', 'pyflakes', ...evaluated);
  await faultline(kept, 'campaign', 'run', campaign_file, '--out', path.join(kept, 'campaigns', campaign), '--cold');
  const home = path.join(await temporary('home'), 'home');
  await mkdir(home);
  for (const name of await readdir(kept)) {
    if (name.startsWith('store.sqlite')) await cp(path.join(kept, name), path.join(home, name));
  }
  await cp(path.join(kept, 'campaigns'), path.join(home, 'campaigns'), { recursive: true });
  return home;
}

// A small project: faults whose programs need no framework, tools that answer at once.
export async function small_project(faults, tools = {}) {
  const place = await temporary('project');
  for (const [name, { title = 'The answer is wrong', summary = 'It says 41.', general = 'Wrong.', note = '', test }] of Object.entries(faults)) {
    const folder = path.join(place, 'faults/pytorch', name);
    await mkdir(path.join(folder, 'program'), { recursive: true });
    await writeFile(path.join(folder, 'program/main.py'), "answer = 41\nprint('answer', answer)\n");
    await writeFile(
      path.join(folder, 'fix.patch'),
      "--- a/main.py\n+++ b/main.py\n@@ -1,2 +1,2 @@\n-answer = 41\n+answer = 42\n print('answer', answer)\n",
    );
    await writeFile(path.join(folder, 'test.py'), test);
    const quoted = JSON.stringify;
    await writeFile(
      path.join(folder, 'fault.toml'),
      `id = "pytorch-${name}"
title = ${quoted(title)}
framework = "pytorch"
split = "dev"
summary = ${quoted(summary)}
general = ${quoted(general)}
[origin]
kind = "github"
url = "https://example.org/1"
[labels]
type = "api/wrong-api-usage"
category = "api-misuse"
fix_pattern = "api-contract"
symptom = "incorrect-functionality"
property = "correctness"
phase = "learning"
level = "ml-component"
[location]
file = "main.py"
lines = [1]
[run]
command = ["python3", "main.py"]
test = ["python3", "../test.py"]
timeout_seconds = 60
[oracle]
evidence = "answer 41"
[environment]
[realism]
api = "same"
data = "same"
fix = "equivalent"
note = ${quoted(note)}
`,
    );
  }
  await mkdir(path.join(place, 'tools'));
  for (const [name, text] of Object.entries(tools)) await writeFile(path.join(place, 'tools', name), text);
  for (const name of ['probes', 'taxonomy']) await symlink(path.join(root, name), path.join(place, name));
  return place;
}

export const verdict_test = `import runpy, sys
names = runpy.run_path('main.py')
if names['answer'] != 42:
    sys.exit('wrong answer')
`;
// Prints a line at once and then one every tenth of a second.
export const slow_test = (seconds) => `import time
for number in range(${seconds * 10}):
    print('line', number, flush=True)
    time.sleep(.1)
`;

// Starts the server and gives its address and token once it has printed them.
export async function serve(home, { at = root, words = [] } = {}) {
  const child = spawn(binary, ['serve', '--port', '0', '--web', path.join(root, 'build/web'), ...words], {
    env: { ...process.env, FAULTLINE_HOME: home, FAULTLINE_ROOT: at, NO_COLOR: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const over = new Promise((resolve) => child.once('exit', resolve));
  const stop = async (signal = 'SIGINT') => {
    if (child.exitCode === null && child.signalCode === null) child.kill(signal);
    await over;
  };
  at_end(() => stop());
  let printed = '';
  let complaints = '';
  child.stderr.on('data', (bytes) => (complaints += bytes));
  const [, address, token] = await new Promise((resolve, reject) => {
    child.stdout.on('data', (bytes) => {
      printed += bytes;
      const found = /(http:\/\/[^/]+)\/\?token=(\w+)\s/.exec(printed);
      if (found) resolve(found);
    });
    over.then(() => reject(new Error(`the server ended: ${printed}${complaints}`)));
  });
  return { address, token, port: Number(new URL(address).port), host: new URL(address).host, child, stop };
}

// Answers as a client without a browser gets them. A body is sent as whoever has the token sends it.
export class Api {
  constructor(server) {
    this.server = server;
  }
  ask(target, { method = 'GET', body, headers = {} } = {}) {
    return fetch(`${this.server.address}/api/v1${target}`, {
      method,
      body: body === undefined ? undefined : JSON.stringify(body),
      headers: { ...(method === 'GET' ? {} : { Authorization: `Bearer ${this.server.token}`, 'Content-Type': 'application/json' }), ...headers },
      signal: AbortSignal.timeout(30_000),
    });
  }
  async json(target, options = {}) {
    const { status = 200, ...rest } = options;
    const answer = await this.ask(target, rest);
    const text = await answer.text();
    assert.equal(answer.status, status, `${target}: ${text}`);
    return JSON.parse(text);
  }
  start(body) {
    return this.json('/runs', { method: 'POST', body, status: 202 });
  }
  // The run once it is in one of these states.
  async wait_for(id, ...states) {
    const wanted = states.length > 0 ? states : ['finished', 'failed', 'cancelled', 'interrupted'];
    const last = Date.now() + 60_000;
    for (;;) {
      const run = await this.json(`/runs/${id}`);
      if (wanted.includes(run.state)) return run;
      assert.ok(Date.now() < last, `run ${id} stays ${run.state}`);
      await pause(50);
    }
  }
}

export const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

// A plain connection, for what no proper client would send. Gives everything that came before the other side closed,
// or within these seconds.
export function raw(port, bytes, { seconds = 5 } = {}) {
  return new Promise((resolve) => {
    const started = Date.now();
    const socket = net.connect(port, '127.0.0.1');
    let text = '';
    const done = () => {
      socket.destroy();
      resolve({ text, status: Number(/^HTTP\/1\.1 (\d+)/.exec(text)?.[1] ?? 0), seconds: (Date.now() - started) / 1000 });
    };
    socket.setTimeout(seconds * 1000, done);
    socket.on('data', (piece) => (text += piece.toString('latin1')));
    socket.on('close', done);
    socket.on('error', done);
    socket.on('connect', () => socket.write(bytes));
  });
}

export async function launch() {
  const browser = await chromium.launch({
    executablePath: '/usr/bin/chromium',
    headless: true,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
  at_end(() => browser.close());
  return browser;
}

// A browser profile of its own, on one server. `wrongs` collects what no page may do: ask another origin, break the
// policy, throw, or write an error to the console. `expected` lets through what a test provokes.
export class Visitor {
  static async come(browser, server, { expected = [], scripts = [], ...options } = {}) {
    const visitor = new Visitor();
    visitor.server = server;
    visitor.wrongs = [];
    visitor.requests = [];
    const forgiven = (text) => expected.some((pattern) => pattern.test(text));
    const note = (text) => {
      if (!forgiven(text)) visitor.wrongs.push(text);
    };
    visitor.context = await browser.newContext({ baseURL: server.address, viewport: { width: 1280, height: 900 }, ...options });
    visitor.context.setDefaultTimeout(45_000); // on a busy machine everything takes long
    for (const script of scripts) await visitor.context.addInitScript(script);
    await visitor.context.addInitScript(() => {
      document.addEventListener('securitypolicyviolation', (event) =>
        console.error(`policy: ${event.violatedDirective} refuses ${event.blockedURI || event.sample}`),
      );
    });
    visitor.context.on('request', (request) => {
      const url = new URL(request.url());
      visitor.requests.push(url);
      if (url.origin !== server.address && url.protocol !== 'data:' && url.protocol !== 'blob:') note(`asked ${url}`);
    });
    visitor.context.on('page', (page) => {
      page.on('console', (message) => {
        if (message.type() === 'error' || message.type() === 'warning') note(`${page.url()}: ${message.text()} ${message.location().url}`);
      });
      page.on('pageerror', (error) => note(`${page.url()}: ${error.stack ?? error}`));
      page.on('dialog', (dialog) => {
        note(`${page.url()}: a dialog said ${dialog.message()}`);
        void dialog.dismiss();
      });
    });
    return visitor;
  }

  async open(target = '/', page = undefined) {
    const shown = page ?? (await this.context.newPage());
    await shown.goto(target);
    await this.settled(shown);
    return shown;
  }

  // The view is there and nothing of it is still being loaded.
  async settled(page) {
    await page.locator('main h1').first().waitFor({ state: 'attached' });
    await page.waitForFunction(() => document.querySelector('main .loading, main [aria-busy="true"]') === null);
  }

  async sign_in(page) {
    await page.getByRole('button', { name: 'Sign in to run' }).click();
    await page.getByLabel('Token').fill(this.server.token);
    await page.getByRole('dialog').getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('button', { name: 'Sign out' }).waitFor();
  }

  async leave() {
    await this.context.close();
    assert.deepEqual(this.wrongs, []);
  }
}
