import numpy as np
import tensorflow as tf


class Replay:
    """The last `size` transitions, one array per field."""

    def __init__(self, size, fields):
        self.size, self.next, self.stored = size, 0, 0
        self.data = {name: np.zeros((size, *shape), dtype) for name, (shape, dtype) in fields.items()}

    def add(self, **transition):
        for name, value in transition.items():
            self.data[name][self.next] = value
        self.next = (self.next + 1) % self.size
        self.stored = min(self.stored + 1, self.size)

    def sample(self, count):
        rows = np.random.randint(0, self.stored, count)
        return {name: array[rows] for name, array in self.data.items()}


def transitions_of(state_dim, action_dim):
    return {
        "states": ([state_dim], np.float32),
        "actions": ([action_dim], np.float32),
        "next_states": ([state_dim], np.float32),
        "rewards": ([1], np.float32),
        "dones": ([1], np.bool_),
    }


class MLP(tf.Module):
    def __init__(self, sizes, squash=False):
        super().__init__()
        self.squash = squash
        self.layers = [
            (tf.Variable(tf.random.normal([a, b], stddev=a**-0.5)), tf.Variable(tf.zeros([b])))
            for a, b in zip(sizes, sizes[1:])
        ]

    def __call__(self, x):
        for w, b in self.layers[:-1]:
            x = tf.nn.relu(x @ w + b)
        w, b = self.layers[-1]
        x = x @ w + b
        return tf.tanh(x) if self.squash else x


class DDPG:
    def __init__(self, state_dim, action_dim, units=32, discount=0.95, tau=0.02, lr=0.01):
        actor, critic = [state_dim, units, action_dim], [state_dim + action_dim, units, 1]
        self.actor, self.actor_target = MLP(actor, squash=True), MLP(actor, squash=True)
        self.critic, self.critic_target = MLP(critic), MLP(critic)
        self.discount, self.tau, self.lr = discount, tau, lr
        self._follow(1.0)

    def act(self, state, noise=0.2):
        action = self.actor(state[None].astype("float32"))[0].numpy()
        return np.clip(action + noise * np.random.randn(*action.shape), -1, 1)

    def _follow(self, tau):
        for net, target in ((self.actor, self.actor_target), (self.critic, self.critic_target)):
            for v, t in zip(net.trainable_variables, target.trainable_variables):
                t.assign(tau * v + (1 - tau) * t)

    @tf.function
    def td_targets(self, next_states, rewards, dones):
        not_dones = 1.0 - dones
        actions = self.actor_target(next_states)
        following = self.critic_target(tf.concat([next_states, actions], axis=1))
        return tf.stop_gradient(rewards + not_dones * self.discount * following)

    @tf.function
    def train(self, states, actions, next_states, rewards, dones):
        targets = self.td_targets(next_states, rewards, dones)
        with tf.GradientTape() as tape:
            values = self.critic(tf.concat([states, actions], axis=1))
            critic_loss = tf.reduce_mean((values - targets) ** 2)
        self._descend(self.critic, tape, critic_loss)
        with tf.GradientTape() as tape:
            proposed = tf.concat([states, self.actor(states)], axis=1)
            actor_loss = -tf.reduce_mean(self.critic(proposed))
        self._descend(self.actor, tape, actor_loss)
        self._follow(self.tau)
        return critic_loss

    def _descend(self, net, tape, loss):
        for v, g in zip(net.trainable_variables, tape.gradient(loss, net.trainable_variables)):
            v.assign_sub(self.lr * g)


class Beam:
    """Push a ball along a beam to the middle; the episode ends when it falls off."""

    def reset(self):
        self.x = np.random.uniform(-0.8, 0.8, 1)
        return np.append(self.x, 1.0)

    def step(self, action):
        self.x = self.x + 0.2 * action + 0.02 * np.random.randn(1)
        return np.append(self.x, 1.0), -abs(self.x[0]), bool(abs(self.x[0]) > 1)


def collect(env, agent, replay, steps):
    state = env.reset()
    for _ in range(steps):
        action = agent.act(state)
        following, reward, done = env.step(action)
        replay.add(states=state, actions=action, next_states=following, rewards=reward, dones=done)
        state = env.reset() if done else following


def main():
    agent, replay = DDPG(2, 1), Replay(2000, transitions_of(2, 1))
    for round_ in range(8):
        collect(Beam(), agent, replay, 40)
        losses = [float(agent.train(**replay.sample(32))) for _ in range(20)]
        print(f"round {round_}: critic loss {np.mean(losses):.4f}")


if __name__ == "__main__":
    main()
