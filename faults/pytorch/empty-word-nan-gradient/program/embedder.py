"""Word vectors as the average of the encoded pieces of each word."""

import torch
from torch import nn


class WordEmbedder(nn.Module):
    def __init__(self, number_of_pieces, dimension):
        super().__init__()
        self.pieces = nn.Embedding(number_of_pieces, dimension)
        self.encoder = nn.Sequential(nn.Linear(dimension, dimension), nn.Tanh())

    def forward(self, piece_ids, spans):
        """piece_ids: (batch, pieces); spans: (batch, words, 2), first piece and one past the last."""
        encoded = self.encoder(self.pieces(piece_ids))
        start, end = spans.unbind(dim=-1)
        steps = torch.arange(int((end - start).max()))
        index = start.unsqueeze(-1) + steps
        inside = (index < end.unsqueeze(-1)).unsqueeze(-1)

        batch, words, width = index.shape
        flat = index.clamp(max=piece_ids.size(1) - 1).view(batch, -1, 1)
        selected = encoded.gather(1, flat.expand(-1, -1, encoded.size(-1)))
        selected = selected.view(batch, words, width, -1) * inside

        total = selected.sum(dim=2)
        length = inside.sum(dim=2)
        vectors = total / length

        # words without a single known piece get a zero vector
        vectors[(length == 0).expand(vectors.shape)] = 0
        return vectors
