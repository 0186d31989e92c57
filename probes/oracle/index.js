'use strict';
// What a fault's test.js needs: load the program, check, measure.
//
// A test lies beside this folder; the program under test is the working directory. The test runs in
// one process, the judge, and the program in another, the subject (docs/writing-faults.md). Values
// come over as values, everything else as a handle to an object that stays where it is.

const fs = require('node:fs');
const { isReference } = require('./handle');
const { Failure, Program } = require('./program');

// The seed of this run. `verify --repeat N` runs a test with N of them.
const seed = Number(process.env.FAULTLINE_SEED || '0');

const LONGEST_MESSAGE = 2000;

// Opened anew, so that no child inherits it.
const report = openReport();
let program;
let checks = 0;
let finished = false;
const metrics = {};

// Otherwise the signal would open a debugger to whoever sends it.
process.on('SIGUSR1', () => {});

process.on('exit', (code) => {
  if (!finished && code === 0) {
    process.stderr.write('FAIL: the test ended without a verdict\n');
    process.exitCode = 1;
  }
});

function openReport() {
  const number = process.env.FAULTLINE_RESULT_FD;
  delete process.env.FAULTLINE_RESULT_FD;
  if (number === undefined) return undefined;
  const opened = fs.openSync(`/proc/self/fd/${number}`, fs.constants.O_WRONLY);
  fs.closeSync(Number(number));
  return opened;
}

// The subject, which starts when the first of the program is asked for.
function subject() {
  program ??= new Program(report !== undefined);
  return program;
}

// End the test: the program is wrong in the way `message` says.
function fail(message) {
  throw new Failure(message);
}

// Fail with `message` unless `condition`, a truth of the test's own, holds.
function check(condition, message) {
  if (typeof condition !== 'boolean') {
    throw new TypeError(isReference(condition) ? 'a check needs a value; await it' : 'a check needs true or false');
  }
  checks += 1;
  if (!condition) fail(message);
}

// Report a measured value; a statistical oracle judges it.
function metric(name, value) {
  if (typeof value !== 'number') throw new TypeError(`${name} is no number`);
  metrics[name] = String(value).replace('Infinity', 'inf');
  console.log(`metric ${name} ${value}`);
}

// Require a module of the program, with Math.random seeded.
function load(file) {
  return subject().ask('load', file);
}

// Run `observer`, a function of the test, beside the program's own objects. It stands on its own:
// what it needs it requires, or it is given as an argument. It returns what it saw, which the test
// then judges: nothing that an observer concludes can be relied on.
function inside(observer, ...args) {
  return subject().ask('inside', observer.toString(), args);
}

// What `answer` gives, if it comes within so many seconds; otherwise the program is stopped and
// the test has failed.
async function within(seconds, answer) {
  const timer = setTimeout(() => subject().end(`the program did not answer within ${seconds} s`), seconds * 1000);
  try {
    return await answer;
  } finally {
    clearTimeout(timer);
  }
}

// Run `body`, an async function, as the test.
async function test(body) {
  let failure;
  try {
    await body();
    if (checks === 0 && Object.keys(metrics).length === 0) fail('the test checked nothing');
  } catch (error) {
    failure = error instanceof Failure ? error.message : String(error);
    process.stderr.write(error instanceof Failure ? `FAIL: ${failure}\n` : `${error.stack}\n`);
  }
  finish(failure);
}

// The end of the test: stop the subject, then say what came out.
function finish(failure) {
  program?.stop();
  if (report !== undefined) {
    const verdict = failure === undefined ? 'pass' : 'fail';
    const message = (failure ?? '').slice(0, LONGEST_MESSAGE);
    fs.writeSync(report, `${JSON.stringify({ verdict, message, checks, metrics })}\n`);
  } else if (failure === undefined) {
    console.log('pass');
  }
  finished = true;
  process.exit(failure === undefined ? 0 : 1);
}

module.exports = { seed, check, fail, inside, load, metric, test, within };
