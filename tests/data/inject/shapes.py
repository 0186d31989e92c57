"""A convolutional and a recurrent model on the same pictures, with the usual changes of shape."""

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
from sklearn.datasets import load_digits
from torch.utils.data import DataLoader, Dataset

torch.manual_seed(1)


class Digits(Dataset):
    def __init__(self, images, labels):
        self.images, self.labels = images, labels

    def __len__(self):
        return len(self.labels)

    def __getitem__(self, row):
        return self.images[row], self.labels[row]


class Rows(nn.Module):
    def __init__(self):
        super().__init__()
        self.rnn = nn.GRU(8, 12, batch_first=True)
        self.head = nn.Linear(12, 1)

    def forward(self, x):
        out, _ = self.rnn(x.squeeze(1))
        return self.head(out[:, -1]).squeeze(1)


pictures = load_digits()
pixels = np.asarray(pictures.images[:240], dtype=np.float32)
mean, std = pixels.mean(), pixels.std()
pixels = (pixels - mean) / std
images = torch.from_numpy(pixels[:, :, :, None]).permute(0, 3, 1, 2)
train_set = Digits(images, torch.from_numpy(pictures.target[:240]).long())
train_loader = DataLoader(train_set, batch_size=24, shuffle=True)

model = nn.Sequential(
    nn.Conv2d(1, 6, 3, padding=1, bias=False),
    nn.BatchNorm2d(6),
    nn.ReLU(),
    nn.Conv2d(6, 6, 3, padding=1),
    nn.Tanh(),
    nn.MaxPool2d(2),
    nn.AvgPool2d(2),
    nn.Flatten(),
    nn.Linear(24, 16),
    nn.ReLU(),
    nn.Dropout(0.1),
    nn.Linear(16, 10),
    nn.LogSoftmax(dim=1),
)
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
for epoch in range(2):
    for x, y in train_loader:
        optimizer.zero_grad()
        loss = F.nll_loss(model(x), y)
        loss.backward()
        optimizer.step()
    print("pictures", epoch, loss.item())

rows = Rows()
optimizer = torch.optim.Adam(rows.parameters())
for epoch in range(2):
    for x, y in train_loader:
        optimizer.zero_grad()
        loss = F.mse_loss(rows(x), y.float())
        loss.backward()
        optimizer.step()
    print("rows", epoch, loss.item())
