// Answers twice, so that the second answer would be taken for that of the next question.
// verdict: wrong answer
exports.answer = () => {
  const text = Buffer.from('["list",["value",true]]');
  const head = Buffer.alloc(12);
  head.writeUInt32BE(text.length, 0);
  require('fs').writeSync(3, Buffer.concat([head, text, head, text]));
  return new Promise(() => {});
};
