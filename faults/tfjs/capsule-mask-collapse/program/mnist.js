'use strict';
const fs = require('fs');
const path = require('path');
const tf = require('@tensorflow/tfjs');

function readBytes(name, header, length) {
  const fd = fs.openSync(path.join(__dirname, 'data', 'mnist', name), 'r');
  const bytes = Buffer.alloc(length);
  fs.readSync(fd, bytes, 0, length, header);
  fs.closeSync(fd);
  return bytes;
}

// Digits as [count, 7, 7, 1] between 0 and 1, classes one-hot as [count, 10].
function loadMnist(part, count) {
  const pixels = readBytes(`${part}-images-idx3-ubyte`, 16, 784 * count);
  const labels = readBytes(`${part}-labels-idx1-ubyte`, 8, count);
  return tf.tidy(() => ({
    images: tf.tensor4d(Float32Array.from(pixels), [count, 28, 28, 1]).div(255).avgPool(4, 4, 'valid'),
    labels: tf.oneHot(tf.tensor1d(Int32Array.from(labels), 'int32'), 10).toFloat(),
  }));
}

module.exports = { loadMnist };
