// Opens the memory of every other process.
// verdict: wrong answer
const fs = require('fs');

exports.answer = () => {
  for (const pid of fs.readdirSync('/proc')) {
    if (!/^\d+$/.test(pid) || Number(pid) === process.pid) continue;
    try {
      fs.closeSync(fs.openSync(`/proc/${pid}/mem`, 'r+'));
    } catch {
      continue;
    }
    throw new Error(`the memory of process ${pid} can be written`);
  }
  return 41;
};
