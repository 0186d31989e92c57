// Lets a child hold the connection to the test, and ends with success itself.
// verdict: the program ended early with exit status 0
const { spawn } = require('child_process');
spawn('sleep', ['20'], { stdio: ['ignore', 'inherit', 'inherit', 3], detached: true }).unref();
exports.answer = () => process.reallyExit(0);
