"""A model that is trained on mixtures of samples (Zhang et al. 2018)."""

import tensorflow as tf
from tensorflow import keras


class MixupModel(keras.Model):
    """Like keras.Model, but each batch is blended with itself in another order."""

    def __init__(self, *args, alpha=0.3, **kwargs):
        super().__init__(*args, **kwargs)
        self.alpha = alpha
        self.loss_of_batch = keras.losses.CategoricalCrossentropy()
        self.mean_loss = keras.metrics.Mean("loss")
        self.accuracy = keras.metrics.CategoricalAccuracy("accuracy")

    @property
    def metrics(self):
        return [self.mean_loss, self.accuracy]

    def blend(self, x, y):
        a = tf.random.gamma((), self.alpha)
        share = a / (a + tf.random.gamma((), self.alpha) + 1e-7)
        order = tf.random.shuffle(tf.range(tf.shape(x)[0]))
        mixed = [share * values + (1 - share) * tf.gather(values, order) for values in (x, y)]
        return mixed

    def follow(self, loss, y, predicted):
        self.mean_loss.update_state(loss)
        self.accuracy.update_state(y, predicted)
        return {metric.name: metric.result() for metric in self.metrics}

    def train_step(self, data):
        x, y = self.blend(*data)
        with tf.GradientTape() as tape:
            predicted = self(x)
            loss = self.loss_of_batch(y, predicted)
        gradients = tape.gradient(loss, self.trainable_variables)
        self.optimizer.apply_gradients(zip(gradients, self.trainable_variables))
        return self.follow(loss, y, predicted)

    def test_step(self, data):
        x, y = data
        predicted = self(x, training=False)
        return self.follow(self.loss_of_batch(y, predicted), y, predicted)
