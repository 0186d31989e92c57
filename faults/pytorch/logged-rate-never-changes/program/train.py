"""Digit classifier with a learning rate that falls when the validation loss stalls."""

import torch
from sklearn.datasets import load_digits
from torch import nn
from torch.utils.data import DataLoader, TensorDataset, random_split


class History:
    """What happened in each epoch, for the log and for plots."""

    def __init__(self, optimizer):
        self.optimizer = optimizer
        self.train_loss, self.val_loss, self.lr = [], [], []

    def record(self, train_loss, val_loss):
        self.train_loss.append(train_loss)
        self.val_loss.append(val_loss)
        self.lr.append(self.optimizer.defaults["lr"])
        print(
            f"epoch {len(self.lr):2d}: lr {self.lr[-1]:.5f}, "
            f"train loss {train_loss:.4f}, validation loss {val_loss:.4f}"
        )


def load_data():
    digits = load_digits()
    images = torch.tensor(digits.data / 16, dtype=torch.float32)
    data = TensorDataset(images, torch.tensor(digits.target))
    return random_split(data, [1400, len(data) - 1400])


def build_model():
    return nn.Sequential(nn.Linear(64, 48), nn.ReLU(), nn.Dropout(0.1), nn.Linear(48, 10))


def run_epoch(model, loader, criterion, optimizer=None):
    model.train(optimizer is not None)
    total = 0.0
    with torch.set_grad_enabled(optimizer is not None):
        for images, labels in loader:
            loss = criterion(model(images), labels)
            if optimizer is not None:
                optimizer.zero_grad()
                loss.backward()
                optimizer.step()
            total += loss.item() * len(labels)
    return total / len(loader.dataset)


def fit(model, train_data, val_data, epochs=12, lr=0.5, batch_size=50):
    train_loader = DataLoader(train_data, batch_size=batch_size, shuffle=True)
    val_loader = DataLoader(val_data, batch_size=200)
    criterion = nn.CrossEntropyLoss()
    optimizer = torch.optim.SGD(model.parameters(), lr=lr, momentum=0.9)
    scheduler = torch.optim.lr_scheduler.ReduceLROnPlateau(optimizer, factor=0.2, patience=1, threshold=0.05)
    history = History(optimizer)
    for _ in range(epochs):
        train_loss = run_epoch(model, train_loader, criterion, optimizer)
        val_loss = run_epoch(model, val_loader, criterion)
        history.record(train_loss, val_loss)
        scheduler.step(val_loss)
    return history


def main():
    train_data, val_data = load_data()
    history = fit(build_model(), train_data, val_data)
    print(f"best validation loss {min(history.val_loss):.4f}, final learning rate {history.lr[-1]:.5f}")


if __name__ == "__main__":
    main()
