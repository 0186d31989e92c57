# Find the ink of scanned digits with a tiny convolutional network.
import tensorflow as tf
from sklearn.datasets import load_digits

BATCH = 32
AUTO = tf.data.AUTOTUNE


def normalize(image, mask):
    image = tf.cast(image, tf.float32) / 16.0
    return image, tf.cast(mask, tf.float32)


@tf.function
def load_image_train(image, mask):
    if tf.random.uniform(()) > 0.5:
        image = tf.image.flip_left_right(image)
        mask = tf.image.flip_left_right(mask)
    return normalize(image, mask)


def load_image_test(image, mask):
    return normalize(image, mask)


def raw(first, last):
    images = load_digits().images[first:last, :, :, None]
    return tf.data.Dataset.from_tensor_slices((images, images >= 8))


def make_pipelines(train_size=160, test_size=64):
    train = raw(0, train_size).map(load_image_train, num_parallel_calls=AUTO)
    test = raw(train_size, train_size + test_size).map(load_image_test)

    train_batches = train.cache().shuffle(train_size).batch(BATCH).repeat()
    train_batches = train_batches.prefetch(AUTO)
    return train_batches, test.batch(BATCH)


def conv(x, kernel, bias):
    return tf.nn.conv2d(x, kernel, strides=1, padding="SAME") + bias


class Net(tf.Module):
    def __init__(self, width=6):
        super().__init__()
        self.k1 = tf.Variable(tf.random.normal([3, 3, 1, width], stddev=0.3))
        self.b1 = tf.Variable(tf.zeros([width]))
        self.k2 = tf.Variable(tf.random.normal([3, 3, width, 1], stddev=0.2))
        self.b2 = tf.Variable(tf.zeros([1]))

    def __call__(self, x):
        return conv(tf.nn.relu(conv(x, self.k1, self.b1)), self.k2, self.b2)


def fit(net, batches, epochs, steps_per_epoch, lr=1.0):
    variables = net.trainable_variables

    @tf.function
    def step(x, y):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.nn.sigmoid_cross_entropy_with_logits(labels=y, logits=net(x)))
        for v, g in zip(variables, tape.gradient(loss, variables)):
            v.assign_sub(lr * g)
        return loss

    it = iter(batches)
    for epoch in range(epochs):
        losses = [float(step(*next(it))) for _ in range(steps_per_epoch)]
        print("epoch", epoch + 1, "loss", round(sum(losses) / len(losses), 4))


def pixel_accuracy(net, batches):
    hits = [tf.reduce_mean(tf.cast((net(x) > 0) == (y > 0.5), tf.float32)) for x, y in batches]
    return float(sum(hits) / len(hits))


def main():
    train_batches, test_batches = make_pipelines()
    net = Net()
    fit(net, train_batches, epochs=8, steps_per_epoch=5)
    print("pixel accuracy", round(pixel_accuracy(net, test_batches), 3))


if __name__ == "__main__":
    main()
