'use strict';
// Deep Q-learning with experience replay.
const tf = require('@tensorflow/tfjs');
const { LENGTH, ACTIONS, Corridor, encode } = require('./corridor');

const EPISODES = 12;
const BATCH_SIZE = 12;
const MEMORY_SIZE = 400;
const GAMMA = 0.8;

class Agent {
  constructor() {
    this.memory = [];
    this.epsilon = 1;
    this.model = tf.sequential({
      layers: [
        tf.layers.dense({ inputShape: [LENGTH], units: 16, activation: 'relu' }),
        tf.layers.dense({ units: ACTIONS.length }),
      ],
    });
    this.model.compile({ optimizer: tf.train.adam(0.02), loss: 'meanSquaredError' });
  }

  remember(experience) {
    this.memory.push(experience);
    if (this.memory.length > MEMORY_SIZE) this.memory.shift();
  }

  qValues(states) {
    return tf.tidy(() => this.model.predict(tf.tensor2d(states)).arraySync());
  }

  act(state) {
    if (Math.random() < this.epsilon) return Math.floor(Math.random() * ACTIONS.length);
    const [left, right] = this.qValues([state])[0];
    return right > left ? 1 : 0;
  }

  // Fit the network to one experience.
  async learn({ state, action, reward, next, done }) {
    const [values, nextValues] = this.qValues([state, next]);
    values[action] = done && reward > 0 ? reward : reward + GAMMA * Math.max(...nextValues);
    const x = tf.tensor2d([state]);
    const y = tf.tensor2d([values]);
    await this.model.fit(x, y, { epochs: 1, verbose: 0 });
    tf.dispose([x, y]);
  }

  async replay(size) {
    const batch = Array.from({ length: size }, () => this.memory[Math.floor(Math.random() * this.memory.length)]);
    await Promise.all(batch.map((experience) => this.learn(experience)));
    this.epsilon = Math.max(0.05, this.epsilon * 0.95);
  }
}

async function train(episodes = EPISODES) {
  const agent = new Agent();
  const world = new Corridor();
  for (let episode = 0; episode < episodes; episode++) {
    let state = world.reset();
    let done = false;
    while (!done) {
      const action = agent.act(state);
      const step = world.step(action);
      agent.remember({ state, action, reward: step.reward, next: step.state, done: step.done });
      state = step.state;
      done = step.done;
      if (agent.memory.length >= 4 * BATCH_SIZE && world.moves % 4 === 0) await agent.replay(BATCH_SIZE);
    }
    console.log(`episode ${episode + 1}: ${world.moves} moves, epsilon ${agent.epsilon.toFixed(2)}`);
  }
  return agent;
}

// The preferred action at every place of the corridor but the last.
function policy(agent) {
  const states = Array.from({ length: LENGTH - 1 }, (_, position) => encode(position));
  return agent.qValues(states).map(([left, right]) => (right > left ? 1 : -1));
}

async function main() {
  const agent = await train();
  console.log(`policy ${policy(agent).map((move) => (move > 0 ? '>' : '<')).join(' ')}`);
}

if (require.main === module) main();

module.exports = { Agent, train, policy };
