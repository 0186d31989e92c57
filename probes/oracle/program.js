'use strict';
// The subject, as the judge sees it.

const { spawn } = require('node:child_process');
const Module = require('node:module');
const path = require('node:path');
const codec = require('./codec');
const { fieldsOf, handle, isReference } = require('./handle');

// The program is wrong in the way that the message says.
class Failure extends Error {}

// In a user namespace of its own the subject has no rights over the judge: it can neither trace it
// nor open its memory or descriptors. By hand nothing is at stake, and every machine will do.
const APART = ['/usr/bin/unshare', '--user', '--map-current-user'];

class Program {
  constructor(apart) {
    const command = [...(apart ? APART : []), process.execPath, path.join(__dirname, 'subject.js')];
    this.process = spawn(command[0], command.slice(1), { stdio: ['ignore', 'inherit', 'inherit', 'pipe'], detached: true });
    this.last = Promise.resolve(); // one request after the other
    this.ended = undefined; // a Failure once nothing can be asked any more
    this.process.on('error', (error) => this.end(`the program cannot be started: ${error.message}`));
    this.process.on('exit', (code, signal) => {
      this.end(signal === null ? `the program ended early with exit status ${code}` : `the program was killed by ${signal}`);
    });
    this.socket = this.process.stdio[3];
    const messages = new codec.Cutter((text, data) => this.take(text, data));
    this.socket.on('data', (chunk) => {
      try {
        messages.add(chunk);
      } catch (error) {
        this.end(`the program's answer cannot be read: ${error.message}`);
      }
    });
    this.socket.on('error', () => {}); // the exit says why
    closeTheFolder(path.dirname(__dirname));
  }

  // Ask for something once what was asked before has been answered.
  ask(...request) {
    const answered = this.last.then(() => this.askNow(request));
    this.last = answered.catch(() => {});
    return answered;
  }

  askNow(request) {
    return new Promise((resolve, reject) => {
      if (this.ended !== undefined) throw this.ended;
      const message = codec.pack(request, (value) => {
        if (isReference(value)) return fieldsOf(value);
        throw new codec.Unsendable('this cannot be handed to the program; make it in an observer');
      });
      this.pending = { resolve, reject };
      this.socket.write(message);
    });
  }

  take(text, data) {
    const { pending } = this;
    if (pending === undefined) throw new codec.Broken('nothing was asked');
    const answer = codec.unpack(text, data, ([tag, number]) => {
      if (tag !== 'thing' || !Number.isSafeInteger(number)) throw new codec.Broken('not a value');
      return handle(this, number);
    });
    if (!Array.isArray(answer) || answer.length !== 2) throw new codec.Broken('not an answer');
    const [kind, value] = answer;
    this.pending = undefined;
    if (kind === 'value') pending.resolve(value);
    else pending.reject(new Failure(`the program raised ${String(value).slice(0, 1000)}`));
  }

  end(message) {
    if (this.ended !== undefined) return;
    this.ended = new Failure(message);
    this.pending?.reject(this.ended);
    this.stop();
  }

  // End the subject and its group.
  stop() {
    try {
      process.kill(-this.process.pid, 'SIGKILL');
    } catch {
      // It has ended.
    }
  }
}

// The program may write into the folder of the test: nothing is loaded from there any more.
function closeTheFolder(folder) {
  const resolve = Module._resolveFilename;
  Module._resolveFilename = function (request, parent, ...rest) {
    const file = resolve.call(this, request, parent, ...rest);
    const inside = [file, parent?.filename].some((name) => name?.startsWith(folder + path.sep));
    if (inside && !Module.isBuiltin(file) && require.cache[file] === undefined) {
      throw new Error(`${request} has to be required before the program is loaded`);
    }
    return file;
  };
}

module.exports = { Failure, Program };
