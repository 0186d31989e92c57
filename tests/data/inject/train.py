"""A small classifier of digits that does what training programs usually do."""

import random

import numpy as np
import torch
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split
from sklearn.preprocessing import StandardScaler
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

random.seed(1)
np.random.seed(1)
torch.manual_seed(1)
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


class Net(nn.Module):
    def __init__(self, classes):
        super().__init__()
        self.fc1 = nn.Linear(64, 32)
        self.norm = nn.BatchNorm1d(32)
        self.fc2 = nn.Linear(32, 32)
        self.drop = nn.Dropout(0.2)
        self.fc3 = nn.Linear(32, classes)

    def forward(self, x):
        x = torch.relu(self.norm(self.fc1(x)))
        x = x + torch.relu(self.fc2(x))
        return self.fc3(self.drop(x))


def evaluate(model, loader, criterion):
    model.eval()
    total, right, seen = 0.0, 0, 0
    with torch.no_grad():
        for x, y in loader:
            x, y = x.to(device), y.to(device)
            output = model(x)
            total += criterion(output, y).item() * len(y)
            right += (output.argmax(dim=1) == y).sum().cpu().item()
            seen += len(y)
    return total / seen, right / seen


digits = load_digits()
data = digits.data[:600] / 16
x_train, x_test, y_train, y_test = train_test_split(data, digits.target[:600], test_size=0.4, random_state=1)
scaler = StandardScaler()
x_train = scaler.fit_transform(x_train)
x_test = scaler.transform(x_test)
x_train = torch.from_numpy(x_train).float()
x_test = torch.from_numpy(x_test).float()
y_train = torch.tensor(y_train, dtype=torch.long)
y_test = torch.from_numpy(y_test).long()

train_loader = DataLoader(TensorDataset(x_train, y_train), batch_size=32, shuffle=True)
val_loader = DataLoader(TensorDataset(x_test[:120], y_test[:120]), batch_size=64)
test_loader = DataLoader(TensorDataset(x_test[120:], y_test[120:]), batch_size=64)

model = Net(classes=10)
model.to(device)
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.Adam(model.parameters(), lr=0.01, weight_decay=1e-4)
scheduler = torch.optim.lr_scheduler.StepLR(optimizer, step_size=2, gamma=0.5)
patience = 3
best, best_weights, waited = float("inf"), None, 0
for epoch in range(4):
    model.train()
    epoch_loss = 0.0
    for x, y in train_loader:
        x, y = x.to(device), y.to(device)
        optimizer.zero_grad()
        loss = criterion(model(x), y)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 5.0)
        optimizer.step()
        epoch_loss += loss.item() * len(y)
    scheduler.step()
    val_loss, val_accuracy = evaluate(model, val_loader, criterion)
    print(f"epoch {epoch} loss {epoch_loss:.4f} validation {val_loss:.4f} {val_accuracy:.4f}")
    if val_loss < best or best_weights is None:
        best, waited = val_loss, 0
        best_weights = {name: value.clone() for name, value in model.state_dict().items()}
    else:
        waited += 1
        if waited >= patience:
            break

torch.save(best_weights, "best.pt")
model.load_state_dict(torch.load("best.pt"))
print("accuracy", evaluate(model, test_loader, criterion)[1])
