// Answers with an object that the test would await for ever.
// verdict: timed out
exports.answer = () => ({ then() {} });
