import torch
from torch import nn
from torch.utils.data import DataLoader

from cases import Tumours


def train(model, loader, epochs=8):
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    criterion = nn.BCEWithLogitsLoss()
    for epoch in range(epochs):
        total = 0.0
        for measurements, reports in loader:
            optimizer.zero_grad()
            loss = criterion(model(measurements), reports)
            loss.backward()
            optimizer.step()
            total += loss.item() * len(reports)
        print(f"epoch {epoch + 1}: loss {total / len(loader.dataset):.3f}")


@torch.no_grad()
def accuracy(model, loader):
    right = 0
    for measurements, reports in loader:
        right += ((model(measurements) > 0) == (reports > 0.5)).sum().item()
    return right / len(loader.dataset)


def main():
    train_set, test_set = Tumours(train=True), Tumours(train=False)
    print(f"{len(train_set)} cases for training, {len(test_set)} for testing")
    model = nn.Sequential(nn.Linear(30, 16), nn.ReLU(), nn.Linear(16, 1))
    train(model, DataLoader(train_set, batch_size=32, shuffle=True))
    print(f"accuracy {accuracy(model, DataLoader(test_set, batch_size=64)):.3f}")


if __name__ == "__main__":
    main()
