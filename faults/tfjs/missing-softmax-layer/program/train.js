'use strict';
// A stacked denoising autoencoder: every layer is first trained to restore
// corrupted input, then the stack is fine-tuned as a classifier.
const tf = require('@tensorflow/tfjs');
const { loadMnist } = require('./mnist');

const CONFIG = {
  layers: [32, 24],
  classes: 10,
  corruption: 0.2,
  pretrainEpochs: 2,
  finetuneEpochs: 12,
  batchSize: 50,
  pretrainRate: 0.01,
  finetuneRate: 0.02,
};

function crossEntropy(reference, output) {
  const positive = reference.mul(output.clipByValue(1e-10, Infinity).log());
  const negative = tf.sub(1, reference).mul(tf.sub(1, output).clipByValue(1e-10, Infinity).log());
  return positive.add(negative).mean().neg();
}

// Call `step` with every batch of the tensors, in order; the mean of its results.
function eachBatch(tensors, batchSize, step) {
  const count = tensors[0].shape[0];
  let total = 0;
  for (let start = 0; start < count; start += batchSize) {
    const size = Math.min(batchSize, count - start);
    total += size * tf.tidy(() => step(...tensors.map((t) => t.slice([start, 0], [size, -1]))).dataSync()[0]);
  }
  return total / count;
}

class StackedDenoisingAutoencoder {
  constructor(features, config = CONFIG) {
    this.config = config;
    this.encoders = [];
    let inputs = features;
    for (const units of config.layers) {
      this.encoders.push({
        W: tf.variable(tf.truncatedNormal([inputs, units], 0, 0.1)),
        b: tf.variable(tf.fill([units], 0.1)),
        c: tf.variable(tf.fill([inputs], 0.1)),
      });
      inputs = units;
    }
    this.softmaxW = tf.variable(tf.truncatedNormal([inputs, config.classes], 0, 0.1));
    this.softmaxB = tf.variable(tf.fill([config.classes], 0.1));
  }

  encode(x, depth = this.encoders.length) {
    return this.encoders.slice(0, depth).reduce((h, { W, b }) => tf.sigmoid(h.matMul(W).add(b)), x);
  }

  softmaxLayer(hidden) {
    return hidden.matMul(this.softmaxW).add(this.softmaxB);
  }

  classify(x) {
    return this.softmaxLayer(this.encode(x));
  }

  pretrain(x) {
    this.encoders.forEach(({ W, b, c }, depth) => {
      const optimizer = tf.train.adam(this.config.pretrainRate);
      const input = this.encode(x, depth);
      for (let epoch = 0; epoch < this.config.pretrainEpochs; epoch++) {
        const loss = eachBatch([input], this.config.batchSize, (batch) => optimizer.minimize(() => {
          const keep = tf.randomUniform(batch.shape).greater(this.config.corruption).toFloat();
          const hidden = tf.sigmoid(batch.mul(keep).matMul(W).add(b));
          const restored = tf.sigmoid(hidden.matMul(W, false, true).add(c));
          return tf.losses.meanSquaredError(batch, restored);
        }, true, [W, b, c]));
        console.log(`layer ${depth + 1}, epoch ${epoch + 1}: reconstruction ${loss.toFixed(4)}`);
      }
    });
  }

  finetune(x, y) {
    const optimizer = tf.train.adam(this.config.finetuneRate);
    const variables = [...this.encoders.flatMap(({ W, b }) => [W, b]), this.softmaxW, this.softmaxB];
    const losses = [];
    for (let epoch = 0; epoch < this.config.finetuneEpochs; epoch++) {
      losses.push(eachBatch([x, y], this.config.batchSize, (images, labels) => optimizer.minimize(
        () => crossEntropy(labels, this.classify(images)), true, variables)));
      console.log(`fine-tuning epoch ${epoch + 1}: loss ${losses[epoch].toFixed(4)}`);
    }
    return losses;
  }

  accuracy(x, y) {
    return tf.tidy(() => this.classify(x).argMax(1).equal(y.argMax(1)).mean().dataSync()[0]);
  }
}

function main() {
  const train = loadMnist('train', 500);
  const test = loadMnist('t10k', 300);
  const model = new StackedDenoisingAutoencoder(train.x.shape[1]);
  model.pretrain(train.x);
  model.finetune(train.x, train.y);
  console.log(`test accuracy ${model.accuracy(test.x, test.y).toFixed(3)}`);
}

if (require.main === module) main();

module.exports = { StackedDenoisingAutoencoder, CONFIG };
