'use strict';
// The process that the program under test runs in.
//
// The judge starts it before anything of the program is loaded, and it does what the judge asks:
// require, call, read a property. It checks nothing: what it answers is what the program gave.

const net = require('node:net');
const path = require('node:path');
const codec = require('./codec');

const seed = process.env.FAULTLINE_SEED || '0';
const things = []; // what the judge has handles of

// A value to be answered as a handle, whatever it is.
class Kept {
  constructor(fields) {
    this.fields = fields;
  }
}

function keep(thing) {
  if (thing instanceof Kept) return thing.fields;
  things.push(thing);
  const kind = typeof thing === 'function' ? 'function' : thing?.constructor?.name;
  return ['thing', things.length - 1, String(kind ?? 'object').slice(0, 100)];
}

// A reference is a thing, or a property of a property of one.
function follow([, number, names]) {
  return names.reduce((value, name) => value[name], things[number]);
}

// The function that a path names, bound to the object that it is a property of.
function method(number, names) {
  if (names.length === 0) return things[number];
  const owner = follow(['thing', number, names.slice(0, -1)]);
  const found = owner[names[names.length - 1]];
  if (typeof found !== 'function') throw new TypeError(`${names.join('.')} is not a function`);
  return found.bind(owner);
}

const requests = {
  load(file) {
    require('seedrandom')(seed, { global: true });
    return new Kept(keep(require(path.resolve(process.cwd(), file))));
  },
  inside(source, args) {
    return new Function('require', `return (${source});`)(require)(...args);
  },
  get(value) {
    return value;
  },
  call(number, names, args) {
    return method(number, names)(...args);
  },
  make(number, names, args) {
    const Kind = follow(['thing', number, names]);
    return new Kind(...args);
  },
};

function answer(value) {
  try {
    return codec.pack(['value', value], keep);
  } catch (error) {
    if (!(error instanceof codec.Unsendable)) throw error;
    return codec.pack(['value', new Kept(keep(value))], keep);
  }
}

async function perform(text, data) {
  try {
    const [request, ...args] = codec.unpack(text, data, follow);
    return answer(await requests[request](...args));
  } catch (error) {
    const stack = error instanceof Error ? error.stack : String(error);
    process.stderr.write(`${stack}\n`);
    return codec.pack(['raised', String(error).slice(0, 1000)], keep);
  }
}

const judge = new net.Socket({ fd: 3 });
const messages = new codec.Cutter(async (text, data) => judge.write(await perform(text, data)));
judge.on('data', (chunk) => messages.add(chunk));
judge.on('close', () => process.exit(0));
judge.on('error', () => process.exit(1));
