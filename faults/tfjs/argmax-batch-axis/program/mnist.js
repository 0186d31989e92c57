'use strict';
const fs = require('fs');
const path = require('path');
const tf = require('@tensorflow/tfjs');

const IMAGE = 28 * 28;
const SIDE = 14;

function read(name, position, length) {
  const fd = fs.openSync(path.join(__dirname, 'data', 'mnist', name), 'r');
  const buffer = Buffer.alloc(length);
  fs.readSync(fd, buffer, 0, length, position);
  fs.closeSync(fd);
  return buffer;
}

function shrink(pixels, offset) {
  const image = new Float32Array(SIDE * SIDE);
  for (let row = 0; row < SIDE; row++) {
    for (let col = 0; col < SIDE; col++) {
      const at = offset + 2 * row * 28 + 2 * col;
      image[row * SIDE + col] = (pixels[at] + pixels[at + 1] + pixels[at + 28] + pixels[at + 29]) / (4 * 255);
    }
  }
  return image;
}

// The digits among the first `count` of a set whose class lies in [low, high].
function loadDigits(set, count, low, high) {
  const pixels = read(`${set}-images-idx3-ubyte`, 16, count * IMAGE);
  const labels = read(`${set}-labels-idx1-ubyte`, 8, count);
  const digits = [];
  labels.forEach((label, i) => {
    if (label >= low && label <= high) digits.push({ image: shrink(pixels, i * IMAGE), label });
  });
  return digits;
}

// Tensors for training: images [n, 14, 14, 1] and one-hot classes counted from `low`.
function toTensors(digits, low, classes) {
  return tf.tidy(() => ({
    x: tf.stack(digits.map(({ image }) => tf.tensor3d(image, [SIDE, SIDE, 1]))),
    y: tf.oneHot(tf.tensor1d(digits.map(({ label }) => label - low), 'int32'), classes).toFloat(),
  }));
}

module.exports = { SIDE, loadDigits, toTensors };
