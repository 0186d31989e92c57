import numpy as np
from tensorflow import keras

import prepare


def create():
    return keras.Sequential([
        keras.layers.Input(shape=(8, 8, 1)),
        keras.layers.Conv2D(16, (3, 3), padding="same"),
        keras.layers.MaxPooling2D(pool_size=(2, 2)),
        keras.layers.Conv2D(16, (3, 3), padding="same"),
        keras.layers.MaxPooling2D(pool_size=(2, 2)),
        keras.layers.Flatten(),
        keras.layers.Dense(48, activation="relu"),
        keras.layers.Dense(10, activation="softmax"),
    ])


def train(epochs=6):
    training, testing = prepare.load()
    x_train, y_train = prepare.scale(training)
    x_test, y_test = prepare.scale(testing)

    model = create()
    model.compile(
        optimizer=keras.optimizers.Adam(0.004),
        loss="sparse_categorical_crossentropy",
        metrics=["accuracy"],
    )
    model.fit(x_train, y_train, epochs=epochs, batch_size=32, verbose=0)
    loss, accuracy = model.evaluate(x_test, y_test, verbose=0)
    print("test loss: %.4f  test accuracy: %.3f" % (loss, accuracy))
    return model


def recognise(model, images):
    """The digits on images with brightness from 0 to 16."""
    scores = model.predict(images[..., None] / prepare.BRIGHTEST, verbose=0)
    return np.argmax(scores, axis=1)


if __name__ == "__main__":
    network = train()
    _, (images, digits) = prepare.load(test_size=12)
    print("digits:    ", digits.astype(int))
    print("recognised:", recognise(network, images))
