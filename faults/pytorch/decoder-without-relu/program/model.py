import torch
from torch import nn


def squash(vectors):
    norm = vectors.norm(dim=-1, keepdim=True)
    return vectors * norm / (1.0 + norm ** 2)


class Capsules(nn.Module):
    """One capsule of `size` numbers per class."""

    def __init__(self, pixels, classes=10, size=3):
        super().__init__()
        self.classes, self.size = classes, size
        self.features = nn.Sequential(nn.Linear(pixels, 64), nn.ReLU())
        self.capsules = nn.Linear(64, classes * size)

    def forward(self, images):
        capsules = self.capsules(self.features(images))
        return squash(capsules.view(-1, self.classes, self.size))


class Decoder(nn.Module):
    """Rebuilds the image from the capsule of its class."""

    def __init__(self, pixels, size=3):
        super().__init__()
        self.fc1 = nn.Linear(size, 32)
        self.fc2 = nn.Linear(32, 64)
        self.fc3 = nn.Linear(64, pixels)

    def forward(self, capsules, labels):
        chosen = capsules[torch.arange(len(labels)), labels]
        x = self.fc1(chosen)
        x = self.fc2(x)
        return torch.sigmoid(self.fc3(x))


class CapsNet(nn.Module):
    def __init__(self, pixels):
        super().__init__()
        self.encoder = Capsules(pixels)
        self.decoder = Decoder(pixels)

    def forward(self, images, labels):
        return self.decoder(self.encoder(images), labels)
