'use strict';
const oracle = require('./oracle');

oracle.test(async () => {
  const program = await oracle.load('train.js');
  const { loadData } = await oracle.load('data.js');
  const { xTrain, yTrain, xTest, yTest } = await loadData(await program.SAMPLES);
  const network = await new program.Network(await xTrain.shape[1], await program.HIDDEN, await yTrain.shape[1]);
  await program.train(network, xTrain, yTrain);

  const { accuracy: fitted } = await program.evaluate(network, xTrain, yTrain);
  oracle.check(fitted >= 0.7, `train accuracy ${fitted.toFixed(3)}, expected at least 0.7`);
  const { accuracy } = await program.evaluate(network, xTest, yTest);
  oracle.check(accuracy >= 0.6, `test accuracy ${accuracy.toFixed(3)}, expected at least 0.6`);
});
