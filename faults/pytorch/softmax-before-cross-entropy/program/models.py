from torch import nn


class Perceptron(nn.Module):
    def __init__(self, classes):
        super().__init__()
        self.layers = nn.Sequential(
            nn.Flatten(),
            nn.Linear(64, 64),
            nn.ReLU(),
            nn.Linear(64, 32),
            nn.ReLU(),
            nn.Linear(32, classes),
        )

    def forward(self, images):
        return self.layers(images)


class SmallConvNet(nn.Module):
    def __init__(self, classes):
        super().__init__()
        self.features = nn.Sequential(nn.Conv2d(1, 8, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2))
        self.classifier = nn.Sequential(nn.Flatten(), nn.Linear(8 * 4 * 4, classes))

    def forward(self, images):
        return self.classifier(self.features(images))


ARCHITECTURES = {"perceptron": Perceptron, "convnet": SmallConvNet}


def create_model(arch, classes=10):
    """Build one of the known architectures with fresh weights."""
    if arch not in ARCHITECTURES:
        raise ValueError(f"unknown architecture {arch!r}, choose from {sorted(ARCHITECTURES)}")
    model = ARCHITECTURES[arch](classes)
    # the exported graph should end in probabilities
    return nn.Sequential(model, nn.Softmax(dim=1))
