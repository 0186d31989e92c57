'use strict';
const fs = require('fs');
const path = require('path');
const tf = require('@tensorflow/tfjs');

const HEADER = { images: 16, labels: 8 };
const PIXELS = 28 * 28;

function readBytes(name, header, length) {
  const fd = fs.openSync(path.join(__dirname, 'data', 'mnist', name), 'r');
  const bytes = new Uint8Array(length);
  fs.readSync(fd, bytes, 0, length, header);
  fs.closeSync(fd);
  return bytes;
}

function readSet(prefix, count) {
  return {
    images: readBytes(`${prefix}-images-idx3-ubyte`, HEADER.images, count * PIXELS),
    labels: readBytes(`${prefix}-labels-idx1-ubyte`, HEADER.labels, count),
  };
}

// Grey values as numbers between 0 and 1, shrunk to 7 x 7 pixels.
function toInput(images, count) {
  return tf.tidy(() => tf.tensor4d(Float32Array.from(images), [count, 28, 28, 1])
    .div(255)
    .avgPool(4, 4, 'valid')
    .reshape([count, 49]));
}

function toOneHot(labels) {
  return tf.tidy(() => tf.oneHot(tf.tensor1d(Int32Array.from(labels), 'int32'), 10).toFloat());
}

function loadData(count) {
  const train = readSet('train', count);
  const test = readSet('t10k', count);
  const xTrain = toInput(train.images, count);
  const xTest = toInput(train.images, count);
  const yTrain = toOneHot(train.labels);
  const yTest = toOneHot(test.labels);
  return { xTrain, yTrain, xTest, yTest };
}

module.exports = { loadData };
