'use strict';
// What of TensorFlow.js is wrapped. Each wrapper tells the recorder and calls the original.

const sites = require('./sites');

function first(value) {
  return Array.isArray(value) ? value[0] : value;
}

function shapesOf(value) {
  return (Array.isArray(value) ? value : [value]).map((part) => (part && part.shape) || null);
}

// Optimizers, variables and losses of the core.
function core(recorder, tf) {
  const { Optimizer } = tf;
  const { computeGradients } = Optimizer.prototype; // minimize calls it, and applyGradients, by name

  Optimizer.prototype.computeGradients = function (f, variables) {
    if (!recorder.on || recorder.training) return computeGradients.call(this, f, variables);
    const watched = function (...args) {
      recorder.forward = true;
      try {
        return f.apply(this, args);
      } finally {
        recorder.forward = false;
      }
    };
    recorder.guard(() => {
      recorder.optimizerSeen(this);
      wrapApply(recorder, Object.getPrototypeOf(this));
    });
    const stop = recorder.checking || recorder.looks() ? recorder.watchKernels() : () => {};
    recorder.training = true;
    let result;
    try {
      result = computeGradients.call(this, typeof f === 'function' ? watched : f, variables);
    } catch (error) {
      recorder.guard(() => recorder.failed(error));
      throw error;
    } finally {
      recorder.training = false;
      stop();
    }
    recorder.guard(() => recorder.gradientsComputed(result));
    return result;
  };

  const { train } = tf;
  for (const name of Object.keys(train || {})) {
    const make = train[name];
    if (typeof make !== 'function') continue;
    train[name] = function (...args) {
      const optimizer = make.apply(this, args);
      recorder.guard(() => recorder.madeAt.set(optimizer, sites.here()));
      return optimizer;
    };
  }

  const { engine } = recorder;
  const { makeVariable } = engine;
  engine.makeVariable = function (...args) {
    const variable = makeVariable.apply(this, args);
    recorder.guard(() => recorder.variablesMadeAt.set(variable.name, sites.here()));
    return variable;
  };

  // The default axis of argMax is the batch.
  const { runKernel } = engine;
  engine.runKernel = function (kernel, inputs, attributes) {
    if (kernel === 'ArgMax') recorder.guard(() => recorder.uses.winnerSought(inputs.x, attributes && attributes.axis));
    try {
      return runKernel.call(this, kernel, inputs, attributes);
    } catch (error) {
      recorder.guard(() => recorder.failed(error));
      throw error;
    }
  };

  const { shuffle } = tf.util;
  tf.util.shuffle = function (array) {
    recorder.guard(() => recorder.uses.shuffledAlone(array));
    return shuffle.call(this, array);
  };

  for (const name of Object.keys(tf.losses)) {
    const loss = tf.losses[name];
    tf.losses[name] = function (target, prediction, ...rest) {
      const result = loss.call(this, target, prediction, ...rest);
      if (name !== 'computeWeightedLoss') {
        recorder.guard(() => recorder.lossCalled(name, sites.here(), target, prediction));
      }
      return result;
    };
  }
}

// applyGradients belongs to each kind of optimizer.
function wrapApply(recorder, prototype) {
  if (!Object.hasOwn(prototype, 'applyGradients') || prototype.applyGradients.watched) return;
  const { applyGradients } = prototype;
  let depth = 0;
  const wrapper = function (gradients) {
    depth++;
    let result;
    try {
      result = applyGradients.call(this, gradients);
    } finally {
      depth--;
    }
    if (depth === 0) {
      const names = Array.isArray(gradients) ? gradients.map(({ name }) => name) : Object.keys(gradients);
      recorder.guard(() => recorder.stepDone(this, names));
    }
    return result;
  };
  wrapper.watched = true;
  prototype.applyGradients = wrapper;
}

function layers(recorder, tfl) {
  factories(recorder, tfl.layers);
  metrics(recorder, tfl.metrics);
  apply(recorder, tfl.layers.Layer);
  model(recorder, tfl.LayersModel);
}

// A metric is a loss where a cost function calls it.
function metrics(recorder, namespace) {
  for (const name of ['binaryCrossentropy', 'categoricalCrossentropy', 'sparseCategoricalCrossentropy',
    'meanSquaredError', 'meanAbsoluteError']) {
    const metric = namespace[name];
    if (typeof metric !== 'function') continue;
    namespace[name] = function (target, prediction) {
      const result = metric.call(this, target, prediction);
      if (recorder.forward) recorder.guard(() => recorder.lossCalled(name, sites.here(), target, prediction));
      return result;
    };
  }
}

// Where layers are made.
function factories(recorder, namespace) {
  for (const name of Object.keys(namespace)) {
    const make = namespace[name];
    if (typeof make !== 'function' || !/^[a-z]/.test(name)) continue;
    namespace[name] = function (...args) {
      const made = make.apply(this, args);
      recorder.guard(() => {
        if (made && typeof made.apply === 'function') {
          recorder.madeAt.set(made, sites.here());
          recorder.uses.layerMade(name, args[0], made);
        }
      });
      return made;
    };
  }
}

function apply(recorder, Layer) {
  const original = Layer.prototype.apply;
  Layer.prototype.apply = function (inputs, ...rest) {
    const outer = recorder.applying;
    recorder.applying = this;
    recorder.depth++;
    let output;
    try {
      output = original.call(this, inputs, ...rest);
    } catch (error) {
      recorder.guard(() => {
        if (error && typeof error === 'object' && !recorder.failures.has(error)) {
          const weights = this.weights.map((weight) => [weight.originalName.split('/').pop(), weight.shape]);
          recorder.failures.set(error, { layer: recorder.layerOf(this).id, facts: { layer_kind: this.getClassName(),
            inputs: shapesOf(inputs), parameters: Object.fromEntries(weights) } });
        }
      });
      throw error;
    } finally {
      recorder.applying = outer;
      recorder.depth--;
    }
    recorder.guard(() => {
      const real = first(output) && first(output).dataId;
      if (!real && recorder.depth === 0 && !this.layers) recorder.layerOf(this);
      if (real && recorder.training && recorder.checking && !this.layers) {
        recorder.output(recorder.layerOf(this), first(inputs), first(output));
      }
    });
    return output;
  };
}

function model(recorder, LayersModel) {
  const { compile, fit, fitDataset, evaluate, predict } = LayersModel.prototype;

  LayersModel.prototype.compile = function (args) {
    const result = compile.call(this, args);
    recorder.guard(() => recorder.uses.options('compile', args));
    recorder.guard(() => {
      const site = sites.here();
      recorder.madeAt.set(this.optimizer, recorder.madeAt.get(this.optimizer) || site);
      this.lossFunctions = this.lossFunctions.map((loss, i) => {
        const named = Array.isArray(this.loss) ? this.loss[i] : this.loss;
        const kind = typeof named === 'string' ? named : '';
        return function (target, prediction, ...rest) {
          const value = loss.call(this, target, prediction, ...rest);
          recorder.guard(() => recorder.lossCalled(kind, site, target, prediction));
          return value;
        };
      });
    });
    return result;
  };

  LayersModel.prototype.fit = async function (x, y, args = {}) {
    const site = sites.here();
    recorder.guard(() => {
      begin(recorder, this, first(x), args);
      recorder.uses.options('fit', args);
      recorder.uses.fitted(this, first(x), first(y), args);
    });
    try {
      const history = await recorder.uses.fittingHere.run(this, () => fit.call(this, x, y, args));
      recorder.guard(() => tellValidation(recorder, history, site));
      return history;
    } catch (error) {
      declared(recorder, this, x, error);
      recorder.guard(() => recorder.failed(error, [site]));
      throw error;
    } finally {
      recorder.fitting = null;
    }
  };

  LayersModel.prototype.fitDataset = async function (dataset, args) {
    const site = sites.here();
    recorder.guard(() => {
      begin(recorder, this, null, args || {});
      recorder.uses.options('fitDataset', args);
      recorder.uses.fitted(this, null, null, {});
    });
    try {
      const history = await recorder.uses.fittingHere.run(this, () => fitDataset.call(this, dataset, args));
      recorder.guard(() => tellValidation(recorder, history, site));
      return history;
    } catch (error) {
      recorder.guard(() => recorder.failed(error, [site]));
      throw error;
    } finally {
      recorder.fitting = null;
    }
  };

  LayersModel.prototype.evaluate = function (x, y, args) {
    let result;
    recorder.guard(() => recorder.uses.used(this, first(x)));
    try {
      result = evaluate.call(this, x, y, args);
    } catch (error) {
      declared(recorder, this, x, error);
      throw error;
    }
    recorder.guard(() => {
      const values = (Array.isArray(result) ? result : [result]).map((scalar) => scalar.dataSync()[0]);
      const accuracy = this.metricsNames.findIndex((name) => /^acc/.test(name));
      recorder.stream.event('evaluation', { step: recorder.step, loss: values[0],
        accuracy: accuracy >= 0 ? values[accuracy] : NaN, batches: 1, training_mode: false, site: sites.here() });
    });
    return result;
  };

  LayersModel.prototype.predict = function (x, args) {
    recorder.guard(() => recorder.uses.used(this, first(x)));
    try {
      const result = predict.call(this, x, args);
      recorder.guard(() => recorder.uses.answered(result));
      return result;
    } catch (error) {
      declared(recorder, this, x, error);
      throw error;
    }
  };
}

// What the model wants, beside what it was given.
function declared(recorder, model_, x, error) {
  recorder.guard(() => {
    if (!error || typeof error !== 'object' || recorder.failures.has(error)) return;
    recorder.failures.set(error, { facts: { inputs: shapesOf(x),
      declared: model_.inputs.map(({ shape }) => shape) } });
  });
}

function begin(recorder, model_, x, args) {
  for (const layer of model_.layers) if (!layer.layers) recorder.layerOf(layer);
  const rows = x && x.shape ? x.shape[0] : 0;
  const held = args.validationSplit ? Math.floor(rows * args.validationSplit) : 0;
  const batchSize = args.batchSize || 32;
  const stepsPerEpoch = args.batchesPerEpoch || Math.ceil((rows - held) / batchSize) || 0;
  recorder.fitting = { model: model_, first: recorder.step, stepsPerEpoch,
    epoch: recorder.step ? recorder.epoch + 1 : 0 };
  recorder.stream.event('experiment', { name: 'fit', values: { epochs: args.epochs, batch_size: batchSize,
    samples: rows, steps_per_epoch: stepsPerEpoch, declared: model_.inputs.map(({ shape }) => shape),
    given: x && x.shape ? [x.shape] : [] } });
}

function tellValidation(recorder, { history }, site) {
  const losses = (history && history.val_loss) || [];
  const name = Object.keys(history || {}).find((key) => /^val_acc/.test(key));
  const { first: start, stepsPerEpoch } = recorder.fitting || { first: recorder.step, stepsPerEpoch: 0 };
  losses.forEach((loss, i) => {
    recorder.stream.event('evaluation', { step: start + (i + 1) * stepsPerEpoch, loss: Number(loss),
      accuracy: name ? Number(history[name][i]) : NaN, batches: 1, training_mode: false, site });
  });
}

module.exports = { core, layers };
