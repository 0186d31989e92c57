"""
Detect the few defective parts among many good ones from twelve sensor readings.

Accuracy says nothing here (calling every part good is right 95 times in 100),
so training is followed by means of the F1 score of the defective class.
"""
import argparse

import numpy as np
from sklearn.datasets import make_classification
from sklearn.model_selection import train_test_split
from sklearn.preprocessing import scale
from tensorflow.keras import Input, Model, layers, optimizers
from tensorflow.keras import backend as K
import tensorflow as tf


def readings(parts=3000, seed=3):
    x, y = make_classification(
        n_samples=parts, n_features=12, n_informative=6, n_redundant=2, n_clusters_per_class=1,
        weights=[0.95], class_sep=2.0, flip_y=0.01, random_state=seed,
    )
    return scale(x).astype('float32'), y.reshape(-1, 1).astype('float32')


def f1(y_true, y_pred):
    """Harmonic mean of precision and recall of the defective parts."""
    y_true = tf.cast(y_true, tf.float32)
    flagged = tf.round(tf.clip_by_value(y_pred, 0, 1))
    hits = tf.reduce_sum(y_true * flagged)
    precision = hits / (tf.reduce_sum(flagged) + K.epsilon())
    recall = hits / (tf.reduce_sum(y_true) + K.epsilon())
    return 2 * precision * recall / (precision + recall + K.epsilon())


def build(sensors, lr):
    inputs = Input((sensors,))
    x = layers.Dense(24, activation='relu')(inputs)
    x = layers.Dense(12, activation='relu')(x)
    model = Model(inputs, layers.Dense(1, activation='sigmoid')(x))
    model.compile(optimizer=optimizers.Adam(lr), loss='binary_crossentropy', metrics=[f1])
    return model


def train(x, y, x_val, y_val, epochs=8, batch=32, lr=5e-3):
    model = build(x.shape[1], lr)
    history = model.fit(x, y, batch_size=batch, epochs=epochs, validation_data=(x_val, y_val), verbose=0)
    return model, history.history


def main(args):
    x, y = readings()
    x, x_val, y, y_val = train_test_split(x, y, test_size=0.3, stratify=y)
    print(f'{len(x)} parts to learn from, {int(y.sum())} of them defective')
    model, history = train(x, y, x_val, y_val, args.epochs, args.batch)
    for n, value in enumerate(history['val_f1']):
        print(f'epoch {n + 1:2d}  F1 of defective parts {float(np.squeeze(value)):.3f}')


if __name__ == '__main__':
    parser = argparse.ArgumentParser()
    parser.add_argument('--epochs', type=int, default=8)
    parser.add_argument('--batch', type=int, default=32)
    main(parser.parse_args())
