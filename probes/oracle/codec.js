'use strict';
// Values as bytes, for the socket between the judge and the subject: codec.py, in JavaScript.
//
// A message is a JSON text and one run of bytes. JSON says what there is; typed arrays lie in the
// bytes. What comes from the subject is not trusted: nothing is evaluated, every length is checked.

const HEAD = 12; // lengths of the JSON text (4 bytes) and of the bytes (8)
const MOST_TEXT = 16 << 20;
const MOST_BYTES = 256 << 20;
const DEEPEST = 40;
const MOST_VALUES = 2_000_000;
const LONGEST_NUMBER = 4000; // digits

const TYPED = {
  Int8Array, Uint8Array, Uint8ClampedArray, Int16Array, Uint16Array, Int32Array, Uint32Array,
  Float32Array, Float64Array, BigInt64Array, BigUint64Array,
};

// What came is not a message.
class Broken extends Error {}
// A value that has no form as bytes.
class Unsendable extends Error {}

// The bytes of the message that carries `value`. `refer(thing)` gives the JSON of what has no form
// as bytes, or throws Unsendable.
function pack(value, refer) {
  const chunks = [];
  let size = 0;
  let values = 0;

  function store(chunk) {
    const place = [size, chunk.length];
    chunks.push(chunk);
    size += chunk.length;
    return place;
  }

  function all(list, depth) {
    return Array.from(list, (one) => encode(one, depth + 1));
  }

  function pairs(entries, depth) {
    return Array.from(entries, ([key, one]) => [encode(key, depth + 1), encode(one, depth + 1)]);
  }

  function encode(one, depth) {
    values += 1;
    if (values > MOST_VALUES) throw new Unsendable('the value is too large');
    if (one === null || typeof one === 'boolean' || typeof one === 'string') return one;
    if (one === undefined) return ['undefined'];
    if (typeof one === 'number') {
      return Number.isFinite(one) && !Object.is(one, -0) ? one : ['number', Object.is(one, -0) ? '-0' : String(one)];
    }
    if (typeof one === 'bigint') return ['big', String(one)];
    if (typeof one !== 'object' || depth > DEEPEST) return refer(one);
    if (Array.isArray(one)) return ['list', all(one, depth)];
    if (ArrayBuffer.isView(one) && !(one instanceof DataView)) {
      const name = one instanceof Buffer ? 'Uint8Array' : one.constructor.name;
      if (Object.hasOwn(TYPED, name)) {
        return ['typed', name, ...store(Buffer.from(one.buffer, one.byteOffset, one.byteLength))];
      }
    }
    const kind = Object.getPrototypeOf(one);
    if (kind === Map.prototype) return ['map', pairs(one, depth)];
    if (kind === Set.prototype) return ['set', all(one, depth)];
    if (kind === Object.prototype || kind === null) return ['object', pairs(Object.entries(one), depth)];
    return refer(one);
  }

  const text = Buffer.from(JSON.stringify(encode(value, 0)));
  if (text.length > MOST_TEXT || size > MOST_BYTES) throw new Unsendable('the value is too large');
  const head = Buffer.alloc(HEAD);
  head.writeUInt32BE(text.length, 0);
  head.writeBigUInt64BE(BigInt(size), 4);
  return Buffer.concat([head, text, ...chunks]);
}

// The value of a message. `refer(fields)` gives what a reference stands for.
function unpack(text, data, refer) {
  function part(start, size) {
    if (!Number.isSafeInteger(start) || !Number.isSafeInteger(size) || start < 0 || size < 0 || start + size > data.length) {
      throw new Broken('not a place in the bytes');
    }
    return data.subarray(start, start + size);
  }

  function all(trees, depth) {
    if (!Array.isArray(trees)) throw new Broken('not a list of values');
    return trees.map((tree) => decode(tree, depth + 1));
  }

  function pairs(trees, depth) {
    return all(trees.map((pair) => ['list', pair]), depth);
  }

  const makers = {
    undefined: () => undefined,
    number: (word) => {
      if (!['NaN', 'Infinity', '-Infinity', '-0'].includes(word)) throw new Broken('not a number');
      return Number(word);
    },
    big: (digits) => {
      if (typeof digits !== 'string' || digits.length > LONGEST_NUMBER) throw new Broken('not a number');
      return BigInt(digits);
    },
    list: (trees, depth) => all(trees, depth),
    set: (trees, depth) => new Set(all(trees, depth)),
    map: (trees, depth) => new Map(pairs(trees, depth)),
    object: (trees, depth) => {
      const made = {};
      for (const [key, value] of pairs(trees, depth)) {
        // As its own, whatever its name: `__proto__` is a key like others.
        Object.defineProperty(made, String(key), { value, writable: true, enumerable: true, configurable: true });
      }
      return made;
    },
    typed: (name, _depth, start, size) => {
      const Kind = Object.hasOwn(TYPED, name) ? TYPED[name] : undefined;
      if (Kind === undefined || size % Kind.BYTES_PER_ELEMENT !== 0) throw new Broken('no such array');
      const copy = new Uint8Array(part(start, size));
      return new Kind(copy.buffer);
    },
  };

  function decode(tree, depth) {
    if (tree === null || ['boolean', 'number', 'string'].includes(typeof tree)) return tree;
    if (!Array.isArray(tree) || typeof tree[0] !== 'string' || depth > 4 * DEEPEST) throw new Broken('not a value');
    const [tag, first, ...rest] = tree;
    return Object.hasOwn(makers, tag) ? makers[tag](first, depth, ...rest) : refer(tree);
  }

  try {
    return decode(JSON.parse(text.toString()), 0);
  } catch (error) {
    throw error instanceof Broken ? error : new Broken(`not a message: ${error.name}`);
  }
}

// Cuts what comes into messages. `take` is given the two parts of each.
class Cutter {
  constructor(take) {
    this.take = take;
    this.parts = [];
    this.size = 0;
  }

  add(chunk) {
    this.parts.push(chunk);
    this.size += chunk.length;
    if (this.size < (this.needed || HEAD)) return; // joined only when it is worth it
    let all = Buffer.concat(this.parts);
    this.needed = HEAD;
    while (all.length >= HEAD) {
      const text = all.readUInt32BE(0);
      const size = all.readBigUInt64BE(4);
      if (text > MOST_TEXT || size > BigInt(MOST_BYTES)) throw new Broken('a message is too large');
      const end = HEAD + text + Number(size);
      if (all.length < end) {
        this.needed = end;
        break;
      }
      this.take(all.subarray(HEAD, HEAD + text), all.subarray(HEAD + text, end));
      all = all.subarray(end);
    }
    this.parts = [all];
    this.size = all.length;
  }
}

module.exports = { Broken, Unsendable, Cutter, pack, unpack };
