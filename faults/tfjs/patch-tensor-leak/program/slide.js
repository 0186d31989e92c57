'use strict';
const fs = require('fs');
const path = require('path');

const SIDE = 28;

function readFrom(name, position, length) {
  const fd = fs.openSync(path.join(__dirname, 'data', 'mnist', name), 'r');
  const buffer = Buffer.alloc(length);
  fs.readSync(fd, buffer, 0, length, position);
  fs.closeSync(fd);
  return buffer;
}

// Single images and their classes, for training.
function loadPatches(count) {
  const pixels = readFrom('train-images-idx3-ubyte', 16, count * SIDE * SIDE);
  const labels = Array.from(readFrom('train-labels-idx1-ubyte', 8, count));
  return { pixels: new Uint8Array(pixels), labels };
}

// One large grey image that shows `rows` x `cols` digits side by side.
function loadSlide(rows, cols) {
  const count = rows * cols;
  const pixels = readFrom('t10k-images-idx3-ubyte', 16, count * SIDE * SIDE);
  const labels = Array.from(readFrom('t10k-labels-idx1-ubyte', 8, count));
  const width = cols * SIDE;
  const data = new Uint8Array(rows * SIDE * width);
  for (let i = 0; i < count; i++) {
    const top = Math.floor(i / cols) * SIDE;
    const left = (i % cols) * SIDE;
    for (let y = 0; y < SIDE; y++) {
      for (let x = 0; x < SIDE; x++) {
        data[(top + y) * width + left + x] = pixels[i * SIDE * SIDE + y * SIDE + x];
      }
    }
  }
  return { data, width, height: rows * SIDE, rows, cols, labels };
}

// The pixels of the patch at (left, top).
function crop(slide, left, top) {
  const patch = new Uint8Array(SIDE * SIDE);
  for (let y = 0; y < SIDE; y++) {
    const start = (top + y) * slide.width + left;
    patch.set(slide.data.subarray(start, start + SIDE), y * SIDE);
  }
  return patch;
}

module.exports = { SIDE, loadPatches, loadSlide, crop };
