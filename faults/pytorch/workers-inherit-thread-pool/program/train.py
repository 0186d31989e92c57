"""Train a digit classifier, then measure in parallel how much noise it bears."""

from multiprocessing import Pool

import torch
from sklearn.datasets import load_digits
from torch import nn

THREADS = 2
WORKERS = 2
LEVELS = (0.1, 0.2, 0.4, 0.8)

network = nn.Sequential(nn.Linear(64, 96), nn.ReLU(), nn.Linear(96, 10))


def load_data():
    digits = load_digits()
    images = torch.tensor(digits.data / 16, dtype=torch.float32)
    return images, torch.tensor(digits.target)


def train(images, labels, epochs=3, batch_size=32):
    optimizer = torch.optim.Adam(network.parameters(), lr=0.01)
    criterion = nn.CrossEntropyLoss()
    for epoch in range(epochs):
        total = 0.0
        for rows in torch.randperm(len(images)).split(batch_size):
            optimizer.zero_grad()
            loss = criterion(network(images[rows]), labels[rows])
            loss.backward()
            optimizer.step()
            total += loss.item() * len(rows)
        print(f"epoch {epoch + 1}: loss {total / len(images):.3f}")


def accuracy_with_noise(level):
    """Accuracy of the trained network when Gaussian noise is added to the images."""
    images, labels = load_data()
    generator = torch.Generator().manual_seed(1)
    noisy = images + level * torch.randn(images.shape, generator=generator)
    with torch.no_grad():
        predicted = network(noisy).argmax(dim=1)
    return (predicted == labels).float().mean().item()


def measure(levels=LEVELS):
    with Pool(WORKERS) as workers:
        return workers.map(accuracy_with_noise, levels)


def main():
    images, labels = load_data()
    train(images, labels)

    torch.set_num_threads(THREADS)  # from here on all images go through the network at once
    print(f"accuracy {accuracy_with_noise(0.0):.3f}, now with noise", flush=True)
    results = measure()
    for level, accuracy in zip(LEVELS, results):
        print(f"noise {level:.1f}: accuracy {accuracy:.3f}")
    return results


if __name__ == "__main__":
    main()
