import csv
import os
import sys
import tempfile

import numpy as np
import tensorflow.compat.v1 as tf

tf.disable_v2_behavior()

COLUMNS = ["rooms", "area", "age", "distance", "price"]


def write_files(folder, files=4, rows=60):
    """Sales of four towns, one file each: the data that the trainer reads."""
    random = np.random.RandomState(8)
    paths = []
    for number in range(files):
        paths.append(os.path.join(folder, "town_%d.csv" % number))
        with open(paths[-1], "w", newline="") as file:
            writer = csv.writer(file)
            writer.writerow(COLUMNS)
            for _ in range(rows):
                x = random.uniform(-1, 1, size=4)
                price = 2.0 + 0.8 * x[0] + 1.5 * x[1] - 0.6 * x[2] - 0.4 * x[3] + 0.05 * random.normal()
                writer.writerow(["%.4f" % value for value in [*x, price]])
    return paths


def read_sales(filename_queue):
    reader = tf.TextLineReader(skip_header_lines=1)
    _, line = reader.read(filename_queue)
    values = tf.decode_csv(line, record_defaults=[[0.0]] * len(COLUMNS))
    return tf.stack(values[:-1]), values[-1]


def train(paths, num_epochs=25, batch_size=20):
    """Go through all files num_epochs times; return the weights, the bias and the loss of every step."""
    with tf.Graph().as_default():
        queue = tf.train.string_input_producer(paths, num_epochs=num_epochs, shuffle=True)
        features, price = read_sales(queue)
        features, price = tf.train.batch([features, price], batch_size=batch_size, capacity=200)

        weights = tf.Variable(tf.zeros([4, 1]), name="weights")
        bias = tf.Variable(tf.zeros([]), name="bias")
        estimate = tf.squeeze(tf.matmul(features, weights), 1) + bias
        loss = tf.losses.mean_squared_error(price, estimate)
        train_op = tf.train.GradientDescentOptimizer(0.1).minimize(loss)

        losses = []
        with tf.Session() as sess:
            sess.run(tf.global_variables_initializer())
            coord = tf.train.Coordinator()
            threads = tf.train.start_queue_runners(sess=sess, coord=coord)
            try:
                while not coord.should_stop():
                    losses.append(float(sess.run([loss, train_op])[0]))
            except tf.errors.OutOfRangeError:
                print("done: %d steps in %d epochs" % (len(losses), num_epochs))
            finally:
                coord.request_stop()
            coord.join(threads)
            return sess.run(weights)[:, 0].tolist(), float(sess.run(bias)), losses


def main():
    with tempfile.TemporaryDirectory() as folder:
        paths = sys.argv[1:] or write_files(folder)
        weights, bias, losses = train(paths)
    for name, weight in zip(COLUMNS, weights):
        print("%-9s %6.2f" % (name, weight))
    print("%-9s %6.2f" % ("base", bias))
    print("loss %.3f -> %.4f" % (losses[0], losses[-1]))


if __name__ == "__main__":
    main()
