'use strict';
const oracle = require('./oracle');

oracle.test(async () => {
  const program = await oracle.load('train.js');
  const agent = await program.train();
  const moves = await program.policy(agent);
  oracle.check(moves.slice(-2).every((move) => move === 1), `policy [${moves}], expected to end in 1,1`);
});
