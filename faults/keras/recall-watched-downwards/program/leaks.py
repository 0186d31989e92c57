"""Find leaking pipes from pressure and flow features. Leaks are rare, so what counts is recall."""

import numpy as np
import tensorflow as tf
from sklearn.datasets import make_classification

EPOCHS = 30


def make_survey(n=4000):
    features, leaks = make_classification(
        n_samples=n, n_features=12, n_informative=6, n_redundant=2, n_clusters_per_class=2,
        weights=[0.92], flip_y=0.0, class_sep=1.6, random_state=21,
    )
    features = (features / features.std(axis=0)).astype("float32")
    leaks = leaks.astype("float32").reshape(-1, 1)
    cut = [n // 2, n * 3 // 4]
    return list(zip(np.split(features, cut), np.split(leaks, cut)))


def make_model(leaks):
    """A small network that starts from the share of leaks in the survey."""
    share = leaks.mean()
    model = tf.keras.Sequential([
        tf.keras.Input(shape=(12,)),
        tf.keras.layers.Dense(32, activation="relu"),
        tf.keras.layers.Dense(
            1, activation="sigmoid", kernel_initializer="zeros",
            bias_initializer=tf.keras.initializers.Constant(np.log(share / (1 - share))),
        ),
    ])
    model.compile(
        optimizer=tf.keras.optimizers.Adam(0.002),
        loss="binary_crossentropy",
        metrics=[tf.keras.metrics.Recall(name="recall")],
    )
    return model


def fit(model, train, validation, epochs=EPOCHS):
    watch = tf.keras.callbacks.EarlyStopping(monitor="val_recall", patience=6, restore_best_weights=True)
    return model.fit(
        *train, validation_data=validation, epochs=epochs, batch_size=64, callbacks=[watch], verbose=0
    ).history


def found(model, features, leaks):
    """Share of the leaks that the model finds."""
    flagged = model.predict(features, verbose=0) > 0.5
    return float(flagged[leaks == 1].mean())


if __name__ == "__main__":
    train, validation, test = make_survey()
    model = make_model(train[1])
    history = fit(model, train, validation)
    print(len(history["loss"]), "epochs")
    print("validation recall by epoch:", " ".join(f"{value:.2f}" for value in history["val_recall"]))
    print(f"leaks found in the test pipes: {found(model, *test):.1%}")
