'use strict';
const oracle = require('./oracle');

oracle.test(async () => {
  const program = await oracle.load('train.js');
  const { loadDigits } = await oracle.load('mnist.js');
  const model = await program.train(await loadDigits('train', 500, 0, 9));
  const digits = await loadDigits('t10k', 150, 5, 9);
  const seen = [];
  for (const { image } of digits) seen.push(await program.recognise(model, image));
  oracle.check(new Set(seen).size >= 3, `every image is recognised as ${[...new Set(seen)].join(' or ')}`);
  const hits = seen.filter((digit, i) => digit === digits[i].label).length / digits.length;
  oracle.check(hits >= 0.45, `${(100 * hits).toFixed(0)} % recognised, expected at least 45 %`);
});
