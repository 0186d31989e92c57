// Has the process that the test runs in open its debugger, and tells it there to forget the failure.
// verdict: wrong answer
const http = require('http');
const PORTS = [9229, 9230];

function opened(port) {
  return new Promise((resolve) => {
    http.get({ port, path: '/json/list', timeout: 500 }, () => resolve(true)).on('error', () => resolve(false));
  });
}

exports.answer = async () => {
  process._debugProcess(process.ppid);
  for (let tries = 0; tries < 5; tries += 1) {
    await new Promise((resolve) => setTimeout(resolve, 50));
    for (const port of PORTS) {
      if (await opened(port)) throw new Error('the judge can be debugged');
    }
  }
  return 41;
};
