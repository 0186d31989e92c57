"""A convolutional network for sentences (Kim, 2014)."""

import torch
from torch import nn
from torch.nn import functional as F

from data import PAD


class SentenceCNN(nn.Module):
    """Word vectors, convolutions of several widths, the maximum over time, dropout, a dense layer."""

    def __init__(self, words, dimension=48, filters=32, widths=(3, 4, 5), classes=2, dropout=0.5):
        super().__init__()
        self.embedding = nn.Embedding(words, dimension, padding_idx=PAD)
        self.convolutions = nn.ModuleList(
            [nn.Conv1d(dimension, filters, width, padding=width - 1) for width in widths]
        )
        self.dropout = nn.Dropout(dropout)
        self.dense = nn.Linear(filters * len(widths), classes)
        self.reset_parameters()

    def reset_parameters(self):
        nn.init.uniform_(self.embedding.weight, -0.25, 0.25)
        with torch.no_grad():
            self.embedding.weight[PAD].fill_(0)
        for convolution in self.convolutions:
            nn.init.kaiming_uniform_(convolution.weight, nonlinearity="relu")
            nn.init.zeros_(convolution.bias)
        nn.init.xavier_uniform_(self.dense.weight)
        nn.init.zeros_(self.dense.bias)

    def forward(self, indices):
        vectors = self.embedding(indices).transpose(1, 2)
        features = [F.relu(convolution(vectors)).amax(dim=2) for convolution in self.convolutions]
        return self.dense(self.dropout(torch.cat(features, dim=1)))


def count_parameters(model):
    return sum(parameter.numel() for parameter in model.parameters() if parameter.requires_grad)
