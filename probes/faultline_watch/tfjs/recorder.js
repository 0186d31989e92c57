'use strict';
// Follows the program through its training steps and writes down what it sees.

const path = require('node:path');
const sites = require('./sites');
const statistics = require('./statistics');
const { Stream } = require('./stream');
const tracer = require('./tracer');
const { Uses } = require('./uses');

const EVERY = 50;
const FUNCTIONS = 1 << 16; // ids of functions and variables; layers count from 0
const ACTIVATIONS = {
  Relu: 'relu', Relu6: 'relu6', Sigmoid: 'sigmoid', Tanh: 'tanh', Softmax: 'softmax', LogSoftmax: 'logSoftmax',
  Elu: 'elu', Selu: 'selu', LeakyRelu: 'leakyRelu', Prelu: 'prelu', Softplus: 'softplus',
};

function usual(step) {
  if (step < 5) return true;
  if (step <= 50) return step % 5 === 0;
  if (step <= 200) return step % 10 === 0;
  return step % EVERY === 0;
}

// The values of a tensor now; the program may dispose of it later.
function copyOf(tensor) {
  return Float32Array.from(tensor.dataSync());
}

// TensorFlow.js names its classes of errors, but not their objects.
function nameOf(error) {
  if (!error || typeof error !== 'object') return 'Error';
  return error.name && error.name !== 'Error' ? error.name : error.constructor.name;
}

class Recorder {
  constructor(tf, descriptor, every) {
    this.tf = tf;
    this.engine = tf.engine();
    this.stream = new Stream(descriptor);
    this.every = every;
    this.on = true;
    this.began = Date.now();
    this.step = 0;
    this.epoch = 0;
    this.fitting = null;      // the call of fit that is running
    this.layers = [];
    this.byLayer = new Map();
    this.byLine = new Map();
    this.byVariable = new Map(); // name: [layer, slot]
    this.madeAt = new WeakMap();
    this.variablesMadeAt = new Map();
    this.failures = new WeakMap();
    this.failedAt = new WeakMap(); // error: the program's lines where it came up
    this.lastError = null;         // the newest of these
    this.calledAt = new Map();     // operation of the last step that was checked: the program's lines
    this.uses = new Uses(this);
    this.optimizers = new WeakSet();
    this.lossSites = new Set();
    this.calls = 0;
    this.optimised = new Set();
    this.depth = 0;           // layers that are being applied
    this.training = false;    // inside computeGradients
    this.suspect = null;      // the first kernel of the step that made a value which is no number
    this.spoilt = false;      // the loss or its gradients are no numbers
    this.incident = false;    // and that has been told
    this.beginStep();
    this.stream.event('start', { framework: 'tfjs', version: (tf.version_core || ''),
      command: [path.basename(process.argv[0]), ...process.argv.slice(1)], every: every || EVERY });
    process.on('uncaughtExceptionMonitor', (error) => this.guard(() => this.crashed(error)));
    process.on('exit', (code) => this.guard(() => this.end(code)));
  }

  // An error of the probe ends the recording, never the program.
  guard(work) {
    if (!this.on) return undefined;
    try {
      return work();
    } catch (error) {
      this.on = false;
      this.stream.event('problem', { message: String((error && error.stack) || error) });
      this.stream.flush();
      return undefined;
    }
  }

  beginStep() {
    this.loss = NaN;
    this.accuracy = NaN;
    this.samples = 0;
    this.rows = [];
    this.before = new Map();
    this.seen = new Set();
    this.input = null;
    this.lossSeen = false;
    this.suspectBefore = this.suspect;
    this.suspect = null;
    this.checking = this.every ? this.step % this.every === 0 : usual(this.step);
  }

  // Layers.

  layerOf(layer) {
    let found = this.byLayer.get(layer);
    if (!found) {
      const config = this.settingsOf(layer);
      found = { id: this.byLayer.size, name: layer.name, kind: layer.getClassName(), settings: config,
        site: this.madeAt.get(layer) || sites.here(), called: false, order: -1, layer, told: '' };
      this.byLayer.set(layer, found);
      this.layers.push(found);
    }
    return found;
  }

  settingsOf(layer) {
    const settings = {};
    try {
      for (const [key, value] of Object.entries(layer.getConfig())) {
        if (['number', 'boolean', 'string'].includes(typeof value)) settings[key] = value;
        else if (Array.isArray(value) && value.every((part) => part === null || typeof part === 'number')) {
          settings[key] = value;
        }
      }
    } catch {
      // a layer of the program's own may have no configuration
    }
    if (layer.batchInputShape) settings.batch_input_shape = layer.batchInputShape;
    return settings;
  }

  functionAt(name, site) {
    const key = `${site.file}:${site.line}:${name}`;
    let found = this.byLine.get(key);
    if (!found) {
      found = { id: FUNCTIONS + this.byLine.size, name, kind: name, settings: {}, site, called: false, order: -1,
        weights: [], told: '' };
      this.byLine.set(key, found);
      this.layers.push(found);
    }
    return found;
  }

  // A variable that no layer has is a layer of its own.
  ownerOf(name) {
    if (!this.byVariable.has(name)) {
      for (const found of this.layers) {
        (found.layer ? found.layer.weights : []).forEach((weight, slot) => {
          if (weight.val) this.byVariable.set(weight.val.name, [found, slot]);
        });
      }
    }
    if (!this.byVariable.has(name)) {
      const found = this.functionAt(name, this.variablesMadeAt.get(name) || sites.NOWHERE);
      found.kind = 'Variable';
      found.weights = [name];
      found.called = true;
      found.order = found.order < 0 ? this.calls++ : found.order;
      this.byVariable.set(name, [found, 0]);
    }
    return this.byVariable.get(name);
  }

  called(found) {
    if (!found.called) {
      found.called = true;
      found.order = this.calls++;
    }
  }

  tellLayers(names) {
    if (names) this.optimised = new Set([...this.optimised, ...names]);
    const { optimised } = this;
    for (const found of this.layers) {
      const weights = found.layer ? found.layer.weights : [];
      const names = found.layer ? weights.map((weight) => weight.originalName.split('/').pop()) : found.weights;
      const has = found.layer ? weights.map((weight) => Boolean(weight.val) && optimised.has(weight.val.name))
        : names.map((name) => optimised.has(name));
      const trainable = found.layer
        ? weights.map((weight) => weight.trainable && found.layer.trainable !== false)
        : names.map((name) => Boolean((this.engine.registeredVariables[name] || {}).trainable));
      const event = { id: found.id, name: found.name, kind: found.kind, site: found.site, called: found.called,
        order: found.order, parameters: names, optimised: has, trainable, settings: found.settings };
      const text = JSON.stringify(event);
      if (text === found.told) continue;
      found.told = text;
      this.stream.event('layer', event);
    }
  }

  tensor(found, role, slot, numbers) {
    this.rows.push([found.id, role, slot, numbers]);
  }

  output(found, inputs, output) {
    const first = this.seen.size === 0;
    this.called(found);
    if (this.seen.has(found.id) || !output || !output.dataId || output.dtype !== 'float32') return;
    this.seen.add(found.id);
    if (first && found.layer && inputs && inputs.dataId) {
      this.input = inputs;
      this.samples = inputs.shape[0] || 0;
    }
    if (first && inputs && inputs.dataId && inputs.dtype === 'float32') {
      this.tensor(found, 'input', 0, statistics.summary(inputs.dataSync()));
    }
    const activation = found.settings.activation || found.kind;
    this.tensor(found, 'output', 0, statistics.outputSummary(output.dataSync(), output.shape, activation));
  }

  // Losses.

  lossCalled(kind, site, target, prediction, reduction = '') {
    if (!this.training || !this.checking || !prediction || !prediction.dataId) return;
    this.lossSeen = true;
    if (target && target.dataId) this.accuracy = statistics.accuracy(target, prediction);
    const key = `${site.file}:${site.line}`;
    if (this.lossSites.has(key) && !usual(this.step)) return;
    this.lossSites.add(key);
    this.stream.event('loss', { step: this.step, kind, site, reduction, evaluating: false,
      input: this.input ? statistics.inputFacts(this.input) : undefined,
      prediction: statistics.predictionFacts(prediction),
      target: target && target.dataId ? statistics.targetFacts(target) : undefined });
  }

  // Steps.

  optimizerSeen(optimizer) {
    if (this.optimizers.has(optimizer)) return;
    this.optimizers.add(optimizer);
    const settings = {};
    for (const [key, value] of Object.entries(optimizer)) {
      if (typeof value === 'number' || typeof value === 'boolean') settings[key] = value;
    }
    if ('learningRate' in settings) settings.lr = settings.learningRate;
    if ('epsilon' in settings) settings.eps = settings.epsilon;
    this.stream.event('optimizer', { kind: optimizer.getClassName ? optimizer.getClassName() : 'Optimizer',
      site: this.madeAt.get(optimizer) || sites.here(), settings });
  }

  // Whether to look for values that are no numbers. The step cannot be run a second time for that: the
  // program would notice. Where values need not be fetched from a device, looking costs little.
  looks() {
    return !this.incident && (this.checking || this.spoilt || this.tf.getBackend() === 'cpu');
  }

  // While the cost and its gradients are computed: values that are no numbers and, at a check, activations
  // called by the program itself.
  watchKernels() {
    const recorder = this;
    const { engine } = this;
    const original = engine.runKernel;
    const looks = this.looks();
    if (this.checking) this.calledAt.clear();
    engine.runKernel = function (kernel, inputs, attributes) {
      const result = original.call(this, kernel, inputs, attributes);
      if (recorder.checking && recorder.forward && !recorder.calledAt.has(kernel)) {
        recorder.guard(() => recorder.calledAt.set(kernel, sites.trail()));
      }
      if (looks && !recorder.suspect) recorder.guard(() => recorder.suspected(tracer.look(kernel, inputs, result)));
      if (recorder.checking && ACTIVATIONS[kernel] && recorder.forward && recorder.depth === 0) {
        recorder.guard(() => {
          const found = recorder.functionAt(ACTIVATIONS[kernel], sites.here());
          recorder.output(found, Object.values(inputs)[0], result);
        });
      }
      return result;
    };
    return () => {
      delete engine.runKernel;
      if (engine.runKernel !== original) engine.runKernel = original;
    };
  }

  suspected(found) {
    if (!found) return;
    const { outside, ...event } = found;
    if (outside) {
      const isVariable = Object.values(this.engine.registeredVariables).some((one) => one.dataId === outside.dataId);
      event.operation = isVariable ? 'weight' : 'data';
    }
    const layer = this.applying ? this.layerOf(this.applying).id : -1;
    this.suspect = { step: this.step, backward: !this.forward, layer, ...event };
  }

  gradientsComputed({ value, grads }) {
    const looked = this.looks();
    this.loss = value.dataSync()[0];
    if (!this.lossSeen && this.checking && usual(this.step)) {
      this.stream.event('loss', { step: this.step, kind: '', site: sites.here(), reduction: '', evaluating: false,
        input: this.input ? statistics.inputFacts(this.input) : undefined });
    }
    if (this.checking) {
      for (const [name, gradient] of Object.entries(grads)) {
        if (!gradient) continue;
        const [found, slot] = this.ownerOf(name);
        const variable = this.engine.registeredVariables[name];
        if (variable) {
          const values = copyOf(variable);
          this.before.set(name, values);
          this.tensor(found, 'weight', slot, statistics.summary(values));
        }
        this.tensor(found, 'gradient', slot, statistics.summary(gradient.dataSync()));
      }
    }
    const spoilt = !Number.isFinite(this.loss)
      || this.rows.some(([, role, , numbers]) => role === 'gradient' && numbers.nan + numbers.inf > 0);
    if (spoilt && !this.incident) {
      this.spoilt = true;
      this.incident = looked; // else the next step is looked at
      if (looked) this.tellOrigin();
    }
  }

  // A weight that is no number may be so by the gradients of the step before.
  tellOrigin() {
    const { suspect, suspectBefore } = this;
    const found = suspect && suspect.operation === 'weight' && suspectBefore ? suspectBefore : suspect;
    if (found) this.stream.event('nonfinite', found);
  }

  stepDone(optimizer, names) {
    if (this.checking) {
      for (const [name, before] of this.before) {
        const variable = this.engine.registeredVariables[name];
        if (!variable) continue;
        const [found, slot] = this.ownerOf(name);
        const after = variable.dataSync();
        this.tensor(found, 'update', slot, statistics.summary(before.map((value, i) => after[i] - value)));
      }
      this.tellLayers(names);
      for (const [id, role, slot, numbers] of this.rows) this.stream.tensor(this.step, id, role, slot, numbers);
      const { numTensors, numBytes } = this.tf.memory();
      this.stream.event('check', { step: this.step, memory_kib: Math.ceil(numBytes / 1024), tensors: numTensors });
    }
    const rate = typeof optimizer.learningRate === 'number' ? optimizer.learningRate : NaN;
    const epoch = this.fitting && this.fitting.stepsPerEpoch
      ? Math.floor((this.step - this.fitting.first) / this.fitting.stepsPerEpoch) + this.fitting.epoch : this.epoch;
    this.stream.step({ step: this.step, epoch, loss: this.loss, rate, accuracy: this.accuracy,
      seconds: (Date.now() - this.began) / 1000, samples: this.samples });
    this.epoch = epoch;
    this.step++;
    if (this.checking) this.stream.flush();
    this.beginStep();
  }

  // The end.

  crashed(error) {
    this.lastError = null;
    this.tellLayers();
    const failure = (error && typeof error === 'object' && this.failures.get(error)) || {};
    const message = String((error && error.message) || error);
    const operation = /Error in (\w+)/.exec(message)
      || /\n\s+at (?:\w+\.)?(\w+)_ \(/.exec(String(error && error.stack));
    this.stream.event('crash', { exception: nameOf(error), message: message.slice(0, 2000),
      frames: this.framesOf(error, message), layer: failure.layer === undefined ? -1 : failure.layer,
      operation: operation ? operation[1] : '', facts: failure.facts || {} });
  }

  // An error's own stack is cut after ten calls, all of which may be in the library. Then it is where the call
  // came from that failed; of an operation whose gradient fails, where it was called.
  framesOf(error, message) {
    const frames = sites.framesOf(error);
    if (frames.length > 0) return frames;
    const gradient = /Error in gradient for op (\w+)/.exec(message);
    return (gradient && this.calledAt.get(gradient[1])) || this.failedAt.get(error) || [];
  }

  // Noted innermost first; what is further out does not replace it.
  failed(error, lines = sites.trail()) {
    const known = !error || typeof error !== 'object' || this.failedAt.has(error);
    if (known || !lines.some(({ line }) => line)) return;
    this.failedAt.set(error, lines);
    this.lastError = error;
  }

  end(status) {
    // Many programs catch what went wrong, print it and leave.
    if (status !== 0 && this.lastError) this.crashed(this.lastError);
    if (this.step === 0) this.tellLayers();
    this.uses.tell();
    this.stream.event('end', { status, steps: this.step });
    this.stream.flush();
  }
}

module.exports = { Recorder };
