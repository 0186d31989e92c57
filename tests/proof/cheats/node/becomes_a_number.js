// Answers with an object that turns into the right number wherever one is wanted.
// verdict: wrong answer
exports.answer = () => ({ [Symbol.toPrimitive]: () => 42, valueOf: () => 42, toString: () => '42', toJSON: () => 42 });
