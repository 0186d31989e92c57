// A project that wants to harm its readers, requests that no proper client sends, and a server that is killed.

import assert from 'node:assert/strict';
import net from 'node:net';
import path from 'node:path';
import { after, before, test } from 'node:test';
import * as harness from './harness.mjs';

const { Api, Visitor, raw } = harness;

// Sets a mark if any of it runs. A text of all of them goes wherever a fault may have text.
const script = `<script>window.harmed='script'</script>`;
const image = `<img src=x onerror="window.harmed='image'">`;
const frame = `<svg onload="window.harmed='svg'"><iframe srcdoc="<script>parent.harmed='frame'</script>">`;
const evil = `${script}${image}${frame}"'><b>{{7*7}}</b>`;

const hostile_tool = `name = "evil"
summary = ${JSON.stringify(evil)}
kind = "static"
command = ["sh", "-c", '''printf '%s' '[{"rule":"<img src=x onerror=window.harmed=1>","file":"main.py","line":1,"message":"<script>window.harmed=2</script>","severity":"error"}]' ''', "sh", "{entry}"]
[output]
format = "json"
`;

let root;
let home;
let server;
let api;
let browser;

before(async () => {
  root = await harness.small_project(
    {
      evil: {
        title: `Title ${evil}`,
        summary: `Summary ${evil}`,
        general: `General ${evil}`,
        note: `Note ${evil}`,
        test: `print(${JSON.stringify(evil)})\nprint('\\x1b[31mred\\x1b[0m ]]> --> </pre></main>${script.replaceAll("'", '"')}')\n${harness.verdict_test}`,
      },
      answer: { test: harness.verdict_test },
      slow: { test: harness.slow_test(50) },
    },
    { 'evil.toml': hostile_tool },
  );
  home = path.join(await harness.temporary('hostile'), 'home');
  server = await harness.serve(home, { at: root });
  api = new Api(server);
});
after(harness.clean_up);

const head = (line, { host = server.host, more = '' } = {}) => `${line} HTTP/1.1\r\nHost: ${host}\r\n${more}Connection: close\r\n\r\n`;

// Nothing of what came before hurt it.
async function still_fine() {
  const status = await api.json('/status');
  assert.equal(status.faults, 3);
}

test('the text of a fault, a log and a finding is shown and never run', async () => {
  browser = await harness.launch();
  // The word onerror as text is fine; a request for /x would mean that the image is one.
  const visitor = await Visitor.come(browser, server);
  const page = await visitor.open('/faults');
  const harmless = async (where) => {
    assert.equal(await page.evaluate(() => window.harmed), undefined, where);
    assert.equal(await page.locator('main img, main iframe, main script, main b').count(), 0, where);
  };
  await page.getByRole('link', { name: `Title ${evil}` }).waitFor();
  await harmless('the list');
  await page.getByRole('searchbox').fill(script);
  await page.getByRole('button', { name: 'Clear all' }).waitFor();
  await harmless('the search');

  await visitor.open('/faults/pytorch-evil', page);
  await page.getByRole('heading', { level: 1, name: `Title ${evil}` }).waitFor();
  for (const part of ['Summary', 'General', 'Note']) await page.getByText(`${part} ${evil}`).waitFor();
  assert.ok((await page.title()).startsWith(`Title ${evil}`));
  await harmless('the fault');

  await visitor.sign_in(page);
  await page.getByRole('button', { name: 'Run failing test' }).click();
  const log = page.getByRole('region', { name: /^Log of run/ });
  await page.getByRole('region', { name: /^Run \d+: Test/ }).getByText('fail', { exact: true }).waitFor();
  await log.filter({ hasText: evil }).waitFor();
  await harmless('the log');
  await page.getByRole('button', { name: 'Run evil' }).click();
  await page.getByRole('region', { name: 'Tools', exact: true }).getByText('<script>window.harmed=2</script>').waitFor();
  await page.locator('.note-message', { hasText: '<script>window.harmed=2</script>' }).first().waitFor();
  await harmless('the findings');

  await visitor.open('/scoreboard', page);
  await page.getByRole('button', { name: /^evil: / }).first().click();
  await page.getByRole('dialog').waitFor();
  await harmless('the scoreboard');
  await visitor.open(`/runs`, page);
  await page.locator('tbody tr').first().waitFor();
  await harmless('the runs');
  for (const address of [`/faults?q=${encodeURIComponent(image)}`, `/faults/${encodeURIComponent(evil.replaceAll('/', ''))}`, `/${encodeURIComponent(evil.replaceAll('/', ''))}`]) {
    await page.goto(address);
    await page.locator('main h1').first().waitFor({ state: 'attached' });
    await harmless(address);
  }
  // Pasted into the check, it is a program that cannot be read, and shown as text.
  await visitor.open('/check', page);
  await page.getByRole('textbox', { name: 'Program to check' }).focus();
  await page.keyboard.insertText(`x = "${evil}"\n`);
  await page.getByRole('status').filter({ hasText: / in / }).waitFor();
  await harmless('the check');
  visitor.wrongs = visitor.wrongs.filter((text) => !/status of 404/.test(text)); // of the fault that is not there
  await visitor.leave();

  // As plain text the log must not become a page in a browser that guesses.
  const [{ id }] = (await api.json('/runs')).runs.filter((run) => run.kind === 'test');
  const answer = await api.ask(`/runs/${id}/log`);
  assert.match(answer.headers.get('content-type'), /^text\/plain/);
  assert.equal(answer.headers.get('x-content-type-options'), 'nosniff');
  assert.match(answer.headers.get('content-security-policy'), /default-src 'none'/);
});

test('no path leads out of what is served', async () => {
  const ways = [
    '../', '..%2f', '%2e%2e/', '%2e%2e%2f', '%2E%2E%2F', '..%5c', '..\\', '%2e%2e%5c', '%252e%252e%252f', '..%252f', '%c0%ae%c0%ae/', '..%c0%af',
    '%uff0e%uff0e/', '....//', '..;/', './../', '%2e/%2e%2e/', '..%00/', '..%0a/', '..//',
  ];
  for (const way of ways) {
    for (const start of ['/', '/assets/', '/api/v1/faults/', '/api/v1/campaigns/', '/api/v1/runs/']) {
      for (const end of ['etc/passwd', 'serve.sqlite', 'fault.toml']) {
        const target = `${start}${way.repeat(8)}${end}`;
        const { status, text } = await raw(server.port, head(`GET ${target}`));
        assert.ok([200, 400, 404].includes(status), `${target}: ${status}`);
        assert.ok(!/root:|SQLite format|\[labels\]/.test(text), target);
        // Where a page answers, it is the front end's own.
        if (status === 200) assert.match(text, /<div id="app">/, target);
      }
    }
  }
  for (const target of ['/index.html%00.js', '/assets', '/assets/', '//etc/passwd', '/C:/windows', '/.git/config', '/%2fetc%2fpasswd', '*', 'http://elsewhere/', '']) {
    const { text } = await raw(server.port, head(`GET ${target}`));
    assert.ok(!/root:|\[core\]/.test(text), target);
  }
  await still_fine();
});

test('it answers under its own name only', async () => {
  for (const host of ['evil.example', `evil.example:${server.port}`, '127.0.0.1', '127.0.0.1:1', `localhost.evil:${server.port}`, `127.0.0.1.nip.io:${server.port}`, `127.0.0.1:${server.port}@evil`, '']) {
    for (const target of ['/', '/api/v1/status', `/?token=${server.token}`]) {
      const { status, text } = await raw(server.port, head(`GET ${target}`, { host }));
      assert.equal(status, 421, `${host} ${target}`);
      assert.ok(!/set-cookie/i.test(text));
    }
  }
  assert.equal((await raw(server.port, 'GET /api/v1/status HTTP/1.1\r\nConnection: close\r\n\r\n')).status, 421);
  assert.equal((await raw(server.port, head('GET /api/v1/status', { more: 'Host: evil.example\r\n' }))).status, 400);
  assert.equal((await raw(server.port, head('GET /api/v1/status', { host: `localhost:${server.port}` }))).status, 200);
});

test('no other site can make a reader’s browser start anything', async () => {
  // The cookie of a reader who has signed in.
  const opened = await fetch(`${server.address}/?token=${server.token}`, { redirect: 'manual' });
  const [cookie] = opened.headers.get('set-cookie').split(';');
  const body = JSON.stringify({ kind: 'test', fault: 'pytorch-answer', version: 'buggy' });
  const post = (more) =>
    raw(server.port, `POST /api/v1/runs HTTP/1.1\r\nHost: ${server.host}\r\nCookie: ${cookie}\r\nContent-Length: ${body.length}\r\n${more}Connection: close\r\n\r\n${body}`);
  for (const origin of ['http://evil.example', 'null', `http://localhost.evil:${server.port}`, `http://127.0.0.1:${server.port + 1}`, `${server.address}.evil.example`, `ftp://${server.host}`, '']) {
    assert.equal((await post(`Origin: ${origin}\r\nContent-Type: text/plain\r\n`)).status, 403, origin);
  }
  assert.equal((await post('')).status, 403);
  assert.equal((await post(`Referer: ${server.address}/\r\n`)).status, 403);
  // Its own pages can; whoever has no cookie and no token cannot, and is told so.
  const runs = (await api.json('/runs')).runs.length;
  assert.equal((await post(`Origin: ${server.address}\r\nContent-Type: application/json\r\n`)).status, 202);
  assert.equal((await api.json('/runs')).runs.length, runs + 1);
  const nobody = await fetch(`${server.address}/api/v1/runs`, { method: 'POST', body, headers: { Origin: server.address } });
  assert.equal(nobody.status, 401);
  for (const forged of ['faultline_session=admin.00', `faultline_session=${server.token}`, cookie.slice(0, -1), `${cookie}0`]) {
    const answer = await fetch(`${server.address}/api/v1/runs`, { method: 'POST', body, headers: { Origin: server.address, Cookie: forged } });
    assert.equal(answer.status, 401, forged);
  }
  // Nor may another site read: no answer allows it.
  const read = await api.ask('/faults', { headers: { Origin: 'http://evil.example' } });
  assert.equal(read.headers.get('access-control-allow-origin'), null);
  assert.equal(read.headers.get('cross-origin-resource-policy'), 'same-origin');
});

test('50 MB of a script are refused at once and not read', async () => {
  const size = 50 * 1024 * 1024;
  const answer = await new Promise((resolve) => {
    const started = Date.now();
    const socket = net.connect(server.port, '127.0.0.1');
    let text = '';
    const done = () => {
      socket.destroy();
      resolve({ text, seconds: (Date.now() - started) / 1000 });
    };
    socket.on('data', (piece) => {
      text += piece.toString('latin1');
      if (text.includes('\r\n\r\n')) done();
    });
    socket.on('error', done);
    socket.on('close', done);
    socket.on('connect', () => {
      socket.write(`POST /api/v1/check HTTP/1.1\r\nHost: ${server.host}\r\nOrigin: ${server.address}\r\nContent-Length: ${size}\r\n\r\n`);
      socket.write(Buffer.alloc(size, '#'));
    });
  });
  assert.match(answer.text, /^HTTP\/1\.1 413 /);
  // And through a client that waits until it has sent everything, with the same words in JSON.
  const response = await fetch(`${server.address}/api/v1/check`, {
    method: 'POST',
    headers: { Origin: server.address, 'Content-Type': 'application/json' },
    body: JSON.stringify({ name: 'a.py', text: '#'.repeat(3 * 1024 * 1024) }),
  });
  assert.equal(response.status, 413);
  assert.equal((await response.json()).error.status, 413);
  await still_fine();
});

test('SQL is text like any other', async () => {
  const attacks = [`' OR '1'='1`, `'; DROP TABLE entry; --`, `" OR ""="`, `1; SELECT * FROM sqlite_master`, `%' AND 1=0 UNION SELECT * FROM run --`, 'NEAR(a b)', 'title:*', '"', '*', 'a AND', '^', '-'];
  const { paths } = await api.json('/openapi.json');
  const everything = await api.json('/faults');
  const runs_before = (await api.json('/runs')).runs.length;
  let asked = 0;
  for (const [pattern, methods] of Object.entries(paths)) {
    for (const { name, in: where } of methods.get?.parameters ?? []) {
      for (const attack of attacks) {
        const text = encodeURIComponent(attack);
        let target = pattern.replace('/api/v1', '').replace(/\{(\w+)\}/g, (_, hole) => (where === 'path' && hole === name ? text : 'pytorch-answer'));
        if (where === 'query') target += `?${name}=${text}`;
        const answer = await api.ask(target);
        const said = await answer.text();
        assert.ok([200, 400, 404].includes(answer.status), `${target}: ${answer.status} ${said.slice(0, 200)}`);
        assert.ok(!/sqlite|syntax error|no such column|fts5/i.test(said.replace(/sqlite_master/g, '')), `${target}: ${said.slice(0, 200)}`);
        // It may find what has these words, never more than there is.
        if (answer.status === 200 && pattern === '/api/v1/faults') assert.ok(JSON.parse(said).total <= everything.total);
        asked += 1;
      }
    }
  }
  assert.ok(asked > 500, String(asked));
  // In every text of every body, and where a run to cancel is named.
  const bodies = [
    ['POST', '/session', { token: 'x' }],
    ['POST', '/check', { name: 'a.py', text: 'pass' }],
    ['POST', '/runs', { kind: 'test', fault: 'pytorch-answer', version: 'buggy' }],
    ['POST', '/runs', { kind: 'tool', fault: 'pytorch-answer', tool: 'evil' }],
  ];
  for (const attack of attacks) {
    const sent = bodies.flatMap(([method, target, body]) => Object.keys(body).map((key) => [method, target, { ...body, [key]: attack }]));
    sent.push(['DELETE', `/runs/${encodeURIComponent(attack)}`]);
    for (const [method, target, body] of sent) {
      const answer = await api.ask(target, { method, body });
      const said = await answer.text();
      const what = `${method} ${target} ${JSON.stringify(body)}: ${answer.status} ${said.slice(0, 200)}`;
      assert.ok((target === '/check' ? [200, 400] : [400, 401, 403, 404]).includes(answer.status), what);
      assert.ok(!/sqlite|no such column|fts5/i.test(said.replace(/sqlite_master/g, '')), what);
    }
  }
  assert.equal((await api.json('/runs')).runs.length, runs_before);
  assert.deepEqual(await api.json('/faults'), everything);
  await still_fine();
});

test('who sends slowly is cut off and keeps nobody waiting', async () => {
  const begun = Date.now();
  const slow = Array.from({ length: 100 }, (_, number) =>
    new Promise((resolve) => {
      const socket = net.connect(server.port, '127.0.0.1');
      let text = '';
      let drip;
      const done = () => {
        clearInterval(drip);
        socket.destroy();
        resolve({ text, seconds: (Date.now() - begun) / 1000 });
      };
      socket.on('data', (piece) => (text += piece.toString('latin1')));
      socket.on('error', done);
      socket.on('close', done);
      // Half of them never end their headers, half of them their body.
      socket.on('connect', () => {
        socket.write(number % 2 ? `GET /api/v1/status HTTP/1.1\r\nHost: ${server.host}\r\n` : `POST /api/v1/check HTTP/1.1\r\nHost: ${server.host}\r\nOrigin: ${server.address}\r\nContent-Length: 100000\r\n\r\n`);
        drip = setInterval(() => socket.write(number % 2 ? 'X-A: b\r\n' : 'a'), 500);
      });
    }),
  );
  await harness.pause(1000);
  const asked = Date.now();
  await still_fine();
  assert.ok(Date.now() - asked < 5000, `${Date.now() - asked} ms`);
  for (const { text, seconds } of await Promise.all(slow)) {
    assert.ok(seconds < 20, `cut off after ${seconds} s`);
    assert.match(text, /^HTTP\/1\.1 408 /);
  }
  await still_fine();
});

test('requests that mean two things are refused', async () => {
  for (const [request, statuses] of [
    [`POST /api/v1/check HTTP/1.1\r\nHost: ${server.host}\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello!`, [400]],
    [`POST /api/v1/check HTTP/1.1\r\nHost: ${server.host}\r\nTransfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n`, [400, 411]],
    [`GET /api/v1/status HTTP/1.1\r\nHost: ${server.host}\r\nX: a\r\n b\r\n\r\n`, [400]],
    [`GET /api/v1/status HTTP/1.1\r\nHost : ${server.host}\r\n\r\n`, [400]],
    [`GET /api/v1/status HTTP/1.1\nHost: ${server.host}\n\n`, [0, 400, 408, 421]],
    ['\0\0\0\0\r\n\r\n', [400]],
    ['GET / HTTP/9.9\r\n\r\n', [505]],
    [`TRACE / HTTP/1.1\r\nHost: ${server.host}\r\n\r\n`, [405, 501]],
    [`GET /${'a'.repeat(100_000)} HTTP/1.1\r\nHost: ${server.host}\r\n\r\n`, [414]],
    [`GET / HTTP/1.1\r\nHost: ${server.host}\r\n${'X-Header: value\r\n'.repeat(20_000)}\r\n`, [431]],
  ]) {
    const { status } = await raw(server.port, request, { seconds: 3 });
    assert.ok(statuses.includes(status), `${JSON.stringify(request.slice(0, 80))}: ${status}`);
  }
  await still_fine();
});

test('a kill in the middle of a run loses that run and nothing else', async () => {
  const running = await api.start({ kind: 'test', fault: 'pytorch-slow', version: 'buggy' });
  const waiting = await api.start({ kind: 'test', fault: 'pytorch-answer', version: 'buggy' });
  const after_it = await api.start({ kind: 'tool', fault: 'pytorch-answer', tool: 'evil' });
  await api.wait_for(running.id, 'running');
  assert.equal((await api.json(`/runs/${waiting.id}`)).state, 'waiting');
  const log = () => api.ask(`/runs/${running.id}/log`).then((answer) => answer.text());
  while (!(await log()).includes('line 5\n')) await harness.pause(50);
  const before_it = await api.json('/runs');
  await server.stop('SIGKILL');

  server = await harness.serve(home, { at: root });
  api = new Api(server);
  const cut = await api.json(`/runs/${running.id}`);
  assert.equal(cut.state, 'interrupted');
  assert.equal(cut.verdict, null);
  assert.deepEqual(cut.findings, []);
  // What is served of its log is a beginning of it.
  const whole = Array.from({ length: 500 }, (_, number) => `line ${number}\n`).join('');
  const kept = await log();
  assert.ok(whole.startsWith(kept), kept);
  const went_on = await api.wait_for(waiting.id);
  assert.deepEqual([went_on.state, went_on.verdict], ['finished', 'fail']);
  assert.equal((await api.wait_for(after_it.id)).state, 'finished');
  // Everything of before is there as it was.
  const now = new Map((await api.json('/runs')).runs.map((run) => [run.id, run]));
  for (const run of before_it.runs) {
    if (run.state === 'finished' || run.state === 'cancelled') assert.deepEqual({ ...now.get(run.id), yours: run.yours }, run);
    else assert.ok(now.has(run.id));
  }
  // The old token is worth nothing, and nothing is left running.
  assert.equal((await api.json('/status')).queue.running, 0);
  await still_fine();
});
