'use strict';
const oracle = require('./oracle');

oracle.test(async () => {
  const program = oracle.load('train.js');
  const model = program.buildAutoencoder();
  await program.train(model, program.loadImages('train-images-idx3-ubyte', 200));
  const test = program.loadImages('t10k-images-idx3-ubyte', 50);
  const restored = model.predict(test);
  oracle.check(restored.shape.join() === test.shape.join(), `restored shape [${restored.shape}], expected [${test.shape}]`);
  const error = program.reconstructionError(model, test);
  oracle.check(error < 0.12, `reconstruction error ${error.toFixed(4)}, expected below 0.12`);
});
