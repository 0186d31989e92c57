'use strict';
const oracle = require('./oracle');

oracle.test(async () => {
  const program = await oracle.load('train.js');
  const { digits } = await oracle.load('digits.js');
  const { loss, accuracy } = await program.run(
    program.EXPERIMENTS.noise, await digits('train', 200), await digits('t10k', 100));
  oracle.check(Number.isFinite(loss), `loss ${loss} with noise`);
  oracle.check(accuracy >= 0.35, `accuracy ${accuracy.toFixed(3)} with noise, expected at least 0.35`);
});
