'use strict';
const oracle = require('./oracle');

oracle.test(async () => {
  const program = oracle.load('train.js');
  const model = new program.SoftmaxRegression();
  const costs = program.train(model, program.loadSet('train', 1000));
  oracle.check(costs.every(Number.isFinite), `cost is not finite: ${costs.join(' ')}`);
  oracle.check(costs[costs.length - 1] < costs[0], `cost does not fall: ${costs.join(' ')}`);
  const accuracy = program.evaluate(model, program.loadSet('t10k', 500));
  oracle.check(accuracy >= 0.65, `accuracy ${accuracy.toFixed(3)}, expected at least 0.65`);
});
