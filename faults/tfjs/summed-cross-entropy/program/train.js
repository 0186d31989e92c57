'use strict';
// Softmax regression on MNIST, written with the low-level API.
const tf = require('@tensorflow/tfjs');
const { readDigits } = require('./mnist');

const LEARNING_RATE = 0.5;
const TRAINING_EPOCHS = 8;
const BATCH_SIZE = 100;
const DISPLAY_STEP = 1;
const FEATURES = 196;
const CLASSES = 10;

function loadSet(part, count) {
  const { images, labels } = readDigits(part, count);
  return {
    xs: tf.tensor2d(images, [count, FEATURES]),
    ys: tf.oneHot(tf.tensor1d(labels, 'int32'), CLASSES).toFloat(),
    labels,
  };
}

class SoftmaxRegression {
  constructor() {
    this.W = tf.variable(tf.zeros([FEATURES, CLASSES]));
    this.b = tf.variable(tf.zeros([CLASSES]));
  }

  activation(x) {
    return tf.softmax(x.matMul(this.W).add(this.b));
  }

  cost(x, y) {
    const crossEntropy = y.mul(tf.log(this.activation(x))).neg();
    return crossEntropy.sum();
  }
}

function train(model, data, epochs = TRAINING_EPOCHS) {
  const optimizer = tf.train.sgd(LEARNING_RATE);
  const totalBatches = Math.floor(data.xs.shape[0] / BATCH_SIZE);
  const costs = [];
  for (let epoch = 0; epoch < epochs; epoch++) {
    let averageCost = 0;
    for (let i = 0; i < totalBatches; i++) {
      averageCost += tf.tidy(() => {
        const x = data.xs.slice([i * BATCH_SIZE, 0], [BATCH_SIZE, FEATURES]);
        const y = data.ys.slice([i * BATCH_SIZE, 0], [BATCH_SIZE, CLASSES]);
        return optimizer.minimize(() => model.cost(x, y), true).dataSync()[0] / totalBatches;
      });
    }
    costs.push(averageCost);
    if (epoch % DISPLAY_STEP === 0) {
      console.log(`epoch ${epoch + 1}: cost ${averageCost.toFixed(4)}`);
    }
  }
  return costs;
}

function evaluate(model, data) {
  const predicted = tf.tidy(() => model.activation(data.xs).argMax(1).dataSync());
  const hits = data.labels.filter((label, i) => label === predicted[i]).length;
  return hits / data.labels.length;
}

function main() {
  const trainSet = loadSet('train', 1000);
  const testSet = loadSet('t10k', 500);
  const model = new SoftmaxRegression();
  train(model, trainSet);
  console.log(`accuracy ${evaluate(model, testSet).toFixed(3)}`);
}

if (require.main === module) main();

module.exports = { SoftmaxRegression, loadSet, train, evaluate };
