"""Character-level language model of mail subjects."""
import math
from pathlib import Path

import torch
from torch import nn, optim
from torch.nn import functional as F
from torch.nn.utils.rnn import pad_sequence

DATA = Path("data/spam/easy-ham-1")
PAD, START, END = 0, 1, 2
EPOCHS = 4
BATCH_SIZE = 32


def load_subjects(count=240):
    subjects = []
    for path in sorted(DATA.glob("*.txt"))[:count]:
        for line in path.read_text(encoding="latin-1").splitlines():
            if line.lower().startswith("subject:"):
                subjects.append(line[len("subject:"):].strip().lower())
                break
    return [subject for subject in subjects if subject]


def build_vocabulary(subjects):
    return {char: index for index, char in enumerate(sorted(set("".join(subjects))), start=END + 1)}


def encode(subject, vocabulary):
    return torch.tensor([START] + [vocabulary[char] for char in subject] + [END])


def collate(sequences):
    """Inputs and targets, both (batch, time), the targets one character ahead."""
    padded = pad_sequence(sequences, batch_first=True, padding_value=PAD)
    return padded[:, :-1], padded[:, 1:]


class CharModel(nn.Module):
    def __init__(self, vocabulary_size, hidden=48):
        super().__init__()
        self.embedding = nn.Embedding(vocabulary_size, 16, padding_idx=PAD)
        self.rnn = nn.GRU(16, hidden, batch_first=True)
        self.output = nn.Linear(hidden, vocabulary_size)

    def forward(self, characters):
        states, _ = self.rnn(self.embedding(characters))
        return self.output(states)


def sequence_loss(logits, targets):
    losses = F.cross_entropy(logits.flatten(0, 1), targets.flatten(), reduction="none")
    return losses.mean()


def train(sequences, vocabulary_size, epochs=EPOCHS):
    model = CharModel(vocabulary_size)
    optimizer = optim.Adam(model.parameters(), lr=1e-2)
    for epoch in range(epochs):
        total, batches = 0.0, torch.randperm(len(sequences)).split(BATCH_SIZE)
        for batch in batches:
            inputs, targets = collate([sequences[index] for index in batch])
            optimizer.zero_grad()
            loss = sequence_loss(model(inputs), targets)
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            total += loss.item()
        print(f"epoch {epoch + 1}  loss per character {total / len(batches):.3f}")
    return model


@torch.no_grad()
def perplexity(model, sequences):
    model.eval()
    inputs, targets = collate(sequences)
    return math.exp(sequence_loss(model(inputs), targets).item())


def main():
    subjects = load_subjects()
    vocabulary = build_vocabulary(subjects)
    sequences = [encode(subject, vocabulary) for subject in subjects]
    held_out = len(sequences) // 5
    model = train(sequences[held_out:], END + 1 + len(vocabulary))
    print(f"perplexity {perplexity(model, sequences[:held_out]):.2f}")


if __name__ == "__main__":
    main()
