'use strict';
const oracle = require('./oracle');

oracle.test(async () => {
  const program = oracle.load('train.js');
  const model = await program.train(program.loadDigits('train', 300), program.readOptions([]));
  const accuracy = program.evaluate(model, program.loadDigits('t10k', 200));
  oracle.metric('accuracy', accuracy);
});
