'use strict';
// What a fault's test.js needs: load the program, check, measure.
//
// A test lies beside this file; the program under test is the working directory.
// The verdict is the exit status: 0 passes, anything else fails. A program that
// ends early, even with success, fails the test that loads it.

const path = require('node:path');

// The seed of this run. `verify --repeat N` runs a test with N of them.
const seed = Number(process.env.FAULTLINE_SEED || '0');

let finished = false;
process.on('exit', (code) => {
  if (!finished && code === 0) {
    process.stderr.write('FAIL: the program ended early with exit status 0\n');
    process.exitCode = 1;
  }
});

class Failure extends Error {}

// End the test: the program is wrong in the way `message` says.
function fail(message) {
  throw new Failure(message);
}

// Fail with `message` unless `condition` holds.
function check(condition, message) {
  if (!condition) fail(message);
}

// Report a measured value; a statistical oracle judges it.
function metric(name, value) {
  console.log(`metric ${name} ${Number(value)}`);
}

// Require a module of the program, with Math.random seeded.
function load(file) {
  require('seedrandom')(String(seed), { global: true });
  return require(path.resolve(process.cwd(), file));
}

// Run `body`, an async function, as the test.
async function test(body) {
  try {
    await body();
    finished = true;
  } catch (error) {
    finished = true;
    process.stderr.write(error instanceof Failure ? `FAIL: ${error.message}\n` : `${error.stack}\n`);
    process.exitCode = 1;
  }
}

module.exports = { seed, fail, check, metric, load, test };
