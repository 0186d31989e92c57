// Kills the process that the test runs in.
// verdict: killed by SIGKILL
exports.answer = () => {
  process.kill(process.ppid, 'SIGKILL');
  return 41;
};
