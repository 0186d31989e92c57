import torch
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split
from torch import nn, optim

from model import CapsNet

EPOCHS = 32
BATCH_SIZE = 128


def load_data():
    digits = load_digits()
    images = torch.tensor(digits.data / 16.0, dtype=torch.float32)
    labels = torch.tensor(digits.target)
    train, test = train_test_split(range(len(labels)), test_size=0.25, random_state=0)
    return (images[train], labels[train]), (images[test], labels[test])


def train(images, labels, epochs=EPOCHS):
    model = CapsNet(pixels=images.shape[1])
    optimizer = optim.Adam(model.parameters(), lr=1.5e-2)
    criterion = nn.MSELoss()
    for epoch in range(epochs):
        model.train()
        total = 0.0
        for batch in torch.randperm(len(images)).split(BATCH_SIZE):
            optimizer.zero_grad()
            loss = criterion(model(images[batch], labels[batch]), images[batch])
            loss.backward()
            optimizer.step()
            total += loss.item() * len(batch)
        if (epoch + 1) % 8 == 0:
            print(f"epoch {epoch + 1:2d}  reconstruction loss {total / len(images):.4f}")
    return model


@torch.no_grad()
def reconstruction_error(model, images, labels):
    model.eval()
    return nn.functional.mse_loss(model(images, labels), images).item()


def main():
    training, testing = load_data()
    model = train(*training)
    print(f"test reconstruction error {reconstruction_error(model, *testing):.4f}")


if __name__ == "__main__":
    main()
