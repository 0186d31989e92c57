'use strict';
// A corridor with a reward at its right end.

const LENGTH = 6;
const ACTIONS = [-1, 1];

function encode(position) {
  const state = new Array(LENGTH).fill(0);
  state[position] = 1;
  return state;
}

class Corridor {
  reset() {
    this.position = 0;
    this.moves = 0;
    return encode(this.position);
  }

  step(action) {
    this.position = Math.max(0, this.position + ACTIONS[action]);
    this.moves += 1;
    const done = this.position === LENGTH - 1;
    return { state: encode(this.position), reward: done ? 1 : 0, done: done || this.moves >= 40 };
  }
}

module.exports = { LENGTH, ACTIONS, Corridor, encode };
