"""Tell spam from legitimate mail by the first words of the body."""

import collections
import pathlib
import re

import torch
from torch import nn

from embedder import WordEmbedder

ROOT = pathlib.Path("data/spam")
WORDS = 40


def read_mails(folder, count):
    mails = []
    for path in sorted((ROOT / folder).glob("*.txt"))[:count]:
        body = path.read_text(encoding="latin-1").partition("\n\n")[2]
        words = re.sub(r"<[^>]*>", " ", body).lower().split()[:WORDS]
        if words:
            mails.append(words)
    return mails


def trigrams(word):
    marked = f"^{word}$"
    return [marked[position : position + 3] for position in range(len(marked) - 2)]


def build_pieces(mails, size=800):
    counts = collections.Counter(piece for words in mails for word in words for piece in trigrams(word))
    return {piece: number for number, (piece, _) in enumerate(counts.most_common(size))}


def encode(words, pieces, limit=6):
    ids, spans = [], []
    for word in words:
        known = [pieces[piece] for piece in trigrams(word) if piece in pieces][:limit]
        spans.append((len(ids), len(ids) + len(known)))
        ids.extend(known)
    return ids, spans


def collate(samples):
    longest = max(len(ids) for ids, _ in samples)
    most = max(len(spans) for _, spans in samples)
    piece_ids = torch.tensor([ids + [0] * (longest - len(ids)) for ids, _ in samples])
    spans = torch.tensor([spans + [(0, 0)] * (most - len(spans)) for _, spans in samples])
    return piece_ids, spans


class SpamFilter(nn.Module):
    def __init__(self, number_of_pieces, dimension=32):
        super().__init__()
        self.embedder = WordEmbedder(number_of_pieces, dimension)
        self.out = nn.Linear(dimension, 2)

    def forward(self, piece_ids, spans):
        return self.out(self.embedder(piece_ids, spans).sum(dim=1) / WORDS ** 0.5)


def load(count=150):
    ham, spam = read_mails("easy-ham-1", count), read_mails("spam-1", count)
    labels = torch.tensor([0] * len(ham) + [1] * len(spam))
    pieces = build_pieces(ham + spam)
    return [encode(words, pieces) for words in ham + spam], labels, len(pieces)


def train(model, samples, labels, epochs=8, batch_size=32):
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    criterion = nn.CrossEntropyLoss()
    history = []
    for epoch in range(epochs):
        total = 0.0
        for rows in torch.randperm(len(samples)).split(batch_size):
            optimizer.zero_grad()
            loss = criterion(model(*collate([samples[row] for row in rows])), labels[rows])
            loss.backward()
            optimizer.step()
            total += loss.item() * len(rows)
        history.append(total / len(samples))
        print(f"epoch {epoch + 1}: loss {history[-1]:.4f}")
    return history


def accuracy(model, samples, labels):
    with torch.no_grad():
        return (model(*collate(samples)).argmax(dim=1) == labels).float().mean().item()


def main():
    samples, labels, number_of_pieces = load()
    held_out = torch.arange(len(samples)) % 4 == 0
    model = SpamFilter(number_of_pieces)
    train(model, [sample for sample, out in zip(samples, held_out) if not out], labels[~held_out])
    kept = [sample for sample, out in zip(samples, held_out) if out]
    print(f"held-out accuracy {accuracy(model, kept, labels[held_out]):.3f}")


if __name__ == "__main__":
    main()
