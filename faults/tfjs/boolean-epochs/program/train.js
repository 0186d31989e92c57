'use strict';
// Train a small dense network on MNIST digits.
//
//   node train.js [--epochs N] [--batch-size N] [--augmentation true|false] [--verbose true|false]
const fs = require('fs');
const path = require('path');
const tf = require('@tensorflow/tfjs');

const SIDE = 28;
const CLASSES = 10;

// ['--epochs', '5'] becomes { '--epochs': '5' }.
function parseArguments(list) {
  const values = {};
  for (let i = 0; i + 1 < list.length; i += 2) values[list[i]] = list[i + 1];
  return values;
}

function isTrue(value) {
  return ['true', 'yes', '1'].includes(String(value).toLowerCase());
}

function readOptions(list) {
  const values = parseArguments(list);
  const verbose = isTrue(values['--verbose'] || false);
  const batchSize = Number(values['--batch-size'] || 16);
  const epochs = Boolean(values['--epochs'] || 10);
  const augmentation = isTrue(values['--augmentation'] || false);
  return { verbose, batchSize, epochs, augmentation };
}

function readBytes(name, start, length) {
  const fd = fs.openSync(path.join(__dirname, 'data', 'mnist', name), 'r');
  const bytes = Buffer.alloc(length);
  fs.readSync(fd, bytes, 0, length, start);
  fs.closeSync(fd);
  return bytes;
}

// The first `count` digits, at half the resolution.
function loadDigits(prefix, count) {
  const pixels = readBytes(`${prefix}-images-idx3-ubyte`, 16, count * SIDE * SIDE);
  const labels = readBytes(`${prefix}-labels-idx1-ubyte`, 8, count);
  return tf.tidy(() => ({
    xs: tf.tensor4d(Float32Array.from(pixels), [count, SIDE, SIDE, 1]).div(255).avgPool(2, 2, 'valid'),
    ys: tf.oneHot(tf.tensor1d(Int32Array.from(labels), 'int32'), CLASSES).toFloat(),
  }));
}

// Add a copy of every image, moved by one pixel to the right.
function augment({ xs, ys }) {
  return tf.tidy(() => {
    const [count, rows, cols] = xs.shape;
    const moved = xs.slice([0, 0, 0, 0], [count, rows, cols - 1, 1]).pad([[0, 0], [0, 0], [1, 0], [0, 0]]);
    return { xs: tf.concat([xs, moved]), ys: tf.concat([ys, ys]) };
  });
}

function buildModel() {
  const model = tf.sequential();
  model.add(tf.layers.flatten({ inputShape: [SIDE / 2, SIDE / 2, 1] }));
  model.add(tf.layers.dense({ units: 24, activation: 'relu' }));
  model.add(tf.layers.dropout({ rate: 0.1 }));
  model.add(tf.layers.dense({ units: CLASSES, activation: 'softmax' }));
  model.compile({ optimizer: tf.train.adam(0.004), loss: 'categoricalCrossentropy', metrics: ['accuracy'] });
  return model;
}

async function train(data, options) {
  const model = buildModel();
  const { xs, ys } = options.augmentation ? augment(data) : data;
  await model.fit(xs, ys, {
    batchSize: options.batchSize,
    epochs: options.epochs,
    callbacks: {
      onEpochEnd: (epoch, logs) => {
        if (options.verbose) console.log(`epoch ${epoch + 1}: loss ${logs.loss.toFixed(4)}`);
      },
    },
  });
  return model;
}

function evaluate(model, { xs, ys }) {
  const [, accuracy] = model.evaluate(xs, ys);
  return accuracy.dataSync()[0];
}

async function main(list) {
  const options = readOptions(list);
  const model = await train(loadDigits('train', 300), options);
  console.log(`test accuracy ${evaluate(model, loadDigits('t10k', 200)).toFixed(3)}`);
}

if (require.main === module) main(process.argv.slice(2));

module.exports = { readOptions, loadDigits, train, evaluate };
