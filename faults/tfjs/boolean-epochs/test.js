'use strict';
const oracle = require('./oracle');

oracle.test(async () => {
  const program = await oracle.load('train.js');
  const model = await program.train(await program.loadDigits('train', 300), await program.readOptions([]));
  const accuracy = await program.evaluate(model, await program.loadDigits('t10k', 200));
  oracle.metric('accuracy', accuracy);
});
