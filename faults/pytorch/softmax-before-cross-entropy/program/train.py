import argparse

import torch
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split
from torch import nn, optim

from models import create_model

EPOCHS = 10
BATCH_SIZE = 64


def load_data():
    digits = load_digits()
    images = torch.tensor(digits.images / 16.0, dtype=torch.float32).unsqueeze(1)
    labels = torch.tensor(digits.target)
    train, test = train_test_split(range(len(labels)), test_size=0.25, random_state=1)
    return (images[train], labels[train]), (images[test], labels[test])


def train_epoch(model, images, labels, criterion, optimizer):
    model.train()
    total = 0.0
    for batch in torch.randperm(len(images)).split(BATCH_SIZE):
        optimizer.zero_grad()
        output = model(images[batch])
        loss = criterion(output, labels[batch])
        loss.backward()
        optimizer.step()
        total += loss.item() * len(batch)
    return total / len(images)


@torch.no_grad()
def evaluate(model, images, labels):
    model.eval()
    return (model(images).argmax(dim=1) == labels).float().mean().item()


def run(arch="perceptron", epochs=EPOCHS, lr=0.05):
    training, testing = load_data()
    model = create_model(arch)
    criterion = nn.CrossEntropyLoss()
    optimizer = optim.SGD(model.parameters(), lr=lr, momentum=0.9)
    losses = []
    for epoch in range(epochs):
        losses.append(train_epoch(model, *training, criterion, optimizer))
        if (epoch + 1) % 5 == 0:
            print(f"epoch {epoch + 1:2d}  loss {losses[-1]:.3f}")
    accuracy = evaluate(model, *testing)
    print(f"test accuracy {accuracy:.3f}")
    return model, losses, accuracy


def main():
    parser = argparse.ArgumentParser(description="Train a digit classifier")
    parser.add_argument("--arch", default="perceptron")
    parser.add_argument("--epochs", type=int, default=EPOCHS)
    parser.add_argument("--lr", type=float, default=0.05)
    arguments = parser.parse_args()
    run(arguments.arch, arguments.epochs, arguments.lr)


if __name__ == "__main__":
    main()
