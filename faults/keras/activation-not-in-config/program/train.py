import sys

from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split
from tensorflow import keras

from mixer import make_mixer


def load_data():
    digits = load_digits()
    images = (digits.images[..., None] / 16).astype("float32")
    return train_test_split(images, digits.target, test_size=0.25, random_state=2)


def train(images, labels, epochs=10):
    model = make_mixer()
    model.compile(keras.optimizers.Adam(4e-3), "sparse_categorical_crossentropy", metrics=["accuracy"])
    model.fit(images, labels, batch_size=32, epochs=epochs, verbose=0)
    return model


def main(path="digits.keras"):
    images, test_images, labels, test_labels = load_data()
    model = train(images, labels)
    loss, accuracy = model.evaluate(test_images, test_labels, verbose=0)
    print(f"trained: loss {loss:.3f}, accuracy {accuracy:.3f}")
    model.save(path)


if __name__ == "__main__":
    main(*sys.argv[1:])
