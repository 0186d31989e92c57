'use strict';
const oracle = require('./oracle');

oracle.test(async () => {
  const { StackedDenoisingAutoencoder } = oracle.load('train.js');
  const { loadMnist } = oracle.load('mnist.js');
  const train = loadMnist('train', 500);
  const test = loadMnist('t10k', 300);
  const model = new StackedDenoisingAutoencoder(train.x.shape[1]);
  model.pretrain(train.x);
  model.finetune(train.x, train.y);
  const accuracy = model.accuracy(test.x, test.y);
  oracle.check(accuracy >= 0.5, `accuracy ${accuracy.toFixed(3)} after fine-tuning, expected at least 0.5`);
});
