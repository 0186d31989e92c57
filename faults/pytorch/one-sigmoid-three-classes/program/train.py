"""Tell three classes of images apart."""
from pathlib import Path

import numpy as np
import torch
from torch import nn, optim

DATA = Path("data/mnist")
CLASSES = (0, 1, 2)
BATCH_SIZE = 16
EPOCHS = 2


def read(images_name, labels_name, count):
    labels = np.fromfile(DATA / labels_name, dtype=np.uint8, count=8 + count)[8:]
    pixels = np.fromfile(DATA / images_name, dtype=np.uint8, count=16 + count * 784)[16:]
    chosen = np.isin(labels, CLASSES)
    images = pixels.reshape(-1, 1, 28, 28)[chosen].astype(np.float32) / 255
    return torch.from_numpy(images), torch.from_numpy(labels[chosen].astype(np.int64))


def load_data():
    training = read("train-images-idx3-ubyte", "train-labels-idx1-ubyte", 2000)
    validation = read("t10k-images-idx3-ubyte", "t10k-labels-idx1-ubyte", 1000)
    return training, validation


def build_model():
    return nn.Sequential(
        nn.Conv2d(1, 8, 3),
        nn.ReLU(),
        nn.MaxPool2d(2),
        nn.Conv2d(8, 8, 3),
        nn.ReLU(),
        nn.MaxPool2d(2),
        nn.Flatten(),
        nn.Linear(8 * 5 * 5, 32),
        nn.ReLU(),
        nn.Dropout(0.5),
        nn.Linear(32, 1),
        nn.Sigmoid(),
        nn.Flatten(0),
    )


@torch.no_grad()
def predict(model, images):
    model.eval()
    return (model(images) > 0.5).long()


def accuracy(model, images, labels):
    return (predict(model, images) == labels).float().mean().item()


def train(training, validation, epochs=EPOCHS):
    images, labels = training
    model = build_model()
    criterion = nn.BCELoss()
    optimizer = optim.RMSprop(model.parameters(), lr=1e-3)
    for epoch in range(epochs):
        model.train()
        total = 0.0
        for batch in torch.randperm(len(images)).split(BATCH_SIZE):
            optimizer.zero_grad()
            loss = criterion(model(images[batch]), labels[batch].float())
            loss.backward()
            optimizer.step()
            total += loss.item() * len(batch)
        score = accuracy(model, *validation)
        print(f"epoch {epoch + 1}  loss {total / len(images):.3f}  validation accuracy {score:.3f}")
    return model


def main():
    training, validation = load_data()
    model = train(training, validation)
    print("predicted:", torch.bincount(predict(model, validation[0]), minlength=len(CLASSES)).tolist())
    print("expected: ", torch.bincount(validation[1], minlength=len(CLASSES)).tolist())


if __name__ == "__main__":
    main()
