"""A recurrent network that reads a text word by word."""

import torch
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence

from data import PAD


class SequenceGRU(nn.Module):
    """Word vectors, a GRU in both directions, a dense layer on its two last states."""

    def __init__(self, words, dimension=32, hidden=32, classes=2, dropout=0.2):
        super().__init__()
        self.embedding = nn.Embedding(words, dimension, padding_idx=PAD)
        self.gru = nn.GRU(dimension, hidden, batch_first=True, bidirectional=True)
        self.dropout = nn.Dropout(dropout)
        self.dense = nn.Linear(2 * hidden, classes)
        self.reset_parameters()

    def reset_parameters(self):
        for name, parameter in self.gru.named_parameters():
            if "weight_hh" in name:
                nn.init.orthogonal_(parameter)
            elif "weight_ih" in name:
                nn.init.xavier_uniform_(parameter)
            else:
                nn.init.zeros_(parameter)

    def forward(self, rows, lengths):
        packed = pack_padded_sequence(
            self.embedding(rows), lengths, batch_first=True, enforce_sorted=False
        )
        _, states = self.gru(packed)
        return self.dense(self.dropout(torch.cat((states[0], states[1]), dim=1)))
