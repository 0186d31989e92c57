'use strict';
const oracle = require('./oracle');

oracle.test(async () => {
  const program = oracle.load('train.js');
  const { loadData } = oracle.load('data.js');
  const { xTrain, yTrain, xTest, yTest } = loadData(program.SAMPLES);
  const network = new program.Network(xTrain.shape[1], program.HIDDEN, yTrain.shape[1]);
  program.train(network, xTrain, yTrain);

  const fitted = program.evaluate(network, xTrain, yTrain).accuracy;
  oracle.check(fitted >= 0.7, `train accuracy ${fitted.toFixed(3)}, expected at least 0.7`);
  const { accuracy } = program.evaluate(network, xTest, yTest);
  oracle.check(accuracy >= 0.6, `test accuracy ${accuracy.toFixed(3)}, expected at least 0.6`);
});
