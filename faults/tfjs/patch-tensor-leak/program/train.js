'use strict';
// Train a patch classifier, then let it run over regions of a large slide.
const tf = require('@tensorflow/tfjs');
const { SIDE, loadPatches, loadSlide, crop } = require('./slide');

const INPUT = 7;
const CLASSES = 10;

// Grey values to a centred batch [n, 7, 7, 1].
function normalise(pixels, count) {
  const images = tf.tensor4d(Float32Array.from(pixels), [count, SIDE, SIDE, 1]);
  const small = tf.avgPool(images.div(255), SIDE / INPUT, SIDE / INPUT, 'valid');
  return small.sub(small.mean([1, 2, 3], true));
}

function buildModel() {
  const model = tf.sequential();
  model.add(tf.layers.flatten({ inputShape: [INPUT, INPUT, 1] }));
  model.add(tf.layers.dense({ units: 32, activation: 'relu' }));
  model.add(tf.layers.dense({ units: CLASSES, activation: 'softmax' }));
  model.compile({ optimizer: tf.train.adam(0.01), loss: 'categoricalCrossentropy' });
  return model;
}

async function train(count = 400, epochs = 8) {
  const { pixels, labels } = loadPatches(count);
  const model = buildModel();
  const { xs, ys } = tf.tidy(() => ({
    xs: normalise(pixels, count),
    ys: tf.oneHot(tf.tensor1d(labels, 'int32'), CLASSES).toFloat(),
  }));
  const { history } = await model.fit(xs, ys, { epochs, batchSize: 25 });
  console.log(`training loss ${history.loss[epochs - 1].toFixed(3)}`);
  tf.dispose([xs, ys]);
  return model;
}

// The most likely class of a patch and its probability.
async function classifyPatch(model, pixels) {
  const input = normalise(pixels, 1);
  const scores = model.predict(input);
  const values = await scores.data();
  const best = values.indexOf(Math.max(...values));
  return { label: best, probability: values[best] };
}

// Classify all patches in the rows [from, to) of a slide.
async function predictRegion(model, slide, from, to) {
  const results = [];
  for (let row = from; row < to; row++) {
    for (let col = 0; col < slide.cols; col++) {
      const patch = crop(slide, col * SIDE, row * SIDE);
      results.push({ row, col, ...(await classifyPatch(model, patch)) });
    }
  }
  return results;
}

async function main() {
  const model = await train();
  const slide = loadSlide(20, 10);
  let hits = 0;
  for (let row = 0; row < slide.rows; row += 4) {
    const results = await predictRegion(model, slide, row, row + 4);
    hits += results.filter((patch) => patch.label === slide.labels[patch.row * slide.cols + patch.col]).length;
    console.log(`rows ${row + 1} to ${row + 4}: ${results.length} patches`);
  }
  console.log(`accuracy ${(hits / slide.labels.length).toFixed(3)}`);
}

if (require.main === module) main();

module.exports = { train, predictRegion };
