"""Classify digits by reading them row by row."""
import torch
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split
from torch import nn, optim

from model import Classifier

EPOCHS = 6
BATCH_SIZE = 100


def load_data():
    digits = load_digits()
    images = torch.tensor(digits.images / 16.0, dtype=torch.float32)
    labels = torch.tensor(digits.target)
    train, test = train_test_split(range(len(labels)), test_size=0.25, random_state=0)
    return (images[train], labels[train]), (images[test], labels[test])


def train(images, labels, epochs=EPOCHS):
    model = Classifier(features=images.shape[2])
    criterion = nn.CrossEntropyLoss()
    optimizer = optim.Adam(model.parameters(), lr=2e-2)
    for epoch in range(epochs):
        model.train()
        total = 0.0
        for batch in torch.randperm(len(images)).split(BATCH_SIZE):
            optimizer.zero_grad()
            loss = criterion(model(images[batch]), labels[batch])
            loss.backward()
            optimizer.step()
            total += loss.item() * len(batch)
        if (epoch + 1) % 2 == 0:
            print(f"epoch {epoch + 1}  loss {total / len(images):.3f}")
    return model


@torch.no_grad()
def evaluate(model, images, labels):
    model.eval()
    return (model(images).argmax(dim=1) == labels).float().mean().item()


def main():
    training, testing = load_data()
    model = train(*training)
    print(f"test accuracy {evaluate(model, *testing):.3f}")


if __name__ == "__main__":
    main()
