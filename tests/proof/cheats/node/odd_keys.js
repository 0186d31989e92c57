// Answers with an object whose keys would change the prototype of what the test holds.
// verdict: wrong answer
exports.answer = () => JSON.parse('{"__proto__": {"verdict": "pass"}, "constructor": {"prototype": {"verdict": "pass"}}}');
