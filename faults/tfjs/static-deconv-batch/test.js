'use strict';
const oracle = require('./oracle');

oracle.test(async () => {
  const program = await oracle.load('train.js');
  const model = await program.buildAutoencoder();
  await program.train(model, await program.loadImages('train-images-idx3-ubyte', 200));
  const test = await program.loadImages('t10k-images-idx3-ubyte', 50);
  const restored = await model.predict(test);
  const [shape, expected] = [await restored.shape, await test.shape];
  oracle.check(shape.join() === expected.join(), `restored shape [${shape}], expected [${expected}]`);
  const error = await program.reconstructionError(model, test);
  oracle.check(error < 0.12, `reconstruction error ${error.toFixed(4)}, expected below 0.12`);
});
