'use strict';
const fs = require('fs');
const path = require('path');

const FOLDER = path.join(__dirname, 'data', 'mnist');
const SIDE = 28;

// Read `count` bytes of a file, from `offset` on.
function slice(name, offset, count) {
  const file = fs.openSync(path.join(FOLDER, name), 'r');
  const bytes = Buffer.alloc(count);
  fs.readSync(file, bytes, 0, count, offset);
  fs.closeSync(file);
  return bytes;
}

// The first `count` digits of a part ('train' or 't10k'), every second pixel:
// 196 values between 0 and 1 per image.
function readDigits(part, count) {
  const pixels = slice(`${part}-images-idx3-ubyte`, 16, count * SIDE * SIDE);
  const labels = slice(`${part}-labels-idx1-ubyte`, 8, count);
  const images = [];
  for (let i = 0; i < count; i++) {
    const image = [];
    for (let row = 0; row < SIDE; row += 2) {
      for (let col = 0; col < SIDE; col += 2) {
        image.push(pixels[i * SIDE * SIDE + row * SIDE + col] / 255);
      }
    }
    images.push(image);
  }
  return { images, labels: Array.from(labels) };
}

module.exports = { readDigits };
