'use strict';
// The probe that `faultline watch` attaches to a TensorFlow.js program: node --require tfjs.js.
// docs/trace-format.md is what it writes. Nothing happens until the program loads TensorFlow.js.

const Module = require('node:module');
const { isMainThread } = require('node:worker_threads');

function attach(descriptor, every) {
  const { Recorder } = require('./tfjs/recorder');
  const patches = require('./tfjs/patches');
  let recorder = null;
  const patched = new WeakSet();
  const load = Module._load;

  function loadAndPatch(request, parent, isMain) {
    const loaded = load.call(this, request, parent, isMain);
    const core = request === '@tensorflow/tfjs-core';
    if ((core || request === '@tensorflow/tfjs-layers') && loaded && !patched.has(loaded)) {
      patched.add(loaded);
      try {
        if (core && !recorder) recorder = new Recorder(loaded, descriptor, every);
        if (core) patches.core(recorder, loaded);
        else if (recorder) patches.layers(recorder, loaded);
      } catch (error) {
        if (process.env.FAULTLINE_WATCH_DEBUG) throw error;
      }
    }
    return loaded;
  }
  Module._load = loadAndPatch;
}

const descriptor = process.env.FAULTLINE_WATCH_FD;
const every = Number(process.env.FAULTLINE_WATCH_EVERY) || 0;
delete process.env.FAULTLINE_WATCH_FD;
delete process.env.FAULTLINE_WATCH_EVERY;
if (isMainThread && /^\d+$/.test(descriptor || '')) attach(Number(descriptor), every);
