"""Multivariate normal distributions with full covariance, in batches."""

import functools

import torch


class Gaussian:
    def __init__(self, mean, scale_tril):
        self.mean = mean  # (batch, k)
        self.scale_tril = scale_tril  # (batch, k, k), lower triangular

    @functools.cached_property
    def covariance(self):
        return self.scale_tril @ self.scale_tril.transpose(1, 2)

    @functools.cached_property
    def precision(self):
        return torch.cholesky_inverse(self.scale_tril)

    @functools.cached_property
    def log_det(self):
        return 2 * self.scale_tril.diagonal(dim1=1, dim2=2).log().sum(dim=1)

    def sample(self):
        noise = torch.randn_like(self.mean).unsqueeze(2)
        return self.mean + (self.scale_tril @ noise).squeeze(2)


def kl_divergence(p, q):
    """KL(p || q) for each pair of the batch."""
    k = p.mean.size(1)
    trace = torch.matmul(q.precision, p.covariance).diagonal(dim1=1, dim2=2).sum(dim=1)
    difference = (q.mean - p.mean).unsqueeze(2)
    distance = (difference * (q.precision @ difference)).sum(dim=(1, 2))
    return 0.5 * (trace + distance - k + q.log_det - p.log_det)
