'use strict';
const oracle = require('./oracle');

oracle.test(async () => {
  const { StackedDenoisingAutoencoder } = await oracle.load('train.js');
  const { loadMnist } = await oracle.load('mnist.js');
  const train = await loadMnist('train', 500);
  const test = await loadMnist('t10k', 300);
  const model = await new StackedDenoisingAutoencoder(await train.x.shape[1]);
  await model.pretrain(train.x);
  await model.finetune(train.x, train.y);
  const accuracy = await model.accuracy(test.x, test.y);
  oracle.check(accuracy >= 0.5, `accuracy ${accuracy.toFixed(3)} after fine-tuning, expected at least 0.5`);
});
