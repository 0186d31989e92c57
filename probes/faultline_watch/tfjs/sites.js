'use strict';
// Lines of the program, from the stack.

const fs = require('node:fs');
const path = require('node:path');
const { fileURLToPath } = require('node:url');

const PROBE = path.dirname(__dirname) + path.sep;
const FOLDER = process.cwd();
const NOWHERE = { file: '', line: 0, text: '' };
const files = new Map();

function isProgram(file) {
  return Boolean(file) && path.isAbsolute(file) && !file.startsWith(PROBE)
    && !file.includes(`${path.sep}node_modules${path.sep}`);
}

function lineOf(file, line) {
  if (!files.has(file)) {
    let lines = [];
    try {
      lines = fs.readFileSync(file, 'utf8').split('\n');
    } catch {
      // the text is a courtesy
    }
    files.set(file, lines);
  }
  return (files.get(file)[line - 1] || '').trim();
}

function site(file, line) {
  const relative = path.relative(FOLDER, file);
  const inside = !relative.startsWith('..') && !path.isAbsolute(relative);
  return { file: inside ? relative : file, line, text: lineOf(file, line) };
}

function plainPath(name) {
  if (!name) return '';
  return name.startsWith('file://') ? fileURLToPath(name) : name;
}

// The program's lines that led here, outermost first; no more than the innermost ones if so many are enough.
function trail(most = Infinity) {
  const { prepareStackTrace, stackTraceLimit } = Error;
  Error.stackTraceLimit = 60;
  Error.prepareStackTrace = (_, calls) => calls;
  const holder = {};
  Error.captureStackTrace(holder, trail);
  const calls = holder.stack;
  Error.prepareStackTrace = prepareStackTrace;
  Error.stackTraceLimit = stackTraceLimit;
  const lines = [];
  for (const call of calls) {
    const file = plainPath(call.getFileName());
    if (isProgram(file)) lines.unshift(site(file, call.getLineNumber()));
    if (lines.length >= most) break;
  }
  return lines;
}

// The innermost line of the program.
function here() {
  return trail(1)[0] || NOWHERE;
}

// The program's lines in the stack of an error, outermost first.
function framesOf(error) {
  const frames = [];
  for (const text of String((error && error.stack) || '').split('\n')) {
    const match = /^\s+at (?:.*\()?((?:file:\/\/)?\/[^()]*?):(\d+):\d+\)?$/.exec(text);
    if (!match) continue;
    const file = plainPath(match[1]);
    if (isProgram(file)) frames.unshift(site(file, Number(match[2])));
  }
  return frames;
}

module.exports = { here, trail, framesOf, NOWHERE };
