// Holds every answer of the real server against the description that the server itself gives of them.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import Ajv2020 from 'ajv/dist/2020.js';
import * as harness from './harness.mjs';

const { Api, campaign, crashing, silent, statistical } = harness;

let api;
let server;
let description;
let ajv;
let holes; // values for the parts in braces, by path
let parameters; // what a path must have in its query

before(async () => {
  server = await harness.serve(await harness.prepared_home());
  api = new Api(server);
  description = await api.json('/openapi.json');
  ajv = new Ajv2020({ strict: false, allErrors: true });
  ajv.addSchema(description, 'openapi');

  // A run of each kind, so that there is something to ask for.
  const tested = await api.start({ kind: 'test', fault: crashing, version: 'buggy' });
  const checked = await api.start({ kind: 'tool', fault: crashing, tool: 'check' });
  await api.wait_for(tested.id);
  await api.wait_for(checked.id);
  const faults = (await api.json('/faults?limit=500')).items.map((item) => item.id);
  const variants = (await api.json(`/campaigns/${campaign}/variants?limit=500`)).items.map((item) => item.id);
  const environments = (await api.json('/environments')).items.flatMap(({ name, forms }) => forms.map((file) => ({ name, file })));
  holes = (path) => {
    if (path.startsWith('/api/v1/environments/{name}')) return environments;
    if (path.startsWith('/api/v1/faults/{id}')) return faults.map((id) => ({ id }));
    if (path.startsWith('/api/v1/runs/{id}')) return [tested, checked].map(({ id }) => ({ id }));
    if (path.includes('/variants/{id}')) return variants.map((id) => ({ name: campaign, id }));
    return path.includes('{name}') ? [{ name: campaign }] : [{}];
  };
  parameters = { '/api/v1/scoreboard/compare': 'a=check&b=pyflakes' };
});
after(harness.clean_up);

const filled = (path, values) => path.replace(/^\/api\/v1/, '').replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(values[name]));

// The operations of the description: [path, method, operation].
const operations = () =>
  Object.entries(description.paths).flatMap(([path, methods]) => Object.entries(methods).map(([method, operation]) => [path, method, operation]));

function hold(value, pointer, what) {
  const place = pointer.map((part) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'))).join('/');
  const validate = ajv.getSchema(`openapi#/${place}`) ?? ajv.compile({ $ref: `openapi#/${place}` });
  const wrong = (error) => `${error.instancePath} ${error.message} ${Object.values(error.params).join()}`;
  assert.ok(validate(value), `${what}: ${validate.errors?.slice(0, 5).map(wrong).join('; ')}`);
}

const of_answer = (path, method, status, type) => ['paths', path, method, 'responses', String(status), 'content', type, 'schema'];
const of_error = ['components', 'schemas', 'Error'];

test('the description is one of OpenAPI 3.1, and itself valid', () => {
  assert.match(description.openapi, /^3\.1\./);
  const names = new Set();
  for (const [path, method, operation] of operations()) {
    assert.ok(operation.summary, `${method} ${path} has no summary`);
    for (const name of path.matchAll(/\{(\w+)\}/g)) {
      assert.ok(operation.parameters?.some((one) => one.in === 'path' && one.name === name[1]), `${method} ${path}: ${name[1]}`);
    }
    for (const [status, response] of Object.entries(operation.responses)) {
      for (const [type, { schema }] of Object.entries(response.content ?? {})) {
        assert.ok(schema, `${method} ${path} ${status} ${type}`);
        ajv.compile({ $ref: `openapi#/${of_answer(path, method, status, type).map((part) => encodeURIComponent(part.replaceAll('/', '~1'))).join('/')}` });
      }
    }
    names.add(path);
  }
  assert.ok(names.size >= 25, String(names.size));
});

test('a wrong answer would be noticed', async () => {
  const status = await api.json('/status');
  const place = of_answer('/api/v1/status', 'get', 200, 'application/json');
  hold(status, place, 'status');
  for (const wrong of [{ ...status, faults: 'many' }, { ...status, more: 1 }, { ...status, queue: undefined }, []]) {
    assert.throws(() => hold(JSON.parse(JSON.stringify(wrong)), place, 'status'));
  }
});

test('every GET is answered as described, for everything that there is', async () => {
  let answers = 0;
  const wrong = new Map(); // the first of each path
  for (const [path, method, operation] of operations()) {
    if (method !== 'get') continue;
    const content = operation.responses['200'].content;
    if (content['text/event-stream']) continue;
    for (const values of holes(path)) {
      const target = filled(path, values) + (parameters[path] ? `?${parameters[path]}` : '');
      const answer = await api.ask(target);
      const text = await answer.text();
      assert.equal(answer.status, 200, `${target}: ${text.slice(0, 300)}`);
      const type = answer.headers.get('content-type').split(';')[0];
      assert.ok(content[type], `${target} is ${type}`);
      try {
        if (type === 'application/json') hold(JSON.parse(text), of_answer(path, 'get', 200, type), target);
      } catch (error) {
        wrong.set(path, wrong.get(path) ?? error.message);
      }
      answers += 1;
    }
  }
  assert.deepEqual([...wrong.values()], []);
  assert.ok(answers > 200, String(answers));
});

test('answers to filters, pages and splits are as described', async () => {
  const { facets } = await api.json('/faults');
  const targets = Object.entries(facets).flatMap(([key, values]) => values.slice(0, 4).map(({ value }) => ['/faults', `${key}=${encodeURIComponent(value)}`]));
  for (const sort of description.paths['/api/v1/faults'].get.parameters.find((one) => one.name === 'sort').schema.enum) targets.push(['/faults', `sort=${sort}&limit=5`]);
  targets.push(['/faults', 'q=softmax'], ['/faults', 'limit=0'], ['/faults', 'offset=40&limit=500'], ['/faults', 'status=withdrawn&status=active']);
  targets.push(['/faults/export', 'format=json&framework=tfjs'], ['/scoreboard', 'split=dev'], ['/scoreboard', 'split=test']);
  targets.push(['/campaigns/{name}/variants', 'symptom=crash'], ['/campaigns/{name}/variants', 'sort=-metric&limit=2&offset=1']);
  for (const [path, query] of targets) {
    const target = `${filled(path, { name: campaign })}?${query}`;
    hold(await api.json(target), of_answer(`/api/v1${path}`, 'get', 200, 'application/json'), target);
  }
  // A count that a facet promises is the number of what its filter leaves.
  for (const key of ['framework', 'symptom', 'silent', 'split', 'type', 'dataset']) {
    for (const { value, count } of facets[key]) {
      assert.equal((await api.json(`/faults?limit=0&${key}=${encodeURIComponent(value)}`)).total, count, `${key}=${value}`);
    }
  }
});

test('exports come as the files that they say they are', async () => {
  const { total } = await api.json('/faults?framework=pytorch&limit=0');
  for (const [format, type] of [['csv', 'text/csv'], ['json', 'application/json'], ['jsonl', 'application/jsonl']]) {
    const answer = await api.ask(`/faults/export?framework=pytorch&format=${format}`);
    assert.equal(answer.headers.get('content-type').split(';')[0], type);
    assert.match(answer.headers.get('content-disposition'), new RegExp(`^attachment; filename="?faults\\.${format}"?$`));
    const text = await answer.text();
    const lines = text.trimEnd().split('\n').length;
    if (format === 'jsonl') assert.equal(lines, total);
    if (format === 'json') assert.equal(JSON.parse(text).length, total);
    if (format === 'csv') assert.ok(lines >= total + 1);
  }
});

// Reads a stream of events until `enough` of them have come.
async function events_of(target, enough, headers = {}) {
  const abort = new AbortController();
  const timer = setTimeout(() => abort.abort(), 15_000);
  const answer = await fetch(`${server.address}/api/v1${target}`, { signal: abort.signal, headers });
  assert.equal(answer.status, 200);
  assert.equal(answer.headers.get('content-type').split(';')[0], 'text/event-stream');
  const events = [];
  let text = '';
  const decoder = new TextDecoder();
  for await (const piece of answer.body) {
    text += decoder.decode(piece, { stream: true });
    const blocks = text.split('\n\n');
    text = blocks.pop();
    for (const block of blocks) {
      const field = (name) => new RegExp(`^${name}: ?(.*)$`, 'm').exec(block)?.[1];
      if (field('data') !== undefined) events.push({ event: field('event'), id: field('id'), data: JSON.parse(field('data')) });
    }
    if (enough(events)) break;
  }
  clearTimeout(timer);
  abort.abort();
  return events;
}

test('streams send what is described', async () => {
  const [{ id }] = holes('/api/v1/runs/{id}');
  const run = ['components', 'schemas', 'Run'];
  const over = (events) => events.some((one) => one.event === 'end');
  const events = await events_of(`/runs/${id}/events`, over);
  assert.deepEqual([...new Set(events.map((one) => one.event))].sort(), ['end', 'log', 'state']);
  for (const { event, data } of events) if (event !== 'log') hold(data, run, `${event} of run ${id}`);
  const log = await (await api.ask(`/runs/${id}/log`)).text();
  const pieces = events.filter((one) => one.event === 'log');
  assert.equal(pieces.map((one) => one.data.text).join(''), log);
  for (const { data } of pieces) {
    assert.deepEqual(Object.keys(data).sort(), ['offset', 'text']);
    assert.ok(Number.isInteger(data.offset), JSON.stringify(data.offset));
  }
  // Who comes back with the last identity gets nothing twice.
  const resumed = await events_of(`/runs/${id}/events`, over, { 'Last-Event-ID': pieces.at(-1).id });
  assert.deepEqual(resumed.filter((one) => one.event === 'log'), []);

  const [queue] = await events_of('/events', (seen) => seen.length > 0);
  assert.equal(queue.event, 'queue');
  hold(queue.data, ['components', 'schemas', 'Runs'], 'queue');
  assert.equal(queue.data.runs.length, 2);
  const [progress] = await events_of(`/campaigns/${campaign}/events`, (seen) => seen.length > 0);
  assert.equal(progress.event, 'progress');
  hold(progress.data, ['components', 'schemas', 'CampaignProgress'], 'progress');
  assert.equal(progress.data.done, progress.data.runs);
});

test('every operation refuses a parameter that it does not have, in one line', async () => {
  const wrong = [];
  for (const [path, method] of operations()) {
    const [values] = holes(path);
    const target = `${filled(path, values)}?${parameters[path] ? `${parameters[path]}&` : ''}nonsense=1`;
    const answer = await api.ask(target, { method: method.toUpperCase() });
    if (answer.status !== 400) {
      wrong.push(`${method} ${target}: ${answer.status}`);
      await answer.body?.cancel();
      continue;
    }
    const error = await answer.json();
    hold(error, of_error, target);
    if (!/^[^\n]*unknown parameter `nonsense`[^\n]*$/.test(error.error.message)) wrong.push(`${method} ${target}: ${error.error.message}`);
  }
  assert.deepEqual(wrong, []);
});

test('what does not exist is 404, another method 405, both as described', async () => {
  for (const target of [
    '/faults/none', '/faults/none/proof', '/faults/none/similar', '/faults/none/findings', '/runs/999999', '/runs/999999/log', '/runs/999999/events',
    '/runs/x', '/campaigns/none', '/campaigns/none/variants', '/campaigns/none/events', `/campaigns/${campaign}/variants/none`, '/nowhere',
    '/scoreboard/compare?a=check&b=none',
  ]) {
    hold(await api.json(target, { status: 404 }), of_error, target);
  }
  for (const path of Object.keys(description.paths)) {
    const [values] = holes(path);
    const answer = await api.ask(filled(path, values), { method: 'PUT' });
    assert.equal(answer.status, 405, path);
    assert.ok(answer.headers.get('allow').includes(Object.keys(description.paths[path])[0].toUpperCase()), path);
    hold(await answer.json(), of_error, path);
  }
});

test('what is sent is answered as described', async () => {
  const check = await api.json('/check', { method: 'POST', body: { name: 'a.py', text: "import torch\nx = torch.zeros(2, 3) @ torch.zeros(4, 5)\n" } });
  hold(check, of_answer('/api/v1/check', 'post', 200, 'application/json'), 'check');
  assert.equal(check.findings[0].line, 2);
  for (const body of [{ name: 'a.py' }, { text: 1 }, [], 'x', { name: 'a.py', text: '', more: 1 }]) {
    hold(await api.json('/check', { method: 'POST', body, status: 400 }), of_error, JSON.stringify(body));
  }
  const run = await api.start({ kind: 'test', fault: silent, version: 'fixed', seed: 3 });
  hold(run, of_answer('/api/v1/runs', 'post', 202, 'application/json'), 'run');
  hold(await api.json(`/runs/${run.id}`, { method: 'DELETE' }), of_answer('/api/v1/runs/{id}', 'delete', 200, 'application/json'), 'cancel');
  for (const [body, status] of [
    [{ kind: 'test', fault: 'none', version: 'buggy' }, 404],
    [{ kind: 'tool', fault: statistical, tool: 'pyflakes' }, 409],
    [{ kind: 'test', fault: silent, version: 'other' }, 400],
    [{ kind: 'test', fault: silent, version: 'buggy', seed: -1 }, 400],
    [{ kind: 'dance', fault: silent }, 400],
    [{}, 400],
  ]) {
    hold(await api.json('/runs', { method: 'POST', body, status }), of_error, JSON.stringify(body));
  }
  hold(await api.json('/session', { method: 'POST', body: { token: server.token } }), of_answer('/api/v1/session', 'post', 200, 'application/json'), 'session');
  hold(await api.json('/session', { method: 'POST', body: { token: 'x' }, status: 403 }), of_error, 'session');
});
