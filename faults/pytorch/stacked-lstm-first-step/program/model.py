import torch
from torch import nn


def run_lstm(cell, inputs):
    """Run a cell over (steps, samples, features); return its hidden and its cell states."""
    h = inputs.new_zeros(inputs.shape[1], cell.hidden_size)
    c = torch.zeros_like(h)
    hidden, cells = [], []
    for step in inputs:
        h, c = cell(step, (h, c))
        hidden.append(h)
        cells.append(c)
    return torch.stack(hidden), torch.stack(cells)


class SequenceEncoder(nn.Module):
    """Two LSTM layers; the code of a sequence is the last hidden state of the upper one."""

    def __init__(self, features, hidden):
        super().__init__()
        self.lower = nn.LSTMCell(features, hidden)
        self.upper = nn.LSTMCell(hidden, hidden)

    def forward(self, sequences):
        lower = run_lstm(self.lower, sequences)
        # (steps, samples, hidden)
        upper_inputs = torch.stack([state[0] for state in lower])
        upper, _ = run_lstm(self.upper, upper_inputs)
        return upper[-1]


class Classifier(nn.Module):
    def __init__(self, features=8, hidden=32, classes=10):
        super().__init__()
        self.encoder = SequenceEncoder(features, hidden)
        self.output = nn.Linear(hidden, classes)

    def forward(self, images):
        return self.output(self.encoder(images.transpose(0, 1)))
