"""Variational autoencoder of handwritten digits with one latent Gaussian per class."""

import torch
from sklearn.datasets import load_digits
from torch import nn

from gaussian import Gaussian, kl_divergence


def build_scale(raw, k):
    """A lower triangular matrix with a positive diagonal from unconstrained numbers."""
    square = raw.view(-1, k, k)
    diagonal = nn.functional.softplus(square.diagonal(dim1=1, dim2=2)) + 1e-3
    return square.tril(diagonal=-1) + torch.diag_embed(diagonal)


class DigitVAE(nn.Module):
    def __init__(self, latent=24, hidden=64, classes=10):
        super().__init__()
        self.latent = latent
        self.encoder = nn.Sequential(nn.Linear(64, hidden), nn.ReLU())
        self.mean = nn.Linear(hidden, latent)
        self.scale = nn.Linear(hidden, latent * latent)
        self.decoder = nn.Sequential(nn.Linear(latent, hidden), nn.ReLU(), nn.Linear(hidden, 64))
        self.prior_mean = nn.Parameter(torch.randn(classes, latent))
        self.prior_scale = nn.Parameter(torch.eye(latent).repeat(classes, 1, 1))
        nn.init.normal_(self.scale.weight, std=0.01)

    def posterior(self, images):
        features = self.encoder(images)
        return Gaussian(self.mean(features), build_scale(self.scale(features), self.latent))

    def prior(self, labels):
        return Gaussian(self.prior_mean[labels], build_scale(self.prior_scale[labels], self.latent))

    def loss(self, images, labels):
        posterior = self.posterior(images)
        reconstruction = self.decoder(posterior.sample())
        error = nn.functional.binary_cross_entropy_with_logits(reconstruction, images, reduction="none")
        divergence = kl_divergence(posterior, self.prior(labels))
        return error.sum(dim=1).mean(), divergence.mean()


def load_data():
    digits = load_digits()
    return torch.tensor(digits.data / 16, dtype=torch.float32), torch.tensor(digits.target)


def train(model, images, labels, epochs=5, batch_size=128):
    optimizer = torch.optim.Adam(model.parameters(), lr=0.003)
    history = []
    for epoch in range(epochs):
        totals = torch.zeros(2)
        for rows in torch.randperm(len(images)).split(batch_size):
            optimizer.zero_grad()
            error, divergence = model.loss(images[rows], labels[rows])
            (error + divergence).backward()
            optimizer.step()
            totals += len(rows) * torch.stack([error.detach(), divergence.detach()])
        error, divergence = (totals / len(images)).tolist()
        history.append(error + divergence)
        print(f"epoch {epoch + 1}: reconstruction {error:.3f}, divergence {divergence:.3f}")
    return history


if __name__ == "__main__":
    train(DigitVAE(), *load_data())
