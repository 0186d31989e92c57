'use strict';
// Writes the binary form of the stream.

const fs = require('node:fs');

const FLUSH_BYTES = 1 << 15;
const LONGEST_FRAME = 1 << 20;
const ROLES = { input: 0, output: 1, weight: 2, gradient: 3, update: 4 };

// Numbers that are not finite are words.
function replacer(_key, value) {
  if (typeof value !== 'number' || Number.isFinite(value)) return value;
  if (Number.isNaN(value)) return 'nan';
  return value > 0 ? 'inf' : '-inf';
}

function sleep(milliseconds) {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
}

class Stream {
  constructor(descriptor) {
    this.descriptor = descriptor;
    this.parts = [Buffer.from('FLTRACE1')];
    this.size = 0;
    this.open = true;
  }

  frame(kind, content) {
    if (content.length >= LONGEST_FRAME) return;
    const head = Buffer.alloc(5);
    head.writeUInt32LE(content.length + 1, 0);
    head.write(kind, 4, 'latin1');
    this.parts.push(head, content);
    this.size += 5 + content.length;
  }

  event(name, fields) {
    this.frame('J', Buffer.from(JSON.stringify({ event: name, ...fields }, replacer)));
  }

  step({ step, epoch, loss, rate, accuracy, seconds, samples }) {
    const content = Buffer.alloc(36);
    content.writeUInt32LE(step, 0);
    content.writeUInt32LE(epoch, 4);
    content.writeDoubleLE(loss, 8);
    content.writeDoubleLE(rate, 16);
    content.writeFloatLE(accuracy, 24);
    content.writeFloatLE(seconds, 28);
    content.writeUInt32LE(samples, 32);
    this.frame('S', content);
    if (this.size > FLUSH_BYTES) this.flush();
  }

  tensor(step, layer, role, slot, s) {
    const content = Buffer.alloc(72);
    content.writeUInt32LE(step, 0);
    content.writeUInt32LE(layer, 4);
    content.writeUInt8(ROLES[role], 8);
    content.writeUInt8(slot, 9);
    content.writeBigUInt64LE(BigInt(s.count), 12);
    content.writeBigUInt64LE(BigInt(s.nan), 20);
    content.writeBigUInt64LE(BigInt(s.inf), 28);
    for (const [i, value] of [s.zeros, s.mean, s.std, s.min, s.max, s.norm].entries()) {
      content.writeFloatLE(value, 36 + 4 * i);
    }
    content.writeUInt32LE(s.units, 60);
    content.writeUInt32LE(s.dead, 64);
    content.writeFloatLE(s.saturated, 68);
    this.frame('T', content);
  }

  flush() {
    const data = Buffer.concat(this.parts);
    this.parts = [];
    this.size = 0;
    for (let at = 0; this.open && at < data.length;) {
      try {
        at += fs.writeSync(this.descriptor, data, at);
      } catch (error) {
        if (error.code === 'EAGAIN') sleep(1);
        else this.open = false; // nobody reads any more
      }
    }
  }
}

module.exports = { Stream };
