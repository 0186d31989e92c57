'use strict';
// An autoencoder for MNIST digits with a deconvolutional decoder.
const fs = require('fs');
const path = require('path');
const tf = require('@tensorflow/tfjs');
const { Deconv2D } = require('./deconv');

const SIDE = 14;
const CODE = 16;

// `count` images from number `first` on, as [count, 14, 14, 1].
function loadImages(file, count, first = 0) {
  const pixels = Buffer.alloc(count * 784);
  const fd = fs.openSync(path.join(__dirname, 'data', 'mnist', file), 'r');
  fs.readSync(fd, pixels, 0, pixels.length, 16 + first * 784);
  fs.closeSync(fd);
  return tf.tidy(() => tf.tensor4d(Float32Array.from(pixels), [count, 28, 28, 1]).div(255).avgPool(2, 2, 'valid'));
}

function buildAutoencoder() {
  const image = tf.input({ shape: [SIDE, SIDE, 1] });
  let h = tf.layers.flatten().apply(image);
  h = tf.layers.dense({ units: 48, activation: 'relu' }).apply(h);
  const code = tf.layers.dense({ units: CODE, activation: 'tanh', name: 'code' }).apply(h);
  h = tf.layers.dense({ units: 7 * 7 * 4, activation: 'relu' }).apply(code);
  h = tf.layers.reshape({ targetShape: [7, 7, 4] }).apply(h);
  const restored = new Deconv2D({ depth: 1, size: 3, stride: 2, activation: tf.sigmoid, name: 'restored' }).apply(h);
  const model = tf.model({ inputs: image, outputs: restored });
  model.compile({ optimizer: tf.train.adam(0.01), loss: 'meanSquaredError' });
  return model;
}

async function train(model, images, epochs = 4) {
  const history = await model.fit(images, images, {
    epochs,
    batchSize: 40,
    callbacks: {
      onEpochEnd: (epoch, logs) => console.log(`epoch ${epoch + 1}: loss ${logs.loss.toFixed(4)}`),
    },
  });
  return history.history.loss;
}

function reconstructionError(model, images) {
  return tf.tidy(() => tf.losses.meanSquaredError(images, model.predict(images)).dataSync()[0]);
}

async function main() {
  const model = buildAutoencoder();
  model.summary();
  await train(model, loadImages('train-images-idx3-ubyte', 200));
  const test = loadImages('t10k-images-idx3-ubyte', 50);
  console.log(`test reconstruction error ${reconstructionError(model, test).toFixed(4)}`);
}

if (require.main === module) main();

module.exports = { loadImages, buildAutoencoder, train, reconstructionError };
