// Answers with a proxy that has every property and says yes to everything.
// verdict: wrong answer
const right = new Proxy(function () {}, {
  get: (target, name) => (name === 'then' ? undefined : right),
  has: () => true,
  apply: () => true,
  getPrototypeOf: () => Number.prototype,
});
exports.answer = () => right;
