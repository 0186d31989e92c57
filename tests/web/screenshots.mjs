// Makes docs/images/*.png: node tests/web/screenshots.mjs
// Takes the home of FAULTLINE_HOME as the tests do; to show more, run `faultline verify`, `faultline evaluate` and
// campaigns there before. The largest campaign is shown. Files are made smaller by optipng where it is installed.

import { execFile } from 'node:child_process';
import { mkdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import * as harness from './harness.mjs';

const folder = path.join(harness.project, 'docs/images');
const wide = { viewport: { width: 1280, height: 800 } };
const { crashing, statistical } = harness;

const example = async (page) => {
  await page.getByRole('button', { name: 'Try an example' }).click();
  await page.getByRole('region', { name: /^Layers of/ }).waitFor();
};
const code = async (page) => {
  await page.locator('#code-title').evaluate((title) => scrollTo(0, title.getBoundingClientRect().top + scrollY - 70));
};
const proof = async (page) => {
  await page.locator('figure svg.marks').waitFor();
  await page.locator('#proof-title').evaluate((title) => scrollTo(0, title.getBoundingClientRect().top + scrollY - 70));
};
const drawn = async (page) => {
  await page.locator('figure svg.marks').nth(3).waitFor();
  await page.locator('#figures').evaluate((title) => scrollTo(0, title.getBoundingClientRect().top + scrollY - 70));
};

const images = (campaign) => [
  { name: 'faults', address: '/faults' },
  { name: 'fault', address: `/faults/${crashing}`, then: code },
  { name: 'proof', address: `/faults/${statistical}`, then: proof },
  { name: 'taxonomy', address: '/taxonomy?view=map&node=training/loss-function' },
  { name: 'scoreboard', address: '/scoreboard' },
  { name: 'campaign', address: `/campaigns/${campaign}`, then: drawn },
  { name: 'check', address: '/check', then: example },
  { name: 'criteria', address: '/criteria' },
  { name: 'faults-dark', address: '/faults?silent=true', options: { colorScheme: 'dark' } },
  { name: 'fault-phone', address: `/faults/${crashing}`, options: { viewport: { width: 360, height: 740 }, isMobile: true } },
];

try {
  await mkdir(folder, { recursive: true });
  const server = await harness.serve(await harness.prepared_home());
  const browser = await harness.launch();
  const { campaigns } = await new harness.Api(server).json('/campaigns');
  const [largest] = campaigns.toSorted((a, b) => b.variants - a.variants);
  let total = 0;
  for (const { name, address, then, options } of images(largest.name)) {
    const visitor = await harness.Visitor.come(browser, server, { ...wide, colorScheme: 'light', ...options });
    const page = await visitor.open(address);
    await then?.(page);
    await page.evaluate(() => document.activeElement?.blur());
    await harness.pause(400); // charts and code settle
    const file = path.join(folder, `${name}.png`);
    await page.screenshot({ path: file });
    await visitor.leave();
    await promisify(execFile)('optipng', ['-quiet', '-o5', '-strip', 'all', file]).catch((error) => {
      if (error.code !== 'ENOENT') throw error;
    });
    const { size } = await stat(file);
    total += size;
    console.log(`${path.relative(harness.project, file)}  ${Math.round(size / 1024)} KiB`);
  }
  console.log(`${Math.round(total / 1024)} KiB in all`);
} finally {
  await harness.clean_up();
}
