'use strict';
// A two-layer network on small MNIST digits, trained with SGD and momentum.
const tf = require('@tensorflow/tfjs');
const { loadData } = require('./data');

const SAMPLES = 600;
const BATCH_SIZE = 20;
const EPOCHS = 10;
const HIDDEN = 32;

// Stochastic gradient descent with momentum and a rate that decays with every update.
class DecayingSGD {
  constructor({ learningRate = 0.01, decay = 0, momentum = 0, nesterov = false }) {
    this.learningRate = learningRate;
    this.decay = decay;
    this.momentum = momentum;
    this.nesterov = nesterov;
    this.iterations = 0;
    this.velocities = new Map();
  }

  currentRate() {
    return this.learningRate - this.decay * this.iterations;
  }

  // Move `variables` one step down the gradient of `loss`, a function without arguments.
  minimize(loss, variables) {
    return tf.tidy(() => {
      const { value, grads } = tf.variableGrads(loss, variables);
      const rate = this.currentRate();
      for (const variable of variables) {
        if (!this.velocities.has(variable)) {
          this.velocities.set(variable, tf.variable(tf.zeros(variable.shape), false));
        }
        const velocity = this.velocities.get(variable);
        const step = grads[variable.name].mul(-rate);
        velocity.assign(velocity.mul(this.momentum).add(step));
        const update = this.nesterov ? velocity.mul(this.momentum).add(step) : velocity;
        variable.assign(variable.add(update));
      }
      this.iterations += 1;
      return value.dataSync()[0];
    });
  }
}

class Network {
  constructor(inputs, hidden, classes) {
    this.W1 = tf.variable(tf.randomNormal([inputs, hidden], 0, Math.sqrt(2 / inputs)));
    this.b1 = tf.variable(tf.zeros([hidden]));
    this.W2 = tf.variable(tf.randomNormal([hidden, classes], 0, Math.sqrt(1 / hidden)));
    this.b2 = tf.variable(tf.zeros([classes]));
    this.variables = [this.W1, this.b1, this.W2, this.b2];
  }

  logits(x) {
    return tf.relu(x.matMul(this.W1).add(this.b1)).matMul(this.W2).add(this.b2);
  }
}

function train(network, x, y, epochs = EPOCHS) {
  const sgd = new DecayingSGD({ learningRate: 0.05, decay: 4e-4, momentum: 0.9, nesterov: true });
  const count = x.shape[0];
  for (let epoch = 0; epoch < epochs; epoch++) {
    const order = Array.from(tf.util.createShuffledIndices(count));
    let total = 0;
    for (let start = 0; start < count; start += BATCH_SIZE) {
      total += tf.tidy(() => {
        const rows = tf.tensor1d(order.slice(start, start + BATCH_SIZE), 'int32');
        const images = x.gather(rows);
        const labels = y.gather(rows);
        return sgd.minimize(() => tf.losses.softmaxCrossEntropy(labels, network.logits(images)), network.variables);
      });
    }
    console.log(`epoch ${epoch + 1}: loss ${((total * BATCH_SIZE) / count).toFixed(4)}`);
  }
}

function evaluate(network, x, y) {
  return tf.tidy(() => {
    const logits = network.logits(x);
    return {
      score: tf.losses.softmaxCrossEntropy(y, logits).dataSync()[0],
      accuracy: logits.argMax(1).equal(y.argMax(1)).mean().dataSync()[0],
    };
  });
}

function main() {
  const { xTrain, yTrain, xTest, yTest } = loadData(SAMPLES);
  const network = new Network(xTrain.shape[1], HIDDEN, yTrain.shape[1]);
  train(network, xTrain, yTrain);
  const { score, accuracy } = evaluate(network, xTest, yTest);
  console.log(`test score ${score.toFixed(4)}, test accuracy ${accuracy.toFixed(3)}`);
}

if (require.main === module) main();

module.exports = { Network, train, evaluate, SAMPLES, HIDDEN };
