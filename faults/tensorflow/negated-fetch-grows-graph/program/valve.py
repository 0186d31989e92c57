"""Learn how far to open a valve, with a deterministic policy gradient.

The state is what three sensors say, the action one number between -1 and 1.
"""
import random
from collections import deque

import numpy as np
import tensorflow.compat.v1 as tf

tf.disable_v2_behavior()

STATE_DIM = 3


def reward_of(states, actions):
    wanted = np.tanh(states[:, :1] - 0.5 * states[:, 1:2])
    return 1.0 - (actions - wanted) ** 2


def dense(inputs, units, name, activation=None):
    w = tf.get_variable(name + "_w", [inputs.shape[1], units], initializer=tf.glorot_uniform_initializer())
    b = tf.get_variable(name + "_b", [units], initializer=tf.zeros_initializer())
    outputs = tf.matmul(inputs, w) + b
    return outputs if activation is None else activation(outputs)


class Critic(object):
    def __init__(self, state, action, lr):
        self.reward = tf.placeholder(tf.float32, [None, 1])
        with tf.variable_scope("critic"):
            hidden = dense(tf.concat([state, action, action ** 2, action * state], 1), 32, "hidden", tf.nn.relu)
            self.value = dense(hidden, 1, "value")
        self.loss = tf.reduce_mean((self.value - self.reward) ** 2)
        self.optimize = tf.train.AdamOptimizer(lr).minimize(self.loss, var_list=tf.trainable_variables("critic"))
        self.action_gradient = tf.gradients(self.value, action)[0]


class Actor(object):
    def __init__(self, state, lr):
        with tf.variable_scope("actor"):
            hidden = dense(state, 16, "hidden", tf.nn.tanh)
            self.action = dense(hidden, 1, "action", tf.nn.tanh)
        self.descent = tf.placeholder(tf.float32, [None, 1])
        weights = tf.trainable_variables("actor")
        gradients = tf.gradients(self.action, weights, self.descent)
        self.optimize = tf.train.AdamOptimizer(lr).apply_gradients(zip(gradients, weights))


class Agent(object):
    def __init__(self, batch_size=32, lr=0.01):
        self.batch_size = batch_size
        self.memory = deque(maxlen=2000)
        self.graph = tf.Graph()
        with self.graph.as_default():
            self.state = tf.placeholder(tf.float32, [None, STATE_DIM])
            self.tried = tf.placeholder(tf.float32, [None, 1])
            self.critic = Critic(self.state, self.tried, lr)
            self.actor = Actor(self.state, lr)
            init = tf.global_variables_initializer()
        self.sess = tf.Session(graph=self.graph)
        self.sess.run(init)

    def act(self, states, noise=0.0):
        actions = self.sess.run(self.actor.action, {self.state: states})
        return np.clip(actions + noise * np.random.normal(size=actions.shape), -1, 1)

    def train(self):
        states, tried, rewards = zip(*random.sample(self.memory, self.batch_size))
        feed = {self.state: np.array(states), self.tried: np.array(tried)}
        self.sess.run(self.critic.optimize, {**feed, self.critic.reward: np.array(rewards)})
        feed = {self.state: np.array(states), self.tried: self.act(np.array(states))}
        with self.graph.as_default():
            descent = self.sess.run(-self.critic.action_gradient, feed)
        self.sess.run(self.actor.optimize, {self.state: np.array(states), self.actor.descent: descent})


def learn(agent, steps=400, warm_up=64):
    rewards = []
    for step in range(warm_up + steps):
        states = np.random.uniform(-1, 1, size=(1, STATE_DIM))
        actions = agent.act(states, noise=0.5)
        reward = reward_of(states, actions)
        agent.memory.append((states[0], actions[0], reward[0]))
        rewards.append(float(reward[0, 0]))
        if step >= warm_up:
            agent.train()
    return rewards


def assess(agent, count=500):
    states = np.random.uniform(-1, 1, size=(count, STATE_DIM))
    return float(reward_of(states, agent.act(states)).mean())


if __name__ == "__main__":
    agent = Agent()
    print("mean reward before: %.3f" % assess(agent))
    learn(agent)
    print("mean reward after:  %.3f" % assess(agent))
