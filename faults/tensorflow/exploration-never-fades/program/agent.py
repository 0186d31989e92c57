import tensorflow as tf

MOVES = tf.constant([[-1, 0], [1, 0], [0, -1], [0, 1]])


class Warehouse:
    """Carts on a square floor, one per batch entry, that have to reach the dock in a corner."""

    def __init__(self, size=5, carts=32):
        self.size, self.carts = size, carts

    def reset(self):
        self.at = tf.random.uniform([self.carts, 2], 0, self.size, tf.int32)
        return self.state()

    def state(self):
        return self.at[:, 0] * self.size + self.at[:, 1]

    def step(self, actions):
        docked = self.docked()
        moved = tf.clip_by_value(self.at + tf.gather(MOVES, actions), 0, self.size - 1)
        self.at = tf.where(docked[:, None], self.at, moved)
        rewards = tf.where(docked, 0.0, tf.where(self.docked(), 1.0, -0.05))
        return self.state(), rewards, docked

    def docked(self):
        return tf.reduce_all(self.at == 0, axis=1)


class QAgent:
    def __init__(self, states, actions, rate=0.3, discount=0.95, epsilon=1.0, decay=0.88, floor=0.02):
        self.q = tf.Variable(tf.zeros([states, actions]))
        self.actions = actions
        self.rate, self.discount = rate, discount
        self.epsilon, self.decay, self.floor = epsilon, decay, floor

    def choose(self, states):
        return self._choose(states)

    @tf.function
    def _choose(self, states):
        best = tf.argmax(tf.gather(self.q, states), axis=1, output_type=tf.int32)
        other = tf.random.uniform(tf.shape(best), 0, self.actions, tf.int32)
        explore = tf.random.uniform(tf.shape(best)) < self.epsilon
        return tf.where(explore, other, best)

    @tf.function
    def learn(self, states, actions, rewards, following, docked):
        future = tf.where(docked, 0.0, tf.reduce_max(tf.gather(self.q, following), axis=1))
        where = tf.stack([states, actions], axis=1)
        error = rewards + self.discount * future - tf.gather_nd(self.q, where)
        error = tf.where(docked, 0.0, error)
        visits = tf.tensor_scatter_nd_add(tf.zeros_like(self.q), where, tf.ones_like(error))
        summed = tf.tensor_scatter_nd_add(tf.zeros_like(self.q), where, error)
        self.q.assign_add(self.rate * tf.math.divide_no_nan(summed, visits))

    def end_episode(self):
        self.epsilon = max(self.floor, self.epsilon * self.decay)


def play(world, agent, steps=20, learning=True):
    states = world.reset()
    total = 0.0
    for _ in range(steps):
        actions = agent.choose(states)
        following, rewards, docked = world.step(actions)
        if learning:
            agent.learn(states, actions, rewards, following, docked)
        total += float(tf.reduce_mean(rewards))
        states = following
    if learning:
        agent.end_episode()
    return total


def main(episodes=40):
    world = Warehouse()
    agent = QAgent(world.size**2, len(MOVES))
    for episode in range(1, episodes + 1):
        score = play(world, agent)
        if episode % 10 == 0:
            print(f"episode {episode:3d}  return {score:+.3f}")
    return agent


if __name__ == "__main__":
    main()
