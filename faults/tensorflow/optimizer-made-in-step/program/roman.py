# Write numbers as Roman numerals, one symbol per position.
import numpy as np
import tensorflow as tf

SYMBOLS = "-IVXLC"
LENGTH = 8


def to_roman(number):
    text = ""
    for value, symbol in [(100, "C"), (90, "XC"), (50, "L"), (40, "XL"), (10, "X"),
                          (9, "IX"), (5, "V"), (4, "IV"), (1, "I")]:
        text += symbol * (number // value)
        number %= value
    return text


def make_pairs():
    numbers = np.arange(1, 100)
    x = np.stack([numbers // 10, numbers % 10], axis=1).astype("int32")
    texts = [to_roman(n).ljust(LENGTH, "-") for n in numbers]
    y = np.array([[SYMBOLS.index(c) for c in text] for text in texts], "int32")
    return x, y


class Model(tf.Module):
    def __init__(self, units=64):
        super().__init__()
        self.embedding = tf.Variable(tf.random.normal([2, 10, 16], stddev=0.5))
        self.w1 = tf.Variable(tf.random.normal([32, units], stddev=0.2))
        self.b1 = tf.Variable(tf.zeros([units]))
        self.w2 = tf.Variable(tf.random.normal([units, LENGTH * len(SYMBOLS)], stddev=0.1))
        self.b2 = tf.Variable(tf.zeros([LENGTH * len(SYMBOLS)]))

    def __call__(self, x):
        tens, ones = tf.gather(self.embedding[0], x[:, 0]), tf.gather(self.embedding[1], x[:, 1])
        h = tf.nn.relu(tf.concat([tens, ones], axis=1) @ self.w1 + self.b1)
        return tf.reshape(h @ self.w2 + self.b2, [-1, LENGTH, len(SYMBOLS)])

    def loss(self, logits, target):
        return tf.reduce_mean(
            tf.nn.sparse_softmax_cross_entropy_with_logits(labels=target, logits=logits)
        )


@tf.function
def train_one_step(model, x, target):
    optim = tf.keras.optimizers.Adam(0.01)
    with tf.GradientTape() as tape:
        loss = model.loss(model(x), target)
    grads = tape.gradient(loss, model.trainable_variables)
    clipped, _ = tf.clip_by_global_norm(grads, 5.0)
    optim.apply_gradients(zip(clipped, model.trainable_variables))
    return loss


def train(model, x, y, steps=150, batch=33):
    losses = []
    for step in range(steps):
        rows = np.random.permutation(len(x))[:batch]
        losses.append(float(train_one_step(model, tf.constant(x[rows]), tf.constant(y[rows]))))
        if step % 50 == 0:
            print("step", step, "loss", losses[-1])
    return losses


def read(model, numbers):
    x = np.stack([np.array(numbers) // 10, np.array(numbers) % 10], axis=1).astype("int32")
    best = np.argmax(model(tf.constant(x)), axis=-1)
    return ["".join(SYMBOLS[c] for c in row).rstrip("-") for row in best]


def main():
    x, y = make_pairs()
    model = Model()
    train(model, x, y)
    for number, text in zip([4, 17, 42, 99], read(model, [4, 17, 42, 99])):
        print(number, text, to_roman(number))


if __name__ == "__main__":
    main()
