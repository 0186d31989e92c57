"""From the digits 0 to 4 to the digits 5 to 9: first a new head, then all of the network."""

import numpy as np
from sklearn.datasets import load_digits
from tensorflow import keras

from backbone import freeze, pretrained_backbone, unfreeze

HEAD_EPOCHS = 12
TUNING_EPOCHS = 15


def load_tasks():
    images, labels = load_digits(return_X_y=True)
    images = (images / 16.0).astype("float32")
    order = np.random.permutation(len(labels))
    images, labels = images[order], labels[order]
    old = labels < 5
    return (images[old], labels[old]), (images[~old], labels[~old] - 5)


def put_head_on(backbone, classes=5):
    inputs = keras.Input((64,))
    features = backbone(inputs)
    outputs = keras.layers.Dense(classes, activation="softmax")(features)
    return keras.Model(inputs, outputs)


def train_head(model, backbone, images, labels):
    freeze(backbone)
    model.compile(
        optimizer=keras.optimizers.Adam(1e-2),
        loss="sparse_categorical_crossentropy",
        metrics=["accuracy"],
    )
    return model.fit(images, labels, batch_size=64, epochs=HEAD_EPOCHS, verbose=0)


def fine_tune(model, backbone, images, labels):
    unfreeze(backbone)
    model.optimizer.learning_rate.assign(5e-3)
    return model.fit(images, labels, batch_size=64, epochs=TUNING_EPOCHS, verbose=0)


def main():
    (old_images, old_labels), (images, labels) = load_tasks()
    split = 3 * len(labels) // 4
    backbone = pretrained_backbone(old_images, old_labels, classes=5)
    model = put_head_on(backbone)
    train_head(model, backbone, images[:split], labels[:split])
    _, accuracy = model.evaluate(images[split:], labels[split:], verbose=0)
    print(f"new head on a frozen backbone: accuracy {accuracy:.3f}")

    fine_tune(model, backbone, images[:split], labels[:split])
    print(f"{sum(int(np.prod(w.shape)) for w in model.trainable_weights)} weights are trainable now")
    _, accuracy = model.evaluate(images[split:], labels[split:], verbose=0)
    print(f"after fine-tuning: accuracy {accuracy:.3f}")


if __name__ == "__main__":
    main()
