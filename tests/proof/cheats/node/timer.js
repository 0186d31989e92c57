// A timer ends the process with success while the answer is awaited.
// verdict: the program ended early with exit status 0
setTimeout(() => process.exit(0), 10);
exports.answer = () => new Promise(() => {});
