// What a user does in each view, in a real browser. Every test ends with the proof that no page asked another origin,
// broke the policy or complained (Visitor.leave).

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { after, before, test } from 'node:test';
import * as harness from './harness.mjs';

const { Api, Visitor, campaign, crashing, silent, statistical } = harness;

let browser;
let server;
let api;
let views; // name → address
let titles; // name → what its title says

before(async () => {
  const home = await harness.prepared_home();
  server = await harness.serve(home);
  api = new Api(server);
  browser = await harness.launch();
  const { name: campaign_name, outliers } = await api.json(`/campaigns/${campaign}`);
  views = {
    faults: '/faults',
    fault: `/faults/${crashing}`,
    'statistical fault': `/faults/${statistical}`,
    taxonomy: '/taxonomy?node=api/deprecated-api',
    treemap: '/taxonomy?view=map',
    scoreboard: '/scoreboard',
    compare: '/scoreboard/compare?a=check&b=pyflakes',
    campaigns: '/campaigns',
    campaign: `/campaigns/${campaign}`,
    variant: `/campaigns/${campaign}/variants/${outliers[0].variant}`,
    check: '/check',
    criteria: '/criteria',
    glossary: '/glossary',
    runs: '/runs',
    'no such page': '/nowhere',
  };
  const title_of = async (id) => (await api.json(`/faults/${id}`)).title;
  const { nodes } = await api.json('/taxonomy');
  titles = {
    faults: 'Faults',
    fault: await title_of(crashing),
    'statistical fault': await title_of(statistical),
    taxonomy: `${nodes.find((node) => node.id === 'api/deprecated-api').name} · Taxonomy`,
    treemap: 'Taxonomy',
    scoreboard: 'Scoreboard',
    compare: 'check and pyflakes',
    campaigns: 'Campaigns',
    campaign: campaign_name,
    variant: `${outliers[0].variant} · ${campaign}`,
    check: 'Check',
    criteria: 'Criteria',
    glossary: 'Glossary',
    runs: 'Runs',
    'no such page': 'Not found',
  };
});
after(harness.clean_up);

// A test with a browser profile of its own.
function visit(name, options, body) {
  test(name, async () => {
    const visitor = await Visitor.come(browser, server, typeof options === 'function' ? {} : options);
    await (typeof options === 'function' ? options : body)(visitor);
    await visitor.leave();
  });
}

// The page comes to hold what is asked of it, soon.
async function soon(look, wanted) {
  const last = Date.now() + 45_000;
  for (;;) {
    const seen = await look();
    try {
      if (typeof wanted === 'function') assert.ok(wanted(seen), JSON.stringify(seen));
      else assert.deepEqual(seen, wanted);
      return seen;
    } catch (error) {
      if (Date.now() > last) throw error;
      await harness.pause(40);
    }
  }
}

const query = (page) => Object.fromEntries(new URL(page.url()).searchParams);
const rows_of = (page) => page.locator('.results tbody .id').allInnerTexts();
const total_of = (page) => page.locator('.results .total').innerText();
const ids = (answer) => answer.items.map((item) => item.id);

// ---- Faults

visit('filters narrow the list, with counts, and are in the address', async (visitor) => {
  const page = await visitor.open('/');
  assert.equal(new URL(page.url()).pathname, '/faults');
  const all = await api.json('/faults');
  await soon(() => total_of(page), `${all.total} faults`);

  const symptom = page.getByRole('group', { name: 'Symptom' });
  const crash = all.facets.symptom.find((one) => one.value === 'crash').count;
  await soon(() => symptom.locator('label', { hasText: 'Crash' }).locator('.count').innerText(), String(crash));
  await symptom.getByRole('checkbox', { name: /^Crash/ }).check();
  await soon(() => total_of(page), `${crash} faults`);
  assert.deepEqual(query(page), { symptom: 'crash' });

  // The counts of the other facets follow; those of its own do not.
  const crashed = await api.json('/faults?symptom=crash');
  for (const { value, count } of crashed.facets.framework) {
    const names = { pytorch: /PyTorch/, keras: /Keras/, tensorflow: /TensorFlow(?!\.js)/, tfjs: /TensorFlow\.js/, libtorch: /LibTorch/ };
    const label = page.getByRole('group', { name: 'Framework' }).locator('label').filter({ hasText: names[value] });
    await soon(() => label.locator('.count').innerText(), String(count));
  }
  await soon(() => symptom.locator('label', { hasText: 'Crash' }).locator('.count').innerText(), String(crash));

  await page.getByRole('group', { name: 'Framework' }).getByRole('checkbox', { name: /^PyTorch/ }).check();
  const both = await api.json('/faults?symptom=crash&framework=pytorch');
  assert.ok(both.total > 0 && both.total < crash);
  await soon(() => total_of(page), `${both.total} faults`);
  assert.deepEqual(query(page), { symptom: 'crash', framework: 'pytorch' });
  await soon(() => rows_of(page), ids(both));

  // The address alone says everything.
  const again = await visitor.open(page.url());
  await soon(() => rows_of(again), ids(both));
  await again.close();

  await page.goBack();
  await soon(() => total_of(page), `${crash} faults`);
  await page.getByRole('button', { name: 'Clear all' }).click();
  await soon(() => total_of(page), `${all.total} faults`);
  assert.deepEqual(query(page), {});
});

visit('a whole branch of the taxonomy can be chosen', async (visitor) => {
  const page = await visitor.open('/faults');
  const group = page.getByRole('group', { name: 'Fault type' });
  const top = group.locator('label', { has: page.getByRole('checkbox', { name: /^Training/ }) }).first();
  const below = await api.json('/faults?type=training');
  await soon(() => top.locator('.count').innerText(), String(below.total));
  await top.getByRole('checkbox').check();
  await soon(() => total_of(page), `${below.total} faults`);
  assert.equal(query(page).type, 'training');

  // What is promised beside every top is what is there, and below the tops are leaves only.
  const { facets } = await api.json('/faults');
  const types = facets.type.map((one) => one.value);
  const tops = [...new Set(types.map((type) => type.split('/')[0]))];
  const totals = [];
  for (const type of tops) totals.push(String((await api.json(`/faults?limit=0&type=${type}`)).total));
  await soon(() => group.locator('.top > label .count').allInnerTexts(), totals);
  const leaves = types.filter((type) => type.includes('/') && !types.some((other) => other.startsWith(`${type}/`)));
  await soon(() => group.locator('.leaves label').count(), leaves.length);
});

visit('a search that waits does not follow the reader to another page', async (visitor) => {
  const page = await visitor.open('/faults');
  // The key and the click come closer together than any reader's.
  await page.evaluate(() => {
    const search = document.querySelector('input[type="search"]');
    search.value = 'softmax';
    search.dispatchEvent(new InputEvent('input', { bubbles: true }));
    document.querySelector('nav a[href="/criteria"]').click();
  });
  await page.getByRole('heading', { level: 1, name: 'Criteria' }).waitFor();
  await harness.pause(400);
  assert.deepEqual([new URL(page.url()).pathname, query(page)], ['/criteria', {}]);
});

visit('words are searched, columns sorted, pages turned', async (visitor) => {
  const page = await visitor.open('/faults?limit=25');
  await page.getByRole('searchbox', { name: 'Search faults' }).fill('early stopping');
  const found = await api.json('/faults?q=early+stopping&limit=25');
  assert.ok(found.total > 1 && found.total < 25, String(found.total));
  await soon(() => rows_of(page), ids(found));
  assert.equal(query(page).q, 'early stopping');

  await page.getByRole('searchbox', { name: 'Search faults' }).fill('nosuchwordanywhere');
  await page.getByText('No fault matches').waitFor();
  await page.getByRole('searchbox', { name: 'Search faults' }).fill('');
  await soon(() => query(page).q, undefined);

  const header = page.getByRole('columnheader', { name: 'Fault', exact: true });
  await header.getByRole('button').click();
  await soon(() => rows_of(page), ids(await api.json('/faults?limit=25&sort=title')));
  assert.equal(await header.getAttribute('aria-sort'), 'ascending');
  await header.getByRole('button').click();
  await soon(() => rows_of(page), ids(await api.json('/faults?limit=25&sort=-title')));
  assert.equal(await header.getAttribute('aria-sort'), 'descending');
  assert.equal(query(page).sort, '-title');

  await page.getByRole('link', { name: 'Next' }).click();
  await soon(() => rows_of(page), ids(await api.json('/faults?limit=25&sort=-title&offset=25')));
  assert.equal(query(page).offset, '25');
});

visit('what is exported is what is shown', async (visitor) => {
  const page = await visitor.open('/faults?framework=tfjs&sort=title');
  const shown = ids(await api.json('/faults?framework=tfjs&sort=title&limit=500'));
  await soon(() => rows_of(page), shown);
  for (const [name, read] of [
    ['CSV', (text) => text.trim().split('\n').slice(1).map((line) => line.split(',')[0])],
    ['JSON', (text) => JSON.parse(text).map((fault) => fault.id)],
    ['JSON Lines', (text) => text.trim().split('\n').map((line) => JSON.parse(line).id)],
  ]) {
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('group', { name: 'Export what is shown' }).getByRole('link', { name, exact: true }).click(),
    ]);
    assert.match(download.suggestedFilename(), /^faults\.(csv|json|jsonl)$/);
    assert.deepEqual(read(await readFile(await download.path(), 'utf8')), shown, name);
  }
});

visit('a filter gets a name and is found again', async (visitor) => {
  const page = await visitor.open('/faults?silent=true');
  await page.getByText('Saved filters').click();
  await page.getByLabel('Name of this filter').fill('the quiet ones');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await visitor.open('/faults', page);
  await page.getByText('Saved filters').click();
  await page.getByRole('link', { name: 'the quiet ones' }).click();
  await soon(() => query(page), { silent: 'true' });
});

visit('the keyboard is enough', async (visitor) => {
  const page = await visitor.open('/faults');
  const focused = () => page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent.trim());
  await page.keyboard.press('/');
  assert.equal(await focused(), 'Search faults');
  await page.keyboard.type('loss');
  const found = await api.json('/faults?q=loss');
  assert.ok(found.total > 2);
  await soon(() => rows_of(page), ids(found));
  await page.keyboard.press('ArrowDown');
  await soon(focused, found.items[0].title);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowUp');
  await soon(focused, found.items[1].title);
  await page.keyboard.press('Enter');
  await soon(() => new URL(page.url()).pathname, `/faults/${found.items[1].id}`);
  await page.getByRole('heading', { level: 1, name: found.items[1].title }).waitFor();
  await page.goBack();
  await soon(() => page.getByRole('searchbox').inputValue(), 'loss');

  // Tab from the start of the page reaches the content first, then the navigation.
  await page.goto('/criteria');
  await visitor.settled(page);
  await page.keyboard.press('Tab');
  assert.equal(await focused(), 'Skip to content');
  await page.keyboard.press('Enter');
  await soon(() => page.evaluate(() => document.activeElement?.id), 'main');

  // Escape leaves what is in front of the page.
  await page.getByRole('button', { name: 'Sign in to run' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'hidden' });
});

// ---- Fault

// What is written below lines of the code: [text of the line, text of the note].
const notes_in = (page) =>
  page.locator('.cm-editor .notes:not(.ghost)').evaluateAll((boxes) =>
    boxes.flatMap((box) => {
      let line = box.previousElementSibling;
      while (line && !line.classList.contains('cm-line')) line = line.previousElementSibling;
      return [...box.querySelectorAll('.note')].map((note) => [line?.textContent ?? '', note.querySelector('.note-title').textContent]);
    }),
  );

// Code that is out of sight has no lines on the page: the window is high enough for all of it.
const high = { viewport: { width: 1280, height: 4000 } };

visit('a fault is opened by its address, with its lines marked and its findings at their lines', high, async (visitor) => {
  const page = await visitor.open(`/faults/${crashing}`);
  const fault = await api.json(`/faults/${crashing}`);
  await page.getByRole('heading', { level: 1, name: fault.title }).waitFor();
  await page.getByText(fault.summary).waitFor();
  const file = fault.files.find((one) => one.faulty_lines.length > 0);
  await page.getByLabel('Whole files').check();
  const lines = file.buggy.split('\n');
  const marked = page.locator('.cm-editor').filter({ has: page.locator(`[aria-label="${file.path}, buggy"]`) }).locator('.faulty-line');
  await soon(() => marked.allInnerTexts(), file.faulty_lines.map((line) => lines[line - 1]));
  // The other side is the fixed version.
  const fixed = file.fixed.split('\n').find((line) => !lines.includes(line));
  await soon(() => page.locator(`[aria-label="${file.path}, fixed"]`).innerText(), (text) => text.includes(fixed.trim()));

  const { tools } = await api.json(`/faults/${crashing}/findings`);
  const findings = tools.find((tool) => tool.name === 'check').findings.filter((one) => one.file === file.path);
  assert.ok(findings.length > 0);
  await soon(
    () => notes_in(page),
    findings.map((one) => [lines[one.line - 1], `check ${one.rule}`]),
  );
  for (const box of await page.getByRole('checkbox', { name: /^Show what .* says in the code/ }).all()) await box.uncheck();
  await soon(() => notes_in(page), []);

  await page.getByRole('region', { name: 'Tools' }).getByRole('row', { name: /^pyflakes/ }).getByText('said nothing').waitFor();
  await page.getByText('proved', { exact: true }).first().waitFor();
  const { checks } = await api.json(`/faults/${crashing}/proof`);
  assert.ok(checks.length > 3);
  await soon(() => page.locator('.checks li').count(), checks.length);
  const { items } = await api.json(`/faults/${crashing}/similar`);
  await page.getByRole('link', { name: items[0].title }).click();
  await soon(() => new URL(page.url()).pathname, `/faults/${items[0].id}`);
  await page.getByRole('heading', { level: 1, name: items[0].title }).waitFor();
});

visit('a finding in a file that the fix leaves alone leads there', async (visitor) => {
  const { files } = await api.json(`/faults/${crashing}`);
  const file = files.find((one) => one.buggy === one.fixed && one.faulty_lines.length === 0);
  const answer = await api.json(`/faults/${crashing}/findings`);
  const { findings } = answer.tools.find((tool) => tool.name === 'check');
  findings.push({ ...findings[0], file: file.path, line: 3 });
  const page = await visitor.context.newPage();
  await page.route(`**/api/v1/faults/${crashing}/findings`, (route) => route.fulfill({ json: answer }));
  await visitor.open(`/faults/${crashing}`, page);
  const code = page.locator(`.cm-content[aria-label="${file.path}"]`);
  assert.equal(await code.isVisible(), false);
  await page.getByRole('button', { name: `${path.basename(file.path)}:3`, exact: true }).click();
  await soon(() => page.evaluate(() => document.activeElement.getAttribute('aria-label')), file.path);
  await soon(() => code.locator('.cm-line').nth(2).evaluate((line) => {
    const { top, bottom } = line.getBoundingClientRect();
    return top >= 0 && bottom <= innerHeight;
  }), true);
});

visit('a statistical proof is drawn', async (visitor) => {
  const page = await visitor.open(`/faults/${statistical}`);
  const { statistical: proof } = await api.json(`/faults/${statistical}/proof`);
  const figure = page.getByRole('img', { name: new RegExp(`^${proof.metric}: ${proof.buggy.length} runs of the buggy version`) });
  await figure.waitFor();
  await soon(() => figure.locator('svg .mark-symbol path').count(), (count) => count >= proof.buggy.length + proof.fixed.length);
});

visit('the runs of a proof say which version they ran', async (visitor) => {
  const page = await visitor.open(`/faults/${crashing}`);
  const { runs } = await api.json(`/faults/${crashing}/proof`);
  const table = page.getByRole('region', { name: 'Runs of the proof' });
  await soon(() => table.locator('tbody tr').count(), runs.length);
  const versions = await table.locator('tbody th').allInnerTexts();
  assert.ok(versions.includes('buggy') && versions.includes('fixed') && versions.includes('every file empty'), versions.join());
  assert.ok(versions.every((version) => !/^\d*$/.test(version)));
  for (const [at, { purpose, verdict }] of runs.entries()) {
    if (purpose === 'buggy' || purpose === 'fixed') assert.equal(versions[at], purpose);
    assert.equal(await table.locator('tbody tr').nth(at).locator('td[data-title="Must"]').innerText(), verdict);
  }
  await page.getByText('must match the pattern (a regular expression)').waitFor();
});

const accepting = 'libtorch-batchnorm-left-training';
visit('places that are accepted too lead to their lines', async (visitor) => {
  const page = await visitor.open(`/faults/${accepting}`);
  const { accepted } = await api.json(`/faults/${accepting}`);
  const places = accepted.filter((one) => one.location).flatMap(({ location }) => location.lines.map((line) => [location.file, line]));
  assert.ok(places.length > 0);
  for (const [file, line] of places) {
    await page.getByRole('button', { name: `${file}:${line}`, exact: true }).click();
    await soon(() => page.evaluate(() => document.activeElement.getAttribute('aria-label')), `${file}, buggy`);
  }
});

visit('no line of a diff ends out of sight', async (visitor) => {
  const page = await visitor.open(`/faults/${accepting}`);
  const { files } = await api.json(`/faults/${accepting}`);
  assert.ok(files.some((file) => file.buggy.split('\n').some((line) => line.length > 80)));
  const hidden = () => page.locator('.diff .cm-line').evaluateAll((lines) => lines.filter((line) => line.scrollWidth > line.clientWidth + 1).map((line) => line.innerText));
  await soon(() => page.locator('.diff .cm-line').count(), (count) => count > 10);
  assert.deepEqual(await hidden(), []);
});

visit('on a phone a fault shows what the fix changes, and tools can be run', { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }, async (visitor) => {
  const page = await visitor.open(`/faults/${silent}`);
  assert.equal(await page.getByLabel('Whole files').isChecked(), false);
  await page.locator('.diff .cm-collapsedLines').first().waitFor();
  const changed = page.locator('.diff').locator('.removed-line, .added-lines .cm-line');
  await soon(() => changed.count(), (count) => count > 0);
  for (const line of await changed.all()) assert.ok(await line.evaluate((one) => one.scrollWidth <= one.clientWidth + 1));
  const tools = page.getByRole('region', { name: 'Tools', exact: true });
  const { x, width } = await tools.getByRole('button', { name: 'Run check', exact: true }).boundingBox();
  assert.ok(x >= 0 && x + width <= 390, `${x} ${width}`);
  assert.equal(await tools.evaluate((one) => one.scrollWidth > one.clientWidth), false);
});

visit('a tool without names of rules is not heard twice', high, async (visitor) => {
  const message = "local variable 'x' is assigned to but never used";
  const answer = await api.json(`/faults/${crashing}/findings`);
  const { findings } = answer.tools.find((tool) => tool.name === 'check');
  findings.splice(0, Infinity, { ...findings[0], tool: 'pyflakes', rule: message, message });
  const page = await visitor.context.newPage();
  await page.route(`**/api/v1/faults/${crashing}/findings`, (route) => route.fulfill({ json: answer }));
  await visitor.open(`/faults/${crashing}`, page);
  const note = page.locator('.diff .notes:not(.ghost) .note');
  await soon(() => note.locator('.note-title').allInnerTexts(), ['pyflakes']);
  await soon(() => note.locator('.note-message').allInnerTexts(), [message]);
});

visit('a fault that is not there is said so, with the way back', { expected: [/404/] }, async (visitor) => {
  const page = await visitor.open('/faults/pytorch-none');
  await page.getByRole('heading', { name: 'No such fault' }).waitFor();
  const alert = page.getByRole('alert');
  await alert.getByRole('link', { name: 'All faults' }).waitFor();
  assert.equal(await alert.getByRole('button').count(), 0);
});

visit('a filter that there is not leaves those that there are', { expected: [/400/] }, async (visitor) => {
  const page = await visitor.open('/faults?framework=tensorflo');
  await page.getByRole('alert').getByText('unknown framework').waitFor();
  assert.equal(await page.getByRole('button', { name: 'Try again' }).count(), 0);
  await page.getByRole('checkbox', { name: /^PyTorch/ }).waitFor();
  await page.getByRole('alert').getByRole('link', { name: 'All faults' }).click();
  await soon(() => rows_of(page), (rows) => rows.length > 10);
});

visit('signing in takes the token that was printed', { expected: [/403/] }, async (visitor) => {
  const page = await visitor.open(`/faults/${crashing}`);
  const failing = page.getByRole('button', { name: 'Run failing test' });
  assert.equal(await failing.isDisabled(), true);
  await page.getByRole('button', { name: 'Sign in to run' }).click();
  await page.getByLabel('Token').fill('0123456789abcdef0123456789abcdef');
  await page.getByRole('dialog').getByRole('button', { name: 'Sign in' }).click();
  await soon(() => page.getByRole('dialog').getByRole('alert').innerText(), (text) => text.length > 0);
  await page.getByLabel('Token').fill(server.token);
  await page.getByRole('dialog').getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('button', { name: 'Sign out' }).waitFor();
  await soon(() => failing.isDisabled(), false);
  // The cookie is of this site only, and no script sees it.
  const [cookie] = await visitor.context.cookies();
  assert.deepEqual([cookie.name, cookie.httpOnly, cookie.sameSite, cookie.path], ['faultline_session', true, 'Strict', '/']);
  assert.equal(await page.evaluate(() => document.cookie), '');
  assert.ok(!cookie.value.includes(server.token));
  await page.getByRole('button', { name: 'Sign out' }).click();
  await soon(() => failing.isDisabled(), true);
});

visit('the printed address signs in by itself and does not stay in sight', async (visitor) => {
  const page = await visitor.open(`/?token=${server.token}`);
  await page.getByRole('button', { name: 'Sign out' }).waitFor();
  assert.ok(!page.url().includes('token'));
});

visit('an address with the token of another start asks for the right one', { expected: [/403/] }, async (visitor) => {
  const page = await visitor.open('/?token=0123456789abcdef0123456789abcdef');
  await soon(() => page.getByRole('dialog').getByRole('alert').innerText(), (text) => /not this server's/.test(text));
  assert.ok(!page.url().includes('token'));
  await page.getByLabel('Token').fill(server.token);
  await page.getByRole('dialog').getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('button', { name: 'Sign out' }).waitFor();
});

visit('the failing test fails and the passing test passes, before the reader’s eyes', async (visitor) => {
  const page = await visitor.open(`/?token=${server.token}`);
  await visitor.open(`/faults/${crashing}`, page);
  await page.getByRole('button', { name: 'Run failing test' }).click();
  const failing = page.getByRole('region', { name: /^Run \d+: Test of the buggy version/ });
  await soon(() => failing.getByRole('status').innerText(), 'fail');
  await soon(() => failing.locator('pre').innerText(), (text) => text.includes('IndexError: invalid index of a 0-dim tensor'));
  await page.getByRole('button', { name: 'Run passing test' }).click();
  const passing = page.getByRole('region', { name: /^Run \d+: Test of the fixed version/ });
  await soon(() => passing.getByRole('status').innerText(), 'pass');
  await passing.getByText(/wall, .* CPU, .* at most/).waitFor();

  // Both are in the list of runs, the newest first, with their logs.
  await page.getByRole('link', { name: /queue of runs/ }).click();
  await page.getByRole('heading', { name: 'Runs' }).waitFor();
  const table = page.getByRole('region', { name: 'Runs', exact: true });
  await soon(() => table.locator('tbody tr').count(), (count) => count >= 2);
  await soon(async () => (await table.locator('tbody tr td[data-title="State"]').allInnerTexts()).slice(0, 2), ['pass', 'fail']);
  await table.locator('tbody tr').nth(1).getByRole('button', { name: /log$/ }).click();
  await soon(() => page.getByRole('region', { name: /^Log of run/ }).innerText(), (text) => text.includes('IndexError'));
  assert.ok(query(page).run);
});

visit('a tool is run and its findings come to stand at their lines', high, async (visitor) => {
  const id = 'pytorch-xor-softmax-single-unit';
  const page = await visitor.open(`/?token=${server.token}`);
  await visitor.open(`/faults/${id}`, page);
  await page.getByLabel('Whole files').check();
  await page.getByRole('button', { name: 'Run check', exact: true }).click();
  await page.getByRole('region', { name: /check on both versions/ }).waitFor();
  const row = page.getByRole('region', { name: 'Tools' }).getByRole('row', { name: /^check static/ });
  await soon(() => row.innerText(), (text) => /right|both/.test(text));
  const { tools } = await api.json(`/faults/${id}/findings`);
  const { verdict, findings } = tools.find((tool) => tool.name === 'check');
  assert.ok(findings.length > 0);
  await row.getByText(verdict, { exact: true }).waitFor();
  const { files } = await api.json(`/faults/${id}`);
  const text = (one) => files.find((file) => file.path === one.file).buggy.split('\n')[one.line - 1];
  await soon(
    () => notes_in(page),
    findings.map((one) => [text(one), `check ${one.rule}`]),
  );
});

test('a hidden page holds no connection and goes on where it was', async () => {
  const at = await harness.small_project({ slow: { test: harness.slow_test(50) } });
  const small = await harness.serve(path.join(await harness.temporary('hidden'), 'home'), { at });
  const count_streams = () => {
    const streams = [];
    window.streams = streams;
    window.EventSource = class extends EventSource {
      constructor(...words) {
        super(...words);
        streams.push(this);
      }
    };
  };
  const visitor = await Visitor.come(browser, small, { scripts: [count_streams] });
  const page = await visitor.open('/faults/pytorch-slow');
  await visitor.sign_in(page);
  await page.getByRole('button', { name: 'Run failing test' }).click();
  const log = page.getByRole('region', { name: /^Run \d+: Test/ }).locator('pre');
  await soon(() => log.innerText(), (text) => /line 3\n/.test(text));
  const open_streams = () => page.evaluate(() => window.streams.filter((stream) => stream.readyState !== EventSource.CLOSED).length);
  const show = (shown) =>
    page.evaluate((hidden) => {
      Object.defineProperty(document, 'hidden', { value: hidden, configurable: true });
      document.dispatchEvent(new Event('visibilitychange'));
    }, !shown);
  assert.equal(await open_streams(), 2); // the queue and the log
  await show(false);
  assert.equal(await open_streams(), 0);
  await show(true);
  assert.equal(await open_streams(), 2);
  // The log is whole, and said once.
  const lines = Array.from({ length: 20 }, (_, number) => `line ${number}\n`).join('');
  await soon(() => log.innerText(), (text) => text.startsWith(lines));
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.getByText('cancelled', { exact: true }).first().waitFor();
  await visitor.leave();
  await small.stop();
});

test('a run goes on without its page and is there when the reader comes back', async () => {
  const at = await harness.small_project({ slow: { test: harness.slow_test(50) } });
  const small = await harness.serve(path.join(await harness.temporary('small'), 'home'), { at });
  const visitor = await Visitor.come(browser, small);
  const page = await visitor.open('/faults/pytorch-slow');
  await visitor.sign_in(page);
  await page.getByRole('button', { name: 'Run failing test' }).click();
  const panel = (shown) => shown.getByRole('region', { name: /^Run \d+: Test/ });
  await panel(page).getByText('running').waitFor();
  // Its log comes while it runs.
  await soon(() => panel(page).locator('pre').innerText(), (text) => /line 3\n/.test(text));
  await page.close();

  const back = await visitor.open('/faults/pytorch-slow');
  await panel(back).getByText('running').waitFor();
  const lines = Array.from({ length: 20 }, (_, number) => `line ${number}\n`).join('');
  await soon(() => panel(back).locator('pre').innerText(), (text) => text.startsWith(lines));
  await panel(back).getByRole('button', { name: 'Cancel' }).click();
  await panel(back).getByText('cancelled', { exact: true }).waitFor();

  // Another one is cancelled from the list.
  await back.getByRole('button', { name: 'Run passing test' }).click();
  await panel(back).first().getByText('running').waitFor();
  await visitor.open('/runs', back);
  await back.getByRole('button', { name: /^Cancel run/ }).click();
  await soon(async () => (await back.locator('td[data-title="State"]').allInnerTexts())[0], 'cancelled');
  await visitor.leave();
  await small.stop();
});

test('many runs of one fault leave connections for the rest of the page', async () => {
  const at = await harness.small_project({ slow: { test: harness.slow_test(50) } });
  const words = ['--workers', '5', '--per-user', '8'];
  const busy = await harness.serve(path.join(await harness.temporary('busy'), 'home'), { at, words });
  const its = new Api(busy);
  const runs = [];
  for (let number = 0; number < 7; number += 1) runs.push((await its.start({ kind: 'test', fault: 'pytorch-slow', version: 'buggy' })).id);
  await its.wait_for(runs[4], 'running');
  const visitor = await Visitor.come(browser, busy);
  const page = await visitor.open('/faults/pytorch-slow');
  const panels = page.getByRole('region', { name: /^Run \d+: Test/ });
  const states = async () => (await panels.getByRole('status').allInnerTexts()).map((text) => text.trim());
  await soon(states, ['waiting, 2 in line', 'waiting, 1 in line', ...Array(5).fill('running')]);
  const ask = page.getByRole('button', { name: /^Show log of run/ });
  await soon(() => ask.count(), 3);
  const streams = () => visitor.requests.filter((url) => /\/runs\/\d+\/events$/.test(url.pathname)).length;
  assert.equal(streams(), 2);

  // Another log is shown when it is asked for; one of the two makes room.
  const name = await ask.last().getAttribute('aria-label');
  const log = page.getByRole('region', { name: name.replace('Show log', 'Log'), exact: true });
  await ask.last().click();
  await soon(() => log.innerText(), (text) => text.startsWith('line 0\nline 1\n'));
  await soon(() => ask.count(), 3);
  assert.equal(streams(), 3);

  // One that waits is gone without ever having had a stream.
  await its.json(`/runs/${runs[6]}`, { method: 'DELETE' });
  await soon(states, ['cancelled', 'waiting, 1 in line', ...Array(5).fill('running')]);
  assert.equal(streams(), 3);
  await page.getByRole('link', { name: 'Criteria' }).click();
  await page.getByRole('heading', { level: 1, name: 'Criteria' }).waitFor();
  await visitor.settled(page);
  await visitor.leave();
  await busy.stop();
});

// ---- Taxonomy

visit('the taxonomy leads to its faults', async (visitor) => {
  const page = await visitor.open('/taxonomy');
  const { nodes } = await api.json('/taxonomy');
  const node = nodes.find((one) => one.id === 'model/layers');
  await page.getByRole('button', { name: 'Open all' }).click();
  const leaf = nodes.find((one) => one.leaf && one.faults > 0);
  const tree = page.getByRole('region', { name: 'Tree' });
  await soon(() => tree.getByRole('link').count(), nodes.length);
  await tree.getByRole('link', { name: leaf.name, exact: true }).first().click();
  await page.getByRole('complementary').getByText(leaf.definition).waitFor();

  await tree.getByRole('link', { name: node.name, exact: true }).first().click();
  await soon(() => query(page).node, 'model/layers');
  await page.getByRole('complementary').getByRole('link', { name: `${node.faults} faults of ours` }).click();
  await soon(() => total_of(page), `${node.faults} faults`);
  assert.deepEqual(query(page), { type: 'model/layers' });
});

visit('the treemap is clicked, enlarged and coloured', async (visitor) => {
  const page = await visitor.open('/taxonomy');
  await page.getByRole('group', { name: 'Shown as' }).getByText('Treemap').click();
  const map = page.getByRole('region', { name: 'Treemap' });
  const { nodes } = await api.json('/taxonomy');
  await soon(() => map.locator('svg a').count(), nodes.length);
  await map.locator('svg a', { has: page.locator('title', { hasText: /^Training:/ }) }).click({ position: { x: 4, y: 4 } });
  await page.getByRole('complementary').getByRole('heading', { name: 'Training' }).waitFor();
  await page.getByRole('link', { name: 'Fill the map with this part' }).click();
  await soon(() => map.locator('svg a').count(), nodes.filter((node) => node.id === 'training' || node.id.startsWith('training/')).length);
  await page.getByLabel('Coloured by').selectOption('recall');
  await page.getByRole('combobox', { name: /^Tool\b/ }).selectOption('check');
  assert.deepEqual(query(page), { view: 'map', node: 'training', root: 'training', colour: 'recall', tool: 'check' });
});

// ---- Scoreboard

visit('the scoreboard shows every verdict and what the tool said', async (visitor) => {
  const page = await visitor.open('/scoreboard');
  const board = await api.json('/scoreboard');
  await soon(() => page.getByRole('region', { name: 'Tools and their scores' }).locator('tbody tr').count(), board.tools.length);
  const matrix = page.getByRole('region', { name: 'Verdicts, fault by fault' });
  await soon(() => matrix.locator('tbody tr').count(), board.tools[0].faults.length);
  const cell = board.tools.find((tool) => tool.name === 'check').faults.find((one) => one.id === crashing);
  await matrix.getByRole('row', { name: new RegExp(`^${crashing}`) }).getByRole('button', { name: `check: ${cell.verdict}` }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('heading', { name: `check on ${crashing}` }).waitFor();
  for (const finding of cell.findings) await dialog.getByText(`${finding.file}:${finding.line}`, { exact: true }).waitFor();
  assert.deepEqual(query(page), { fault: crashing, tool: 'check' });
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'hidden' });
  await soon(() => query(page), {});

  // Arrow keys go from field to field.
  await matrix.getByRole('row', { name: new RegExp(`^${crashing}`) }).getByRole('button').first().focus();
  await page.keyboard.press('ArrowRight');
  const focused = await page.evaluate(() => document.activeElement.querySelector('.sr-only').textContent);
  assert.ok(focused.startsWith(`${board.tools[1].name}: `), focused);

  await page.getByRole('group', { name: 'Split' }).getByText('dev', { exact: true }).click();
  const dev = await api.json('/scoreboard?split=dev');
  await soon(() => matrix.locator('tbody tr').count(), dev.tools[0].faults.length);
  assert.ok(dev.tools[0].faults.length < board.tools[0].faults.length);
});

visit('two tools are compared', async (visitor) => {
  const page = await visitor.open('/scoreboard');
  await page.getByRole('link', { name: 'check and pyflakes' }).click();
  await page.getByRole('heading', { level: 1, name: 'check and pyflakes' }).waitFor();
  const answer = await api.json('/scoreboard/compare?a=check&b=pyflakes');
  assert.ok(answer.only_a.count >= 3);
  for (const [title, part] of [['Both', answer.both], ['Only check', answer.only_a], ['Only pyflakes', answer.only_b], ['Neither', answer.neither]]) {
    const section = page.getByRole('region', { name: `${title} ${part.count}` });
    await soon(() => section.getByRole('link').allInnerTexts(), part.ids);
  }
  await page.getByText(/McNemar's exact test: p/).waitFor();
  await page.getByRole('button', { name: 'Swap' }).click();
  await page.getByRole('heading', { level: 1, name: 'pyflakes and check' }).waitFor();
  await page.getByLabel('Second tool').selectOption('pylint');
  await soon(() => query(page), { a: 'pyflakes', b: 'pylint' });
});

// ---- Campaigns

visit('a campaign leads from its figures and outliers to variants', async (visitor) => {
  const page = await visitor.open('/campaigns');
  await page.getByRole('link', { name: 'Readings', exact: true }).click();
  await page.getByRole('heading', { level: 1, name: 'Readings' }).waitFor();
  const report = await api.json(`/campaigns/${campaign}`);
  await soon(() => page.locator('figure svg.marks').count(), Object.keys(report.figures).length);

  // A circle of a box plot is a variant.
  const [outlier] = report.outliers.filter((one) => one.quantity === 'metric');
  const { title } = report.figures.metric_by_operator;
  const plot = page.getByRole('article').filter({ has: page.getByRole('heading', { name: title, exact: true }) });
  await plot.locator('svg .mark-symbol path').first().click();
  await soon(() => new URL(page.url()).pathname, `/campaigns/${campaign}/variants/${outlier.variant}`);
  await page.goBack();
  // A variant may be an outlier in its time as well.
  const row = page.getByRole('region', { name: 'Table of outliers' }).getByRole('row').filter({ hasText: report.clean.metric_name });
  await row.getByRole('link', { name: outlier.variant }).click();
  await page.getByRole('heading', { level: 1, name: outlier.variant }).waitFor();
  const variant = await api.json(`/campaigns/${campaign}/variants/${outlier.variant}`);
  const diff = page.getByRole('region', { name: 'Diff against the clean program' });
  await soon(() => diff.locator('.removed').allInnerTexts(), ['-    weight = 9 - 4']);
  assert.deepEqual(await diff.locator('.added').allInnerTexts(), ['+    weight = 9 + 4']);
  await soon(() => page.getByRole('region', { name: 'Text of the log' }).innerText(), (text) => text.trim() === variant.log.trim());
  assert.match(variant.log, /^score 0\.7/m);
});

visit('a bar of a figure and the filters choose variants', async (visitor) => {
  const page = await visitor.open(`/campaigns/${campaign}`);
  const { figures } = await api.json(`/campaigns/${campaign}`);
  const plot = page.getByRole('article').filter({ has: page.getByRole('heading', { name: figures.symptoms_by_operator.title, exact: true }) });
  const table = page.getByRole('region', { name: 'Table of variants' });
  const all = await api.json(`/campaigns/${campaign}/variants`);
  await soon(() => table.locator('tbody tr').count(), all.total);
  await plot.locator('svg .mark-rect path').first().click();
  await soon(() => query(page).symptom, (symptom) => typeof symptom === 'string');
  const chosen = await api.json(`/campaigns/${campaign}/variants?symptom=${query(page).symptom}`);
  assert.ok(chosen.total > 0 && chosen.total < all.total);
  await soon(() => table.locator('tbody tr').count(), chosen.total);

  await page.getByRole('combobox', { name: 'Symptom' }).selectOption('crash');
  const crashes = await api.json(`/campaigns/${campaign}/variants?symptom=crash`);
  assert.equal(crashes.total, 1);
  await soon(() => table.locator('tbody tr').count(), 1);
  await table.getByRole('link').first().click();
  await page.getByText('IndexError', { exact: true }).waitFor();
  await soon(() => page.getByRole('region', { name: 'Text of the log' }).innerText(), (text) => text.includes('IndexError: list index out of range'));
});

visit('an open campaign is seen to be stopped', async (visitor) => {
  const answer = await api.json('/campaigns');
  const one = answer.campaigns.find((each) => each.name === campaign);
  Object.assign(one, { state: 'running', finished: null, done: 1 });
  const { done, runs, variants, symptoms } = one;
  let state = 'running';
  const page = await visitor.context.newPage();
  await page.route('**/api/v1/campaigns', (route) => route.fulfill({ json: answer }));
  // A stream that ends is asked for again by the browser.
  await page.route(`**/api/v1/campaigns/${campaign}/events`, (route) =>
    route.fulfill({
      contentType: 'text/event-stream',
      body: `retry: 100\nevent: progress\ndata: ${JSON.stringify({ done, runs, variants, symptoms, state })}\n\n`,
    }),
  );
  await visitor.open(`/campaigns/${campaign}`, page);
  const running = page.getByRole('progressbar', { name: 'Finished runs' });
  await running.waitFor();
  state = 'stopped';
  await page.getByText('It was stopped.').waitFor();
  assert.equal(await running.count(), 0);
});

// ---- Check

const keras = `from tensorflow import keras
from tensorflow.keras import layers

model = keras.Sequential()
model.add(layers.Dense(2, activation='sigmoid', input_dim=2))
model.add(layers.Dense(1, activation='softmax'))
model.compile(loss='mean_squared_error', optimizer='sgd')
`;
const torch = `import torch
from torch import nn

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(8, 16)
        self.second = nn.Linear(32, 4)

    def forward(self, x):
        return self.second(torch.relu(self.first(x)))

net = Net()
out = net(torch.zeros(4, 8))
`;
const notebook = JSON.stringify({
  nbformat: 4,
  nbformat_minor: 5,
  metadata: { kernelspec: { name: 'python3', language: 'python' } },
  cells: [
    { cell_type: 'markdown', metadata: {}, source: ['# Notes'] },
    { cell_type: 'code', metadata: {}, outputs: [], execution_count: null, source: keras.split('\n').slice(0, 4).map((line) => `${line}\n`) },
    { cell_type: 'code', metadata: {}, outputs: [], execution_count: null, source: keras.split('\n').slice(4).map((line) => `${line}\n`) },
  ],
});

const findings_in = (page) =>
  page.locator('section[aria-labelledby="findings-title"] li').evaluateAll((items) =>
    items.map((item) => [item.querySelector('code').textContent, item.querySelector('button').textContent.replace(/\s+/g, ' ').trim()]),
  );

// Let go of a file over the page, as a reader does who dragged it there.
async function drop(page, name, text) {
  const data = await page.evaluateHandle(
    ([file, content]) => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([content], file));
      return transfer;
    },
    [name, text],
  );
  for (const type of ['dragover', 'drop']) await page.dispatchEvent('main', type, { dataTransfer: data });
}

visit('a pasted script has its findings at their lines, and its layers', { permissions: ['clipboard-read', 'clipboard-write'] }, async (visitor) => {
  const page = await visitor.open('/check');
  const expected = await api.json('/check', { method: 'POST', body: { name: 'train.py', text: keras } });
  assert.ok(expected.findings.some((finding) => finding.rule === 'DL110' && finding.line === 6));
  await page.evaluate((text) => navigator.clipboard.writeText(text), keras);
  await page.getByRole('textbox', { name: 'Program to check' }).focus();
  await page.keyboard.press('Control+V');
  await soon(
    () => findings_in(page),
    expected.findings.map((finding) => [finding.rule, `line ${finding.line}`]),
  );
  const lines = keras.split('\n');
  await soon(
    () => notes_in(page),
    [...expected.findings].sort((a, b) => a.line - b.line).map((finding) => [lines[finding.line - 1], finding.rule]),
  );
  // The layers as boxes; a box leads to its line.
  const [model] = expected.models;
  const graph = page.getByRole('region', { name: `Layers of ${model.name}` });
  await soon(() => graph.locator('a text.type').allTextContents(), model.layers.map((layer) => layer.type));
  await graph.getByRole('link').last().click();
  const cursor = await page.evaluate(() => {
    const at = getSelection().anchorNode;
    return (at instanceof Element ? at : at.parentElement).closest('.cm-line').textContent;
  });
  assert.equal(cursor, lines[model.layers.at(-1).line - 1]);

  // Changing the text checks it again.
  await page.getByRole('button', { name: 'Clear' }).click();
  await page.getByText('Nothing to check yet.').waitFor();
  await soon(() => findings_in(page), []);
  await page.getByRole('button', { name: 'Try an example' }).click();
  await soon(() => findings_in(page), (found) => found.length > 0);
});

visit('a dropped script and a dropped notebook are checked', async (visitor) => {
  const page = await visitor.open('/check');
  const expected = await api.json('/check', { method: 'POST', body: { name: 'net.py', text: torch } });
  assert.ok(expected.findings.length > 0);
  await drop(page, 'net.py', torch);
  await soon(() => page.getByLabel('Name').inputValue(), 'net.py');
  await soon(
    () => findings_in(page),
    expected.findings.map((finding) => [finding.rule, `line ${finding.line}`]),
  );
  await page.getByRole('region', { name: 'Layers of Net' }).waitFor();

  await drop(page, 'notes.ipynb', notebook);
  await soon(() => findings_in(page), (found) => found.some(([rule, place]) => rule === 'DL110' && place === 'cell 2, line 2'));
  await page.getByRole('heading', { name: 'Cell 2' }).waitFor();
  await soon(() => notes_in(page), (notes) => notes.some(([line, rule]) => line.includes("activation='softmax'") && rule === 'DL110'));
  const { models } = await api.json('/check', { method: 'POST', body: { name: 'notes.ipynb', text: notebook } });
  await page.getByRole('region', { name: `Layers of ${models[0].name}` }).waitFor();
  await page.getByRole('button', { name: 'cell 2, line 2' }).first().click();
  await soon(() => page.evaluate(() => document.activeElement.getAttribute('aria-label')), 'Cell 2');
});

visit('a file that is too large is refused before it is sent', async (visitor) => {
  const page = await visitor.open('/check');
  await drop(page, 'huge.py', '#'.repeat(3 * 1024 * 1024));
  await page.getByRole('alert').getByText('huge.py has 3.0 MiB; the limit is 2 MiB.').waitFor();
  assert.ok(!visitor.requests.some((url) => url.pathname.endsWith('/check') && url.pathname.startsWith('/api')));
});

visit('a syntax error stands first, at its line', async (visitor) => {
  const page = await visitor.open('/check');
  await page.getByLabel('Program to check').fill('import torch\nx = = 3\n');
  const first = page.getByRole('region', { name: 'Findings' }).locator('li').first();
  await soon(() => first.innerText(), (text) => /^SY001/.test(text));
  await first.getByRole('button', { name: 'line 2' }).waitFor();
  await soon(() => page.locator('.note-title').allInnerTexts(), ['SY001']);
  assert.ok(!/^No findings/.test(await page.getByRole('region', { name: 'Findings' }).getByRole('status').innerText()));
});

// ---- Criteria

test('where nothing was run yet, that is said', async () => {
  const fresh = await harness.serve(await harness.temporary('fresh'));
  const visitor = await Visitor.come(browser, fresh);
  const page = await visitor.open('/scoreboard/compare');
  await page.getByText('No tool has been run yet').waitFor();
  await page.getByText('faultline evaluate', { exact: true }).waitFor();
  await visitor.open('/criteria', page);
  const flaky = page.locator('li').filter({ has: page.locator('.name', { hasText: /^flaky$/ }) });
  await soon(() => flaky.locator('.value').innerText(), (text) => text.trim() === 'not known');
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Runs' }).click();
  await page.getByText('Nothing has been run yet').waitFor();
  await visitor.leave();
  await fresh.stop();
});

visit('the criteria are measured', async (visitor) => {
  const page = await visitor.open('/criteria');
  const { criteria } = await api.json('/criteria');
  assert.deepEqual(
    criteria.map((one) => one.name),
    ['relevance', 'reproducibility', 'fairness', 'verifiability', 'usability'],
  );
  for (const criterion of criteria) {
    const card = page.getByRole('region', { name: criterion.title, exact: true });
    await soon(() => card.locator('li .name').allInnerTexts(), criterion.measures.map((measure) => measure.name));
    const whole = criterion.measures.findIndex((measure) => Number.isInteger(measure.value) && measure.of > 1);
    if (whole >= 0) {
      const { value, of } = criterion.measures[whole];
      assert.match((await card.locator('li .value').nth(whole).innerText()).replace(/\s+/g, ' '), new RegExp(`^${value} of ${of}\\b`));
    }
  }
});

// ---- Glossary

visit('the glossary has the terms of docs/glossary.md, few enough to be read', async (visitor) => {
  const text = await readFile(new URL('../../docs/glossary.md', import.meta.url), 'utf8');
  const terms = [...text.matchAll(/^\| \*\*(.+?)\*\* \|/gm)].map(([, term]) => term);
  assert.ok(terms.length > 0 && terms.length <= 15, `${terms.length} terms`);
  const page = await visitor.open('/faults');
  await page.getByRole('link', { name: 'Glossary' }).click();
  await soon(() => page.locator('dt').allInnerTexts(), terms);
  assert.doesNotMatch(await page.locator('dl').innerText(), /[`*|]/);
});

// ---- All of them

visit('light and dark are chosen and kept', { colorScheme: 'light' }, async (visitor) => {
  const page = await visitor.open('/faults');
  const paper = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor.match(/\d+/g).slice(0, 3).reduce((sum, part) => sum + Number(part), 0));
  assert.ok((await paper()) > 600);
  await page.getByRole('button', { name: 'Use dark colours' }).click();
  await soon(paper, (sum) => sum < 150);
  await page.reload();
  await visitor.settled(page);
  assert.ok((await paper()) < 150);
  await page.getByRole('button', { name: 'Use light colours' }).click();
  await soon(paper, (sum) => sum > 600);
  // That is what the system has, so the system is followed again.
  await page.emulateMedia({ colorScheme: 'dark' });
  await soon(paper, (sum) => sum < 150);
});

visit('no view is wider than a phone', { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true }, async (visitor) => {
  const page = await visitor.open('/');
  for (const [name, address] of Object.entries(views)) {
    await visitor.open(address, page);
    if (name === 'check') {
      await page.getByRole('button', { name: 'Try an example' }).click();
      await page.getByRole('region', { name: /^Layers of/ }).waitFor();
    }
    const { width, widest } = await page.evaluate(() => {
      const width = document.documentElement.scrollWidth;
      const over = [...document.querySelectorAll('body *')].filter((one) => one.getBoundingClientRect().right > innerWidth + 1 && !one.closest('.scroll, pre, .cm-scroller, .sr-only'));
      return { width, widest: over.slice(0, 3).map((one) => one.outerHTML.slice(0, 120)) };
    });
    assert.ok(width <= 360, `${name} is ${width} wide: ${widest.join(' | ')}`);
  }
});

const axe = path.join(harness.project, 'node_modules/axe-core/axe.min.js');
for (const colorScheme of ['light', 'dark']) {
  visit(`everybody can read every view, ${colorScheme}`, { colorScheme, reducedMotion: 'reduce', scripts: [{ path: axe }] }, async (visitor) => {
    const page = await visitor.open('/');
    for (const [name, address] of Object.entries(views)) {
      await visitor.open(address, page);
      if (name === 'check') {
        await page.getByRole('button', { name: 'Try an example' }).click();
        await page.getByRole('region', { name: /^Layers of/ }).waitFor();
      }
      await soon(() => page.title(), `${titles[name]} · Faultline`);
      const { violations } = await page.evaluate(() => axe.run(document, { resultTypes: ['violations'] }));
      const bad = violations
        .filter(({ impact }) => impact === 'serious' || impact === 'critical')
        .map(({ id, help, nodes }) => `${id}: ${help}: ${nodes.slice(0, 3).map((node) => `${node.target} ${node.any[0]?.message ?? ''}`).join(' | ')}`);
      assert.deepEqual(bad, [], name);
    }
  });
}
