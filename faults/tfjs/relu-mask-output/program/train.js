'use strict';
// Segmentation of handwriting with a U-Net and the Dice loss.
const fs = require('fs');
const path = require('path');
const tf = require('@tensorflow/tfjs');
const { buildUNet } = require('./unet');

const SIDE = 8;
const SMOOTH = 1;

function readImages(count) {
  const fd = fs.openSync(path.join(__dirname, 'data', 'mnist', 'train-images-idx3-ubyte'), 'r');
  const bytes = Buffer.alloc(count * 784);
  fs.readSync(fd, bytes, 0, bytes.length, 16);
  fs.closeSync(fd);
  return bytes;
}

// Noisy pictures of handwriting and the masks of the ink: both [count, 8, 8, 1].
function loadPictures(count) {
  return tf.tidy(() => {
    const raw = tf.tensor4d(Float32Array.from(readImages(count)), [count, 28, 28, 1]).div(255);
    const small = raw.slice([0, 2, 2, 0], [count, 24, 24, 1]).avgPool(3, 3, 'valid');
    const noise = tf.randomNormal(small.shape, 0, 0.05);
    return { pictures: small.mul(0.8).add(0.1).add(noise), masks: small.greater(0.35).toFloat() };
  });
}

function diceCoefficient(truth, prediction) {
  return tf.tidy(() => {
    const overlap = truth.mul(prediction).sum();
    return overlap.mul(2).add(SMOOTH).div(truth.sum().add(prediction.sum()).add(SMOOTH));
  });
}

function diceLoss(truth, prediction) {
  return tf.sub(1, diceCoefficient(truth, prediction));
}

async function train(pictures, masks, epochs = 6) {
  const model = buildUNet(SIDE);
  model.compile({ optimizer: tf.train.adam(0.03), loss: diceLoss });
  await model.fit(pictures, masks, {
    epochs,
    batchSize: 2,
    callbacks: { onEpochEnd: (epoch, logs) => console.log(`epoch ${epoch + 1}: loss ${logs.loss.toFixed(4)}`) },
  });
  return model;
}

// Intersection over union of the masks, with the prediction cut at one half.
function iou(model, pictures, masks) {
  return tf.tidy(() => {
    const predicted = model.predict(pictures).greater(0.5);
    const truth = masks.greater(0.5);
    const both = predicted.logicalAnd(truth).toFloat().sum();
    const either = predicted.logicalOr(truth).toFloat().sum();
    return both.div(either).dataSync()[0];
  });
}

async function main() {
  const { pictures, masks } = loadPictures(36);
  const count = 24;
  const part = (tensor, from, n) => tensor.slice([from, 0, 0, 0], [n, SIDE, SIDE, 1]);
  const model = await train(part(pictures, 0, count), part(masks, 0, count));
  console.log(`IoU ${iou(model, part(pictures, count, 12), part(masks, count, 12)).toFixed(3)}`);
}

if (require.main === module) main();

module.exports = { loadPictures, train, iou };
