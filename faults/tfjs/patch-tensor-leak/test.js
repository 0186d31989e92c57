'use strict';
const oracle = require('./oracle');

// Tensors are counted where they are.
async function predictInThreeRegions(program, model, slide) {
  const tf = require('@tensorflow/tfjs');
  const first = await program.predictRegion(model, slide, 0, 3);
  const before = tf.memory().numTensors;
  const others = [...await program.predictRegion(model, slide, 3, 6), ...await program.predictRegion(model, slide, 6, 9)];
  const growth = tf.memory().numTensors - before;
  return { results: [...first, ...others].map((patch) => patch.label), growth, patches: others.length };
}

oracle.test(async () => {
  const program = await oracle.load('train.js');
  const { loadSlide } = await oracle.load('slide.js');
  const model = await program.train();
  const slide = await loadSlide(9, 10);
  const { results, growth, patches } = await oracle.inside(predictInThreeRegions, program, model, slide);
  oracle.check(growth < 10, `${growth} more tensors in memory after ${patches} patches`);
  const labels = await slide.labels;
  const hits = results.filter((label, i) => label === labels[i]).length / labels.length;
  oracle.check(hits >= 0.5, `accuracy ${hits.toFixed(3)}, expected at least 0.5`);
});
