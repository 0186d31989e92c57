'use strict';
const oracle = require('./oracle');

oracle.test(async () => {
  const { CapsNet, CLASSES, DIGIT_SIZE, train } = oracle.load('train.js');
  const { loadMnist } = oracle.load('mnist.js');
  const tf = require('@tensorflow/tfjs');
  const network = new CapsNet();
  const losses = train(network, loadMnist('train', 100), 1);
  oracle.check(losses.every(Number.isFinite), `losses ${losses.join(' ')}`);

  // The same vector in every capsule: what differs is only which class it stands for.
  const vector = Array.from({ length: DIGIT_SIZE }, (_, i) => 0.3 * Math.cos(i));
  const capsules = tf.tensor1d(vector).tile([CLASSES * CLASSES]).reshape([CLASSES, CLASSES, DIGIT_SIZE]);
  const images = network.reconstruct(capsules, tf.eye(CLASSES)).arraySync();
  for (let a = 0; a < CLASSES; a++) {
    for (let b = 0; b < a; b++) {
      const distance = Math.max(...images[a].map((value, i) => Math.abs(value - images[b][i])));
      oracle.check(distance > 1e-3, `a ${b} and a ${a} with the same capsule are drawn alike (distance ${distance})`);
    }
  }
});
