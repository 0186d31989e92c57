'use strict';
// How the program uses the library, where that may be a mistake. Nothing is judged here.

const { AsyncLocalStorage } = require('node:async_hooks');
const sites = require('./sites');

const OPTIONS = {
  fit: ['batchSize', 'epochs', 'verbose', 'callbacks', 'validationSplit', 'validationData', 'shuffle', 'classWeight',
    'sampleWeight', 'initialEpoch', 'stepsPerEpoch', 'validationSteps', 'yieldEvery'],
  fitDataset: ['batchesPerEpoch', 'epochs', 'verbose', 'callbacks', 'validationData', 'validationBatchSize',
    'validationBatches', 'yieldEvery', 'initialEpoch', 'classWeight'],
  compile: ['optimizer', 'loss', 'metrics'],
};
const OF_ALL_LAYERS = ['inputShape', 'batchInputShape', 'batchSize', 'dtype', 'inputDType', 'name', 'trainable',
  'weights', 'updatable', 'inputLength'];
const LONG_LOOP = 24;      // calls from one line
const MOST_VALUES = 1 << 20;
const FEW_SAMPLES = 32;
const MOST_LABELS = 100;

function simple(name) {
  return name.replace(/_/g, '').toLowerCase();
}

// The number of letters to change, add or drop.
function distance(a, b) {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let k = 1; k <= b.length; k++) {
      next[k] = Math.min(next[k - 1] + 1, row[k] + 1, row[k - 1] + (a[i - 1] === b[k - 1] ? 0 : 1));
    }
    row = next;
  }
  return row[b.length];
}

function nearest(name, known) {
  return known.find((other) => distance(simple(name), simple(other)) <= (other.length > 5 ? 2 : 1));
}

// Few different numbers or words, each of them several times.
function areLabels(array) {
  const values = new Set(Array.prototype.slice.call(array, 0, MOST_VALUES));
  return values.size <= Math.min(MOST_LABELS, array.length / 2)
    && [...values].every((value) => ['number', 'string', 'boolean'].includes(typeof value));
}

class Uses {
  constructor(recorder) {
    this.recorder = recorder;
    this.said = new Set();
    this.answers = new WeakSet(); // what predict gave
    this.loops = new Map();       // file and line: calls of predict in a row, tensors before
    this.shuffled = null;         // the array that was shuffled last
    this.trained = new WeakMap(); // model: a summary of what fit was given
    this.fittingHere = new AsyncLocalStorage(); // the model whose fit, or a callback of it, is running this code
  }

  say(name, values, site = sites.here(), again = '') {
    const key = `${name}:${site.file}:${site.line}:${again}`;
    if (this.said.has(key) || !site.line) return;
    this.said.add(key);
    this.recorder.stream.event('observation', { name, step: this.recorder.step, site, values });
  }

  options(call, given, known = OPTIONS[call]) {
    if (!given || typeof given !== 'object' || Array.isArray(given)) return;
    for (const option of Object.keys(given)) {
      if (known.includes(option) || given[option] === undefined) continue;
      const close = nearest(option, known.filter((other) => !(other in given)));
      if (close || call in OPTIONS) this.say('unknown-option', { call, option, nearest: close }, sites.here(), option);
    }
  }

  layerMade(call, given, layer) {
    if (!given || typeof given !== 'object' || typeof layer.getConfig !== 'function') return;
    let known;
    try {
      known = Object.keys(layer.getConfig());
    } catch {
      return; // a layer of the program's own may have no configuration
    }
    this.options(call, given, [...known, ...OF_ALL_LAYERS]);
  }

  fitted(model, x, y, args) {
    const site = sites.here();
    const compiled = new Set(model.collectedTrainableWeights || []);
    const has = (layer) => layer.weights.some((weight) => compiled.has(weight));
    const frozen = model.layers.filter((layer) => layer.trainable === false && has(layer)).length;
    const released = model.layers.filter((layer) => layer.trainable !== false && layer.weights.length > 0
      && layer.trainableWeights && layer.trainableWeights.length > 0 && !has(layer)).length;
    if (compiled.size && (frozen || released)) this.say('freezing-ignored', { frozen, released }, site);
    const share = args.validationSplit;
    if (y && y.dataId && share > 0 && share < 1) this.split(y, share, site);
    if (x && x.dataId && !this.trained.has(model)) this.trained.set(model, this.summary(x));
  }

  // Classes of the last part of the data that the others do not have.
  split(y, share, site) {
    if (y.size > MOST_VALUES || y.shape.length > 2) return;
    const columns = y.shape.length === 2 ? y.shape[1] : 1;
    const values = y.dataSync();
    const rows = y.shape[0];
    if (values.some((value) => value !== Math.floor(value))) return;
    const rowOf = (row) => values.subarray(row * columns, (row + 1) * columns);
    const classOf = (row) => (columns > 1 ? rowOf(row).indexOf(1) : values[row]);
    const classes = Array.from({ length: rows }, (_, row) => classOf(row));
    const from = Math.floor(rows * (1 - share));
    const known = new Set(classes.slice(0, from));
    const held = classes.slice(from);
    if (new Set(classes).size > rows / 4 || held.length < 4) return;
    this.say('validation-classes', { share: held.filter((one) => !known.has(one)).length / held.length }, site);
  }

  summary(x) {
    if (!x || !x.dataId || x.dtype !== 'float32' || x.shape.length < 2 || x.size > MOST_VALUES) return null;
    const width = x.size / x.shape[0];
    const rows = Math.min(FEW_SAMPLES, x.shape[0]);
    if (width < 4 || rows < 1) return null;
    const values = x.dataSync().slice(0, rows * width);
    let [min, max, sum, squares] = [Infinity, -Infinity, 0, 0];
    for (const value of values) {
      min = Math.min(min, value);
      max = Math.max(max, value);
      sum += value;
      squares += value * value;
    }
    const mean = sum / values.length;
    const counts = Array.from({ length: rows }, (_, i) => new Set(values.subarray(i * width, (i + 1) * width)).size);
    counts.sort((a, b) => a - b);
    const std = Math.sqrt(Math.max(0, squares / values.length - mean ** 2));
    return { distinct: counts[rows >> 1], min, max, mean, std };
  }

  // A model is used by the program itself.
  used(model, x) {
    const { fitting, step } = this.recorder;
    const site = sites.here();
    const inside = this.fittingHere.getStore() === model; // a callback knows what it does
    if (fitting && fitting.model === model && step === fitting.first && !inside) {
      this.say('used-while-fitting', {}, site);
    }
    const training = this.trained.get(model);
    const evaluation = training && !fitting ? this.summary(x) : null;
    if (evaluation && Object.values(evaluation).every(Number.isFinite)) {
      this.say('evaluation-input', { evaluation, training }, site,
        Math.round(Math.log2(evaluation.std + 1e-12)));
    }
  }

  answered(result) {
    for (const tensor of Array.isArray(result) ? result : [result]) this.answers.add(tensor);
    this.counted(sites.here());
  }

  // Whether tensors become more with every call from one line.
  counted(site) {
    const key = `${site.file}:${site.line}`;
    const now = this.recorder.engine.state.numTensors;
    const loop = this.loops.get(key);
    if (!loop || now <= loop.last) {
      this.loops.set(key, { first: now, last: now, calls: 0 });
      return;
    }
    loop.calls++;
    loop.last = now;
    loop.site = site;
  }

  // At the end: what was collected and freed later is no leak.
  tell() {
    const now = this.recorder.engine.state.numTensors;
    for (const { first, last, calls, site } of this.loops.values()) {
      if (calls >= LONG_LOOP && now >= last) this.say('tensors-kept', { calls, kept: last - first }, site);
    }
  }

  winnerSought(tensor, axis) {
    if (axis !== 0 || !tensor || !this.answers.has(tensor) || tensor.shape.length !== 2) return;
    this.say('winner-over-batch', { samples: tensor.shape[0], classes: tensor.shape[1] });
  }

  // Samples and as many labels that are shuffled at different lines, one right after the other. Two arrays
  // of samples, such as those of two classes, may well have an order each.
  shuffledAlone(array) {
    const site = sites.here();
    if (!site.line || this.recorder.step > 0) return;
    const before = this.shuffled;
    this.shuffled = { array, length: array.length, labels: areLabels(array), site };
    if (!before || before.array === array || before.length !== array.length) return;
    if (before.labels === this.shuffled.labels) return;
    const lines = site.line - before.site.line;
    if (before.site.file === site.file && lines !== 0 && Math.abs(lines) <= 10) {
      this.say('shuffled-apart', { length: array.length }, site);
    }
  }
}

module.exports = { Uses };
