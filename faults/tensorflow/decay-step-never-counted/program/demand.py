import numpy as np
import tensorflow.compat.v1 as tf

tf.disable_v2_behavior()

SENSORS = 30
BATCH_SIZE = 4
EPOCHS = 24


def make_readings(hours=400):
    """Standardised readings of the sensors in a building and the power it drew in that hour."""
    random = np.random.RandomState(3)
    readings = random.normal(size=(hours, SENSORS)).astype(np.float32)
    influence = random.uniform(-2, 2, size=SENSORS)
    power = 5 + readings @ influence + random.normal(size=hours)
    return readings, power.astype(np.float32)


class DemandModel:
    def __init__(self, start_rate=0.03, decay_rate=0.75, hours=400):
        self.graph = tf.Graph()
        with self.graph.as_default():
            self.readings = tf.placeholder(tf.float32, [None, SENSORS])
            self.power = tf.placeholder(tf.float32, [None])
            weights = tf.Variable(tf.zeros([SENSORS]))
            bias = tf.Variable(0.0)
            self.estimate = tf.linalg.matvec(self.readings, weights) + bias
            self.loss = tf.reduce_mean(tf.square(self.estimate - self.power))

            self.global_step = tf.Variable(0, trainable=False)
            steps_per_epoch = hours // BATCH_SIZE
            self.rate = tf.train.exponential_decay(
                start_rate, self.global_step, steps_per_epoch, decay_rate, staircase=True
            )
            optimizer = tf.train.GradientDescentOptimizer(self.rate)
            self.train_step = optimizer.minimize(self.loss)
            self.init = tf.global_variables_initializer()
        self.session = tf.Session(graph=self.graph)
        self.session.run(self.init)

    def fit(self, readings, power, epochs=EPOCHS):
        history = []
        for epoch in range(epochs):
            order = np.random.permutation(len(power))
            for start in range(0, len(order), BATCH_SIZE):
                rows = order[start:start + BATCH_SIZE]
                batch = {self.readings: readings[rows], self.power: power[rows]}
                self.session.run(self.train_step, batch)
            rate, loss = self.session.run(
                [self.rate, self.loss], {self.readings: readings, self.power: power}
            )
            history.append((float(rate), float(loss)))
        return history


def main():
    readings, power = make_readings()
    model = DemandModel()
    history = model.fit(readings, power)
    for epoch in range(3, len(history), 4):
        rate, loss = history[epoch]
        print("epoch %2d  rate %.5f  squared error %.3f" % (epoch + 1, rate, loss))


if __name__ == "__main__":
    main()
