'use strict';
const fs = require('fs');
const path = require('path');
const tf = require('@tensorflow/tfjs');

function bytes(name, from, length) {
  const fd = fs.openSync(path.join(__dirname, 'data', 'mnist', name), 'r');
  const buffer = Buffer.alloc(length);
  fs.readSync(fd, buffer, 0, length, from);
  fs.closeSync(fd);
  return buffer;
}

// `count` digits as [count, 14, 14, 1] and their classes as [count, 10].
function digits(set, count) {
  const pixels = Float32Array.from(bytes(`${set}-images-idx3-ubyte`, 16, count * 784));
  const classes = Int32Array.from(bytes(`${set}-labels-idx1-ubyte`, 8, count));
  return {
    x: tf.tidy(() => tf.avgPool(tf.tensor4d(pixels, [count, 28, 28, 1]).div(255), 2, 2, 'valid')),
    y: tf.tidy(() => tf.oneHot(tf.tensor1d(classes, 'int32'), 10).toFloat()),
  };
}

module.exports = { digits };
