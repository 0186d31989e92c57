'use strict';
// A small capsule network (Sabour, Frosst and Hinton, 2017).
const tf = require('@tensorflow/tfjs');
const { loadMnist } = require('./mnist');

const CLASSES = 10;
const PRIMARY = { channels: 2, size: 8 };
const DIGIT_SIZE = 8;
const EPSILON = 1e-9;
const RECONSTRUCTION_WEIGHT = 0.4;
const BATCH_SIZE = 20;

function squash(vectors) {
  const squared = vectors.square().sum(-1, true);
  return vectors.mul(squared.div(squared.add(1))).div(squared.add(EPSILON).sqrt());
}

class CapsNet {
  constructor(routings = 2) {
    this.routings = routings;
    this.kernel = tf.variable(tf.truncatedNormal([3, 3, 1, PRIMARY.channels * PRIMARY.size], 0, 0.3));
    this.capsules = 3 * 3 * PRIMARY.channels;
    this.transform = tf.variable(tf.randomNormal([this.capsules, PRIMARY.size, CLASSES * DIGIT_SIZE], 0, 0.1));
    this.decoder = [
      tf.layers.dense({ units: 32, activation: 'relu' }),
      tf.layers.dense({ units: 7 * 7, activation: 'sigmoid' }),
    ];
  }

  primaryCapsules(images) {
    const features = tf.relu(tf.conv2d(images, this.kernel, 2, 'valid'));
    return squash(features.reshape([images.shape[0], this.capsules, PRIMARY.size]));
  }

  // The digit capsules [batch, 10, 8], by routing between the two layers.
  digitCapsules(images) {
    const batch = images.shape[0];
    const votes = tf.matMul(this.primaryCapsules(images).transpose([1, 0, 2]), this.transform)
      .reshape([this.capsules, batch, CLASSES, DIGIT_SIZE]);
    let logits = tf.zeros([this.capsules, batch, CLASSES]);
    let output;
    for (let i = 0; i < this.routings; i++) {
      const coupling = tf.softmax(logits).expandDims(-1);
      output = squash(votes.mul(coupling).sum(0));
      logits = logits.add(votes.mul(output.expandDims(0)).sum(-1));
    }
    return output;
  }

  lengths(capsules) {
    return capsules.square().sum(-1).add(EPSILON).sqrt();
  }

  // The images that the capsules of the given classes describe.
  reconstruct(capsules, labels) {
    const masked = tf.matMul(capsules, labels.expandDims(2), true);
    return this.decoder.reduce((x, layer) => layer.apply(x), masked.reshape([labels.shape[0], -1]));
  }

  loss(images, labels) {
    const capsules = this.digitCapsules(images);
    const lengths = this.lengths(capsules);
    const present = labels.mul(tf.relu(tf.sub(0.9, lengths)).square());
    const absent = tf.sub(1, labels).mul(tf.relu(lengths.sub(0.1)).square()).mul(0.5);
    const margin = present.add(absent).sum(1).mean();
    const restored = this.reconstruct(capsules, labels);
    const reconstruction = restored.sub(images.reshape(restored.shape)).square().mean();
    return margin.add(reconstruction.mul(RECONSTRUCTION_WEIGHT));
  }
}

function batchOf({ images, labels }, start) {
  return [
    images.slice([start, 0, 0, 0], [BATCH_SIZE, -1, -1, -1]),
    labels.slice([start, 0], [BATCH_SIZE, -1]),
  ];
}

function train(network, data, epochs = 2) {
  const optimizer = tf.train.adam(0.01);
  const count = data.labels.shape[0];
  const losses = [];
  tf.tidy(() => network.loss(...batchOf(data, 0)));
  for (let epoch = 0; epoch < epochs; epoch++) {
    for (let start = 0; start + BATCH_SIZE <= count; start += BATCH_SIZE) {
      losses.push(tf.tidy(() => {
        const [images, labels] = batchOf(data, start);
        return optimizer.minimize(() => network.loss(images, labels), true).dataSync()[0];
      }));
    }
    console.log(`epoch ${epoch + 1}: loss ${losses[losses.length - 1].toFixed(4)}`);
  }
  return losses;
}

function evaluate(network, { images, labels }) {
  return tf.tidy(() => {
    const capsules = network.digitCapsules(images);
    const restored = network.reconstruct(capsules, labels);
    return {
      accuracy: network.lengths(capsules).argMax(1).equal(labels.argMax(1)).mean().dataSync()[0],
      error: restored.sub(images.reshape(restored.shape)).square().mean().dataSync()[0],
    };
  });
}

function main() {
  const network = new CapsNet();
  train(network, loadMnist('train', 300));
  const { accuracy, error } = evaluate(network, loadMnist('t10k', 100));
  console.log(`test accuracy ${accuracy.toFixed(3)}, reconstruction error ${error.toFixed(4)}`);
}

if (require.main === module) main();

module.exports = { CapsNet, CLASSES, DIGIT_SIZE, train, evaluate };
