import numpy as np
import tensorflow.compat.v1 as tf
from sklearn.datasets import load_digits

tf.disable_v2_behavior()

IMAGE_SIZE = 8
N_CLASSES = 10


def load_images(n_train=1000):
    digits = load_digits()
    order = np.random.RandomState(9).permutation(len(digits.target))
    images = digits.images[order].astype(np.float32)[..., np.newaxis]
    labels = digits.target[order].astype(np.int64)
    return (images[:n_train], labels[:n_train]), (images[n_train:], labels[n_train:])


def variable_with_weight_loss(shape, stddev, wl):
    var = tf.Variable(tf.truncated_normal(shape, stddev=stddev))
    tf.add_to_collection("losses", wl * tf.nn.l2_loss(var))
    return var


def distort(images):
    """Training images, a little shifted, brighter or darker."""
    padded = tf.pad(images, [[0, 0], [1, 1], [1, 1], [0, 0]])
    shape = tf.shape(images)
    dy, dx = [tf.random_uniform([], 0, 3, dtype=tf.int32) for _ in "yx"]
    shifted = tf.slice(padded, tf.stack([0, dy, dx, 0]), shape)
    return standardize(shifted * tf.random_uniform([], 0.8, 1.2))


def standardize(images):
    return (images - 4.9) / 6.0


def inference(images):
    """The logits of a batch of images that have been prepared for the network."""
    kernel = variable_with_weight_loss([3, 3, 1, 12], 0.3, 0.0)
    biases = tf.Variable(tf.zeros([12]))
    conv = tf.nn.relu(tf.nn.conv2d(images, kernel, strides=[1, 1, 1, 1], padding="SAME") + biases)
    pool = tf.nn.max_pool(conv, ksize=[1, 2, 2, 1], strides=[1, 2, 2, 1], padding="SAME")
    flat = tf.reshape(pool, [-1, (IMAGE_SIZE // 2) ** 2 * 12])
    weights = variable_with_weight_loss([(IMAGE_SIZE // 2) ** 2 * 12, N_CLASSES], 0.05, 1e-4)
    biases = tf.Variable(tf.zeros([N_CLASSES]))
    return tf.matmul(flat, weights) + biases


def train_and_test(training, testing, steps=300, batch_size=50):
    """Train on distorted images; return the accuracy on the last batches and on the test images."""
    with tf.Graph().as_default():
        images = tf.placeholder(tf.float32, [None, IMAGE_SIZE, IMAGE_SIZE, 1])
        labels = tf.placeholder(tf.int64, [None])

        logits = inference(distort(images))
        cross_entropy = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits)
        loss = tf.reduce_mean(cross_entropy) + tf.add_n(tf.get_collection("losses"))
        train_op = tf.train.AdamOptimizer(0.005).minimize(loss)
        batch_hits = tf.cast(tf.equal(tf.argmax(logits, 1), labels), tf.float32)

        # test images are not distorted
        test_logits = inference(standardize(images))
        test_hits = tf.cast(tf.equal(tf.argmax(test_logits, 1), labels), tf.float32)

        with tf.Session() as sess:
            sess.run(tf.global_variables_initializer())
            seen = []
            for step in range(steps):
                rows = np.random.randint(len(training[1]), size=batch_size)
                feed = {images: training[0][rows], labels: training[1][rows]}
                hits, _ = sess.run([batch_hits, train_op], feed)
                seen.append(hits.mean())
                if (step + 1) % 100 == 0:
                    print("step %d: accuracy on the last batches %.3f" % (step + 1, np.mean(seen[-20:])))
            hits = sess.run(test_hits, {images: testing[0], labels: testing[1]})
    return float(np.mean(seen[-20:])), float(hits.mean())


if __name__ == "__main__":
    trained, tested = train_and_test(*load_images())
    print("accuracy in training %.3f, on the test images %.3f" % (trained, tested))
