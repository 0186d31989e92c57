'use strict';
const oracle = require('./oracle');

oracle.test(async () => {
  const program = await oracle.load('train.js');
  const model = await new program.SoftmaxRegression();
  const costs = await program.train(model, await program.loadSet('train', 1000));
  oracle.check(costs.every(Number.isFinite), `cost is not finite: ${costs.join(' ')}`);
  oracle.check(costs[costs.length - 1] < costs[0], `cost does not fall: ${costs.join(' ')}`);
  const accuracy = await program.evaluate(model, await program.loadSet('t10k', 500));
  oracle.check(accuracy >= 0.65, `accuracy ${accuracy.toFixed(3)}, expected at least 0.65`);
});
