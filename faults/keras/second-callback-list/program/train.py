import argparse
import os

from tensorflow import keras

import words

WEIGHTS = "words.best.weights.h5"


def get_model():
    sound = keras.Input(shape=(words.FRAMES, words.BANDS))
    x = keras.layers.Flatten()(sound)
    x = keras.layers.Dense(96, activation="relu")(x)
    x = keras.layers.Dense(len(words.WORDS), activation="softmax")(x)
    model = keras.Model(sound, x)
    model.compile(
        loss="categorical_crossentropy",
        optimizer=keras.optimizers.Nadam(learning_rate=0.02),
        metrics=["accuracy"],
    )
    return model


def train(model, train_data, train_labels, val_data, val_labels, epochs=30, patience=5):
    """Train until it gets no better and leave the model with its best weights."""
    # checkpoint
    checkpoint = keras.callbacks.ModelCheckpoint(
        WEIGHTS, monitor="val_loss", save_best_only=True, save_weights_only=True
    )
    callbacks_list = [checkpoint]

    # stop when there is no progress any more
    earlystop = keras.callbacks.EarlyStopping(monitor="val_loss", patience=patience)
    callbacks_list = [earlystop]

    history = model.fit(
        train_data,
        train_labels,
        epochs=epochs,
        batch_size=20,
        validation_data=(val_data, val_labels),
        callbacks=callbacks_list,
        verbose=0,
    )
    model.load_weights(WEIGHTS)
    return history.history


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--samples", type=int, default=120)
    parser.add_argument("--epochs", type=int, default=30)
    args = parser.parse_args()

    model = get_model()
    held_back = words.speak(100)
    history = train(model, *words.speak(args.samples), *held_back, epochs=args.epochs)
    print("epochs:", len(history["val_loss"]))
    print("best validation loss: %.4f" % min(history["val_loss"]))
    loss, accuracy = model.evaluate(*held_back, verbose=0)
    print("loss of the best weights: %.4f, accuracy: %.3f" % (loss, accuracy))
    print("weights in", os.path.abspath(WEIGHTS))


if __name__ == "__main__":
    main()
