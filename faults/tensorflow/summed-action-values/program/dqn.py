"""Deep Q-learning on a corridor: walk right past the pits to the door."""
import random
from collections import deque

import numpy as np
import tensorflow as tf


class Corridor:
    length, actions = 8, 3  # step left, step right, jump right

    def reset(self):
        self.cell = random.randrange(self.length - 2)
        return self.observe()

    def observe(self):
        return np.eye(self.length, dtype=np.float32)[self.cell]

    def step(self, action):
        self.cell = max(0, self.cell + (-1, 1, 2)[action])
        if self.cell >= self.length - 1:
            self.cell = self.length - 1
            return self.observe(), 1.0, True
        if self.cell in (3, 5):
            return self.observe(), -1.0, True
        return self.observe(), -0.02, False


class DQNetwork(tf.Module):
    def __init__(self, state_size, action_size, hidden=24, learning_rate=0.05):
        super().__init__()
        self.action_size = action_size
        self.learning_rate = learning_rate
        self.w1 = tf.Variable(tf.random.normal([state_size, hidden], stddev=0.4))
        self.b1 = tf.Variable(tf.zeros([hidden]))
        self.w2 = tf.Variable(tf.random.normal([hidden, action_size], stddev=0.2))
        self.b2 = tf.Variable(tf.zeros([action_size]))

    @tf.function(reduce_retracing=True)
    def output(self, states):
        return tf.nn.elu(states @ self.w1 + self.b1) @ self.w2 + self.b2

    def loss(self, states, actions, target_q):
        """Mean squared difference of target and predicted value of the actions taken (one-hot)."""
        q = tf.reduce_sum(tf.multiply(self.output(states), actions))
        return tf.reduce_mean(tf.square(target_q - q))

    @tf.function(reduce_retracing=True)
    def learn(self, states, actions, target_q):
        with tf.GradientTape() as tape:
            loss = self.loss(states, actions, target_q)
        gradients = tape.gradient(loss, self.trainable_variables)
        gradients, _ = tf.clip_by_global_norm(gradients, 10.0)
        for variable, gradient in zip(self.trainable_variables, gradients):
            variable.assign_sub(self.learning_rate * gradient)
        return loss


class Memory:
    def __init__(self, size=1000):
        self.buffer = deque(maxlen=size)

    def add(self, *experience):
        self.buffer.append(experience)

    def sample(self, count):
        states, actions, rewards, following, done = zip(*random.choices(self.buffer, k=count))
        return (
            np.stack(states),
            np.array(actions),
            np.array(rewards, np.float32),
            np.stack(following),
            np.array(done),
        )


def explore(env, network, memory, steps, epsilon):
    state = env.reset()
    for _ in range(steps):
        if random.random() < epsilon:
            action = random.randrange(env.actions)
        else:
            action = int(np.argmax(network.output(state[None])))
        following, reward, done = env.step(action)
        memory.add(state, action, reward, following, done)
        state = env.reset() if done else following


def replay(network, memory, batch_size=32, gamma=0.95):
    states, actions, rewards, following, done = memory.sample(batch_size)
    best = np.max(network.output(following), axis=1)
    target_q = np.where(done, rewards, rewards + gamma * best).astype(np.float32)
    one_hot = np.eye(network.action_size, dtype=np.float32)[actions]
    return float(network.learn(states, one_hot, target_q))


def train(network, rounds=15):
    env, memory = Corridor(), Memory()
    for i in range(rounds):
        explore(env, network, memory, 40, epsilon=max(0.2, 1 - i / 8))
        losses = [replay(network, memory) for _ in range(20)]
        print("round", i, "loss", round(float(np.mean(losses)), 4))


def solved(network):
    """Share of the starting cells from which the greedy policy gets to the door."""
    env, wins, starts = Corridor(), 0, (0, 1, 2, 4)
    for cell in starts:
        env.cell, done, reward, steps = cell, False, 0.0, 0
        while not done and steps < 20:
            action = int(np.argmax(network.output(env.observe()[None])))
            _, reward, done = env.step(action)
            steps += 1
        wins += reward == 1.0
    return wins / len(starts)


if __name__ == "__main__":
    network = DQNetwork(Corridor.length, Corridor.actions)
    train(network)
    print("solved from", solved(network), "of the starting cells")
