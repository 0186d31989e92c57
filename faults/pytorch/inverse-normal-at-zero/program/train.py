"""Bayesian network for the diabetes data, fitted by variational inference.

The expected error under the posterior is estimated with quasi-random weights.
"""

import torch
from sklearn.datasets import load_diabetes
from torch import nn

from qmc import NormalQMCEngine

NOISE = 0.7


def load_data():
    data = load_diabetes()
    x = torch.tensor(data.data, dtype=torch.float32)
    y = torch.tensor(data.target, dtype=torch.float32)
    x = (x - x.mean(dim=0)) / x.std(dim=0)
    y = (y - y.mean()) / y.std()
    order = torch.randperm(len(x), generator=torch.Generator().manual_seed(3))
    train_rows, test_rows = order[:330], order[330:]
    return x[train_rows], y[train_rows], x[test_rows], y[test_rows]


class BayesianNetwork(nn.Module):
    """One hidden layer; all weights have independent normal posteriors."""

    def __init__(self, inputs, hidden=6):
        super().__init__()
        self.shapes = [(inputs, hidden), (1, hidden), (hidden, 1), (1, 1)]
        size = sum(rows * columns for rows, columns in self.shapes)
        self.mean = nn.Parameter(0.1 * torch.randn(size))
        self.log_std = nn.Parameter(torch.full((size,), -3.0))
        self.sampler = NormalQMCEngine(size)

    def sample_weights(self, count):
        noise = self.sampler.draw(count, dtype=self.mean.dtype)
        return self.mean + self.log_std.exp() * noise

    def forward(self, x, count=16):
        weights = self.sample_weights(count)
        parts, start = [], 0
        for rows, columns in self.shapes:
            parts.append(weights[:, start : start + rows * columns].view(count, rows, columns))
            start += rows * columns
        w1, b1, w2, b2 = parts
        return ((torch.tanh(x @ w1 + b1)) @ w2 + b2).squeeze(-1)

    def kl_to_prior(self):
        variance = (2 * self.log_std).exp()
        return 0.5 * (variance + self.mean**2 - 1 - 2 * self.log_std).sum()


def train(model, x, y, steps=150):
    optimizer = torch.optim.Adam(model.parameters(), lr=0.03)
    history = []
    for step in range(steps):
        optimizer.zero_grad()
        error = (model(x) - y).pow(2).mean(dim=0).sum() / (2 * NOISE**2)
        loss = (error + model.kl_to_prior()) / len(x)
        loss.backward()
        optimizer.step()
        history.append(loss.item())
        if step % 30 == 0:
            print(f"step {step}: negative evidence bound {history[-1]:.4f}")
    return history


def evaluate(model, x, y):
    with torch.no_grad():
        predictions = model(x, count=64)
    return (predictions.mean(dim=0) - y).pow(2).mean().sqrt().item()


def main():
    x, y, test_x, test_y = load_data()
    model = BayesianNetwork(x.size(1))
    train(model, x, y)
    print(f"test error {evaluate(model, test_x, test_y):.3f} standard deviations")


if __name__ == "__main__":
    main()
