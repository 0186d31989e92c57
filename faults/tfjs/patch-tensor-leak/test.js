'use strict';
const oracle = require('./oracle');

oracle.test(async () => {
  const program = oracle.load('train.js');
  const { loadSlide } = oracle.load('slide.js');
  const tf = require('@tensorflow/tfjs');
  const model = await program.train();
  const slide = loadSlide(9, 10);
  const first = await program.predictRegion(model, slide, 0, 3);
  const before = tf.memory().numTensors;
  const others = [...await program.predictRegion(model, slide, 3, 6), ...await program.predictRegion(model, slide, 6, 9)];
  const growth = tf.memory().numTensors - before;
  oracle.check(growth < 10, `${growth} more tensors in memory after ${others.length} patches`);
  const results = [...first, ...others];
  const hits = results.filter((patch, i) => patch.label === slide.labels[i]).length / slide.labels.length;
  oracle.check(hits >= 0.5, `accuracy ${hits.toFixed(3)}, expected at least 0.5`);
});
