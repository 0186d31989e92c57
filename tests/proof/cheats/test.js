'use strict';
const oracle = require('./oracle');

oracle.test(async () => {
  const main = await oracle.load('main.js');
  const answer = await main.answer();
  oracle.check(answer === 42, 'wrong answer');
});
