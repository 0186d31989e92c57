'use strict';
const fs = require('fs');
const path = require('path');
const tf = require('@tensorflow/tfjs');

const ROWS = 28;
const COLS = 28;

function readPart(file, start, length) {
  const handle = fs.openSync(path.join(__dirname, 'data/mnist', file), 'r');
  try {
    const buffer = Buffer.alloc(length);
    fs.readSync(handle, buffer, 0, length, start);
    return buffer;
  } finally {
    fs.closeSync(handle);
  }
}

// Digits as rows of 7 x 7 averaged pixels, and their classes one-hot.
function loadMnist(prefix, count) {
  const raw = readPart(`${prefix}-images-idx3-ubyte`, 16, count * ROWS * COLS);
  const classes = readPart(`${prefix}-labels-idx1-ubyte`, 8, count);
  return tf.tidy(() => {
    const images = tf.tensor4d(Float32Array.from(raw, (v) => v / 255), [count, ROWS, COLS, 1]);
    return {
      x: tf.avgPool(images, 4, 4, 'valid').reshape([count, (ROWS * COLS) / 16]),
      y: tf.oneHot(tf.tensor1d(Int32Array.from(classes), 'int32'), 10).toFloat(),
    };
  });
}

module.exports = { loadMnist };
