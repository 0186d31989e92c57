"""Find the address in the sender line of a mail: predict where it starts and ends."""

import pathlib
import re

import numpy as np
import torch
from torch import nn

MAILS = pathlib.Path("data/spam/easy-ham-1")
LENGTH = 48
ADDRESS = re.compile(r"[\w.+-]+@[\w.-]+")


def load_examples(mails=500):
    texts, starts, ends = [], [], []
    for path in sorted(MAILS.glob("*.txt"))[:mails]:
        for line in path.read_text(encoding="latin-1").splitlines():
            if line.startswith("From: "):
                text = line[len("From: ") :]
                found = ADDRESS.search(text)
                if found and len(text) <= LENGTH:
                    texts.append([min(ord(character), 127) for character in text.ljust(LENGTH)])
                    starts.append(found.start())
                    ends.append(found.end() - 1)
                break
    return torch.tensor(texts), torch.tensor(starts), torch.tensor(ends)


class SpanReader(nn.Module):
    def __init__(self, embedding=12, channels=24):
        super().__init__()
        self.embedding = nn.Embedding(128, embedding)
        self.layers = nn.Sequential(
            nn.Conv1d(embedding, channels, 5, padding=2),
            nn.ReLU(),
            nn.Conv1d(channels, channels, 5, padding=2),
            nn.ReLU(),
            nn.Conv1d(channels, 2, 1),
        )

    def forward(self, texts):
        scores = self.layers(self.embedding(texts).transpose(1, 2))
        return scores[:, 0], scores[:, 1]


def decode(start_scores, end_scores, top=1):
    """The positions of the best spans of each text, best first."""
    pred_s, pred_e = [], []
    starts, ends = start_scores.softmax(dim=1), end_scores.softmax(dim=1)
    joint = (starts.unsqueeze(2) * ends.unsqueeze(1)).triu().numpy()
    for scores in joint:
        best = np.argsort(-scores, axis=None)[:top]
        start, end = np.unravel_index(best, scores.shape)
        pred_s.append(start)
        pred_e.append(end)
    return pred_s, pred_e


def span_accuracies(pred_s, target_s, pred_e, target_e):
    """Percentage of texts with the right start, the right end, and exactly the right span."""
    start = end = exact = 0
    for i in range(len(pred_s)):
        if target_s[i].item() in pred_s[i]:
            start += 1
        if target_e[i].item() in pred_e[i]:
            end += 1
        if target_s[i] == pred_s[i] and target_e[i] == pred_e[i]:
            exact += 1
    return tuple(100 * count / len(pred_s) for count in (start, end, exact))


def train(model, texts, starts, ends, epochs=6, batch_size=32):
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    criterion = nn.CrossEntropyLoss()
    for epoch in range(epochs):
        total = 0.0
        for rows in torch.randperm(len(texts)).split(batch_size):
            optimizer.zero_grad()
            start_scores, end_scores = model(texts[rows])
            loss = criterion(start_scores, starts[rows]) + criterion(end_scores, ends[rows])
            loss.backward()
            optimizer.step()
            total += loss.item() * len(rows)
        print(f"epoch {epoch + 1}: loss {total / len(texts):.4f}")


def validate(model, texts, starts, ends):
    with torch.no_grad():
        pred_s, pred_e = decode(*model(texts))
    start, end, exact = span_accuracies(pred_s, starts, pred_e, ends)
    print(f"validation: start {start:.1f} %, end {end:.1f} %, exact match {exact:.1f} %")
    return start, end, exact


def main():
    texts, starts, ends = load_examples()
    split = len(texts) * 4 // 5
    model = SpanReader()
    train(model, texts[:split], starts[:split], ends[:split])
    validate(model, texts[split:], starts[split:], ends[split:])


if __name__ == "__main__":
    main()
