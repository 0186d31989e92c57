'use strict';
// Compare ways of regularising a small convolutional network.
const tf = require('@tensorflow/tfjs');
const { digits } = require('./digits');

const EXPERIMENTS = {
  plain: {},
  dropout: { dropout: true },
  l2: { l2: 0.001 },
  noise: { noise: 0.1 },
};

function createModel({ noise = 0, dropout = false, l2 = 0 } = {}) {
  const model = tf.sequential();
  if (noise) {
    model.add(tf.layers.gaussianNoise({ stddev: noise, inputShape: [8, 3, 3] }));
  }
  model.add(tf.layers.conv2d({
    filters: 8, kernelSize: [3, 3], strides: 2, inputShape: [14, 14, 1], activation: 'relu', padding: 'same',
  }));
  if (dropout) {
    model.add(tf.layers.dropout({ rate: 0.2 }));
  }
  model.add(tf.layers.flatten());
  model.add(tf.layers.dense({
    units: 32, activation: 'relu', kernelRegularizer: l2 ? tf.regularizers.l2({ l2 }) : null,
  }));
  if (dropout) {
    model.add(tf.layers.dropout({ rate: 0.5 }));
  }
  model.add(tf.layers.dense({ units: 10, activation: 'softmax' }));
  model.compile({ optimizer: tf.train.adam(0.01), loss: 'categoricalCrossentropy', metrics: ['accuracy'] });
  return model;
}

async function run(options, train, test, epochs = 3) {
  const model = createModel(options);
  await model.fit(train.x, train.y, { epochs, batchSize: 32, verbose: 0 });
  const [loss, accuracy] = model.evaluate(test.x, test.y);
  return { loss: loss.dataSync()[0], accuracy: accuracy.dataSync()[0] };
}

async function main() {
  const train = digits('train', 200);
  const test = digits('t10k', 100);
  for (const [name, options] of Object.entries(EXPERIMENTS)) {
    const { loss, accuracy } = await run(options, train, test);
    console.log(`${name}: loss ${loss.toFixed(3)}, accuracy ${accuracy.toFixed(3)}`);
  }
}

if (require.main === module) main();

module.exports = { EXPERIMENTS, createModel, run };
