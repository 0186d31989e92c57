'use strict';
// Transfer learning: features learnt on the digits 0 to 4 are kept for 5 to 9.
const tf = require('@tensorflow/tfjs');
const { SIDE, loadDigits, toTensors } = require('./mnist');

const CLASSES = 5;
const GTE_FIVE = 5;

function buildModel() {
  const features = [
    tf.layers.flatten({ inputShape: [SIDE, SIDE, 1] }),
    tf.layers.dense({ units: 48, activation: 'relu' }),
  ];
  const classifier = [
    tf.layers.dense({ units: 24, activation: 'relu' }),
    tf.layers.dense({ units: CLASSES, activation: 'softmax' }),
  ];
  return { model: tf.sequential({ layers: [...features, ...classifier] }), features };
}

function compile(model) {
  model.compile({ optimizer: tf.train.adam(0.01), loss: 'categoricalCrossentropy', metrics: ['accuracy'] });
}

async function fit(model, digits, low, epochs) {
  const { x, y } = toTensors(digits, low, CLASSES);
  const { history } = await model.fit(x, y, { epochs, batchSize: 25, shuffle: true });
  tf.dispose([x, y]);
  return history.acc[history.acc.length - 1];
}

// Train on the small digits, freeze the features, train again on the large ones.
async function train(digits) {
  const { model, features } = buildModel();
  compile(model);
  const before = await fit(model, digits.filter(({ label }) => label < GTE_FIVE), 0, 4);
  console.log(`digits 0-4: training accuracy ${before.toFixed(3)}`);

  for (const layer of features) layer.trainable = false;
  compile(model);
  const after = await fit(model, digits.filter(({ label }) => label >= GTE_FIVE), GTE_FIVE, 12);
  console.log(`digits 5-9: training accuracy ${after.toFixed(3)}`);
  return model;
}

// The digit that the model sees in one image.
function recognise(model, image) {
  return tf.tidy(() => {
    const input = tf.tensor4d(image, [1, SIDE, SIDE, 1]);
    const scores = model.predict(input);
    const winner = scores.argMax().dataSync()[0];
    return GTE_FIVE + winner;
  });
}

async function main() {
  const model = await train(loadDigits('train', 500, 0, 9));
  for (const { image, label } of loadDigits('t10k', 40, GTE_FIVE, 9)) {
    console.log(`${label} is recognised as ${recognise(model, image)}`);
  }
}

if (require.main === module) main();

module.exports = { train, recognise };
