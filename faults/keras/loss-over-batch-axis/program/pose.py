"""Estimate five joint angles of an arm from the readings of stretch sensors.

Recordings differ in quality, so each window has a weight with which it counts.
"""
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers

SENSORS, JOINTS, STEPS = 8, 5, 12


def euclidean_distance(true, predicted):
    """Distance between the true and the predicted vector of angles."""
    return tf.sqrt(tf.reduce_sum(tf.square(predicted - true), axis=0) + 1e-9)


class ArmPose(keras.Model):
    def __init__(self, units=32):
        super().__init__()
        self.flatten = layers.Flatten()
        self.hidden = layers.Dense(units, activation="relu")
        self.angles = layers.Dense(JOINTS)

    def call(self, windows):
        return self.angles(self.hidden(self.flatten(windows)))


def make_model(rate=8e-3):
    model = ArmPose()
    model.compile(optimizer=keras.optimizers.Adam(rate), loss=euclidean_distance)
    return model
