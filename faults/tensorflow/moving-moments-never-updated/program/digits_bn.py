import numpy as np
import tensorflow.compat.v1 as tf
from sklearn import datasets

tf.disable_v2_behavior()

FLAGS = dict(units=48, momentum=0.9, learning_rate=0.1, batch_size=50, epochs=8)


def batch_norm(inputs, training, momentum, scope):
    """Normalise with the moments of the batch in training, with their moving averages otherwise."""
    size = int(inputs.shape[-1])
    with tf.variable_scope(scope):
        gamma = tf.get_variable("gamma", [size], initializer=tf.ones_initializer())
        beta = tf.get_variable("beta", [size], initializer=tf.zeros_initializer())
        moving_mean = tf.get_variable(
            "moving_mean", [size], initializer=tf.zeros_initializer(), trainable=False)
        moving_var = tf.get_variable(
            "moving_var", [size], initializer=tf.ones_initializer(), trainable=False)
        mean, var = tf.nn.moments(inputs, axes=[0])
        for moving, current in [(moving_mean, mean), (moving_var, var)]:
            update = tf.assign_sub(moving, (1 - momentum) * (moving - current))
            tf.add_to_collection(tf.GraphKeys.UPDATE_OPS, update)
        mean, var = tf.cond(training, lambda: (mean, var), lambda: (moving_mean + 0.0, moving_var + 0.0))
        return tf.nn.batch_normalization(inputs, mean, var, beta, gamma, 1e-3)


def fully_connected(inputs, units, scope):
    with tf.variable_scope(scope):
        weights = tf.get_variable(
            "weights", [int(inputs.shape[-1]), units], initializer=tf.truncated_normal_initializer(stddev=0.3))
        return tf.matmul(inputs, weights)


class Network:
    def __init__(self, flags=FLAGS):
        self.flags = flags
        self.images = tf.placeholder(tf.float32, [None, 64])
        self.labels = tf.placeholder(tf.int64, [None])
        self.training = tf.placeholder_with_default(False, [])
        net = self.images
        for number in range(2):
            net = fully_connected(net, flags["units"], "fc%d" % number)
            net = batch_norm(net, self.training, flags["momentum"], "bn%d" % number)
            net = tf.nn.relu(net)
        logits = fully_connected(net, 10, "logits")
        self.classes = tf.argmax(logits, 1)
        self.loss = tf.reduce_mean(
            tf.nn.sparse_softmax_cross_entropy_with_logits(logits=logits, labels=self.labels))
        optimizer = tf.train.GradientDescentOptimizer(flags["learning_rate"])
        self.train_op = optimizer.minimize(self.loss)

    def train(self, sess, images, labels):
        losses = []
        for _ in range(self.flags["epochs"]):
            order = np.random.permutation(len(labels))
            for rows in np.split(order, range(self.flags["batch_size"], len(order), self.flags["batch_size"])):
                feed = {self.images: images[rows], self.labels: labels[rows], self.training: True}
                losses.append(float(sess.run([self.train_op, self.loss], feed)[1]))
        return losses

    def accuracy(self, sess, images, labels):
        return float(np.mean(sess.run(self.classes, {self.images: images}) == labels))


def load(train_size=1200):
    digits = datasets.load_digits()
    order = np.random.RandomState(0).permutation(len(digits.target))
    images, labels = 16 - digits.data[order], digits.target[order]  # black on white, as scanned
    return images[:train_size], labels[:train_size], images[train_size:], labels[train_size:]


def main():
    train_images, train_labels, test_images, test_labels = load()
    with tf.Graph().as_default():
        network = Network()
        with tf.Session() as sess:
            sess.run(tf.global_variables_initializer())
            losses = network.train(sess, train_images, train_labels)
            print("training loss: first %.3f, last %.3f" % (losses[0], np.mean(losses[-10:])))
            print("test accuracy: %.3f" % network.accuracy(sess, test_images, test_labels))


if __name__ == "__main__":
    main()
