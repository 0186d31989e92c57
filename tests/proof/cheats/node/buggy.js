// No cheat at all: what the buggy program gives fails.
// verdict: wrong answer
exports.answer = () => 41;
