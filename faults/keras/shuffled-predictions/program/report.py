import numpy as np
from sklearn.datasets import load_digits
from sklearn.metrics import confusion_matrix
from tensorflow import keras

from batches import DigitBatches


def read_folders():
    """Two sets of folders, one to learn from and one to test with."""
    digits = load_digits()
    learning, testing = {}, {}
    for digit in range(10):
        scans = digits.images[digits.target == digit].astype("float32")
        learning[str(digit)], testing[str(digit)] = scans[:120], scans[120:]
    return learning, testing


def build():
    model = keras.Sequential([
        keras.Input((8, 8, 1)),
        keras.layers.Conv2D(12, 3, activation="relu"),
        keras.layers.MaxPooling2D(),
        keras.layers.Flatten(),
        keras.layers.Dense(48, activation="relu"),
        keras.layers.Dense(10, activation="softmax"),
    ])
    model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
    return model


def learn(learning, epochs=16):
    model = build()
    model.fit(DigitBatches(learning), epochs=epochs, verbose=0)
    return model


def report(model, testing):
    """Accuracy according to Keras, and how often each digit was taken for which."""
    test_batches = DigitBatches(testing)
    _, accuracy = model.evaluate(test_batches, verbose=0)
    predicted = model.predict(test_batches, verbose=0).argmax(axis=1)
    return accuracy, confusion_matrix(test_batches.classes, predicted, labels=range(10))


def main():
    learning, testing = read_folders()
    accuracy, confusion = report(learn(learning), testing)
    print(f"accuracy {accuracy:.3f}")
    print(confusion)
    for digit, row in enumerate(confusion):
        print(f"digit {digit}: {row[digit]} of {row.sum()} recognised")


if __name__ == "__main__":
    main()
