import numpy as np
import tensorflow as tf
from sklearn.metrics import classification_report, confusion_matrix
from sklearn.preprocessing import LabelBinarizer, MinMaxScaler

KINDS = ["meadow", "forest", "water", "field", "town"]


def pixels(n):
    """Reflectance of n pixels in six bands, and what covers the ground there."""
    typical = np.random.RandomState(4).uniform(0.1, 0.9, (len(KINDS), 6))
    kind = np.random.choice(len(KINDS), n, p=[0.3, 0.3, 0.1, 0.2, 0.1])
    bands = typical[kind] + np.random.normal(0, 0.09, (n, 6))
    return bands, np.array(KINDS)[kind]


class CoverClassifier:
    def __init__(self, hidden=20, epochs=20):
        self.hidden, self.epochs = hidden, epochs
        self.scaler = MinMaxScaler()
        self.binarizer = LabelBinarizer()

    def fit(self, bands, kinds):
        x = self.scaler.fit_transform(bands)
        y = self.binarizer.fit_transform(kinds)
        self.model = tf.keras.Sequential([
            tf.keras.Input((x.shape[1],)),
            tf.keras.layers.Dense(self.hidden, activation="relu"),
            tf.keras.layers.Dense(y.shape[1], activation="softmax"),
        ])
        self.model.compile(tf.keras.optimizers.Adam(0.01), loss="categorical_crossentropy", metrics=["accuracy"])
        self.model.fit(x, y, epochs=self.epochs, batch_size=64, verbose=0)
        return self

    def predict(self, bands):
        return self.model.predict(self.scaler.transform(bands), verbose=0)

    def assess(self, bands, kinds):
        """Confusion matrix (rows are what is there) and a report as text."""
        y_test = self.binarizer.transform(kinds)
        y_pred = self.predict(bands)
        matrix = confusion_matrix(y_test, y_pred)
        report = classification_report(y_test, y_pred, target_names=list(self.binarizer.classes_))
        return matrix, report


def main():
    classifier = CoverClassifier().fit(*pixels(1500))
    matrix, report = classifier.assess(*pixels(500))
    print(" ".join(classifier.binarizer.classes_))
    print(matrix)
    print(report)


if __name__ == "__main__":
    main()
