"""Segment handwritten digits: which pixel belongs to which digit?"""

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset

import transforms

SIZE = 28
CLASSES = 11  # the background and ten digits


def read_mnist(part, count):
    with open(f"data/mnist/{part}-images-idx3-ubyte", "rb") as file:
        images = np.frombuffer(file.read(16 + count * SIZE * SIZE), np.uint8, offset=16)
    with open(f"data/mnist/{part}-labels-idx1-ubyte", "rb") as file:
        digits = np.frombuffer(file.read(8 + count), np.uint8, offset=8)
    images = torch.tensor(images.reshape(count, SIZE, SIZE) / 255, dtype=torch.float32)
    return images, torch.tensor(digits.astype(np.int64))


class DigitMasks(Dataset):
    """Images with a mask: 0 for paper, digit + 1 for the ink of a digit."""

    def __init__(self, part, count, transform=None):
        self.images, self.digits = read_mnist(part, count)
        self.transform = transform

    def __len__(self):
        return len(self.images)

    def __getitem__(self, index):
        image = self.images[index]
        mask = (image > 0.4).float() * (self.digits[index] + 1)
        if self.transform is not None:
            image, mask = self.transform(image, mask)
        return image[None], mask.round().long()


def augmentation():
    return transforms.Compose(
        transforms.RandomSizedCrop((20, 26), SIZE, p=0.8),
        transforms.Shift(2, p=0.5),
    )


class Segmenter(nn.Module):
    """Scores for paper from each pixel's surroundings, for digits from the whole image."""

    def __init__(self, hidden=128):
        super().__init__()
        self.paper = nn.Conv2d(1, 1, 3, padding=1)
        self.digit = nn.Sequential(
            nn.Flatten(), nn.Linear(SIZE * SIZE, hidden), nn.ReLU(), nn.Linear(hidden, CLASSES - 1)
        )

    def forward(self, images):
        digit = self.digit(images)[:, :, None, None].expand(-1, -1, SIZE, SIZE)
        return torch.cat([self.paper(images), digit], dim=1)


def train(model, loader, epochs):
    optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)
    criterion = nn.CrossEntropyLoss()
    for epoch in range(epochs):
        total = 0.0
        for images, masks in loader:
            optimizer.zero_grad()
            loss = criterion(model(images), masks)
            loss.backward()
            optimizer.step()
            total += loss.item() * len(images)
        print(f"epoch {epoch + 1}: loss {total / len(loader.dataset):.3f}")


@torch.no_grad()
def ink_accuracy(model, loader):
    """Share of the inked pixels that got the right digit."""
    right = inked = 0
    for images, masks in loader:
        ink = masks > 0
        right += (model(images).argmax(dim=1) == masks)[ink].sum().item()
        inked += ink.sum().item()
    return right / inked


def main():
    train_set = DigitMasks("train", 2000, augmentation())
    test_set = DigitMasks("t10k", 500)
    model = Segmenter()
    train(model, DataLoader(train_set, batch_size=50, shuffle=True), epochs=8)
    print(f"ink accuracy {ink_accuracy(model, DataLoader(test_set, batch_size=100)):.3f}")


if __name__ == "__main__":
    main()
