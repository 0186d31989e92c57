'use strict';
const oracle = require('./oracle');

function drawEachClass(network, { CLASSES, DIGIT_SIZE }) {
  const tf = require('@tensorflow/tfjs');
  const vector = Array.from({ length: DIGIT_SIZE }, (_, i) => 0.3 * Math.cos(i));
  const capsules = tf.tensor1d(vector).tile([CLASSES * CLASSES]).reshape([CLASSES, CLASSES, DIGIT_SIZE]);
  return network.reconstruct(capsules, tf.eye(CLASSES)).arraySync();
}

oracle.test(async () => {
  const { CapsNet, CLASSES, train } = await oracle.load('train.js');
  const { loadMnist } = await oracle.load('mnist.js');
  const network = await new CapsNet();
  const losses = await train(network, await loadMnist('train', 100), 1);
  oracle.check(losses.every(Number.isFinite), `losses ${losses.join(' ')}`);

  // The same vector in every capsule: what differs is only which class it stands for.
  const images = await oracle.inside(drawEachClass, network, await oracle.load('train.js'));
  const classes = await CLASSES;
  oracle.check(classes > 1 && images.length === classes, `${images.length} images for ${classes} classes`);
  for (let a = 0; a < classes; a++) {
    for (let b = 0; b < a; b++) {
      const distance = Math.max(...images[a].map((value, i) => Math.abs(value - images[b][i])));
      oracle.check(distance > 1e-3, `a ${b} and a ${a} with the same capsule are drawn alike (distance ${distance})`);
    }
  }
});
