"""Next-character model of mail subjects, trained on padded batches."""

import pathlib

import torch
from torch import nn
from torch.nn.utils.rnn import pad_sequence

MAILS = pathlib.Path("data/spam/easy-ham-1")
PAD, END = 0, 1


def load_subjects(mails=1000):
    subjects = []
    for path in sorted(MAILS.glob("*.txt"))[:mails]:
        for line in path.read_text(encoding="latin-1").splitlines():
            if line.startswith("Subject: "):
                subjects.append(line[len("Subject: ") :][:60])
                break
    return subjects


class Vocabulary:
    def __init__(self, lines):
        self.characters = ["<pad>", "<end>"] + sorted(set("".join(lines)))
        self.ids = {character: number for number, character in enumerate(self.characters)}

    def __len__(self):
        return len(self.characters)

    def encode(self, line):
        return torch.tensor([self.ids[character] for character in line] + [END])


class SubjectModel(nn.Module):
    def __init__(self, vocabulary_size, embedding=24, hidden=64):
        super().__init__()
        self.embedding = nn.Embedding(vocabulary_size, embedding, padding_idx=PAD)
        self.gru = nn.GRU(embedding, hidden, batch_first=True)
        self.out = nn.Linear(hidden, vocabulary_size)

    def forward(self, characters):
        states, _ = self.gru(self.embedding(characters))
        return self.out(states)


def masked_nll_loss(scores, target, mask):
    """Mean negative log-likelihood of the characters that are not padding."""
    count = mask.sum().item()
    log_probabilities = torch.log_softmax(scores, dim=1)
    cross_entropy = -torch.gather(log_probabilities, 1, target.view(-1, 1))
    loss = cross_entropy.masked_select(mask).mean()
    return loss, count


def train_step(model, optimizer, lines):
    padded = pad_sequence(lines, batch_first=True, padding_value=PAD)
    inputs, target = padded[:, :-1], padded[:, 1:].reshape(-1)
    optimizer.zero_grad()
    scores = model(inputs)
    loss, count = masked_nll_loss(scores.reshape(len(target), -1), target, target != PAD)
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()
    return loss.item(), count


def train(model, lines, epochs=5, batch_size=250):
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    history = []
    for epoch in range(epochs):
        total = tokens = 0
        order = torch.randperm(len(lines))
        for start in range(0, len(lines), batch_size):
            batch = [lines[number] for number in order[start : start + batch_size]]
            loss, count = train_step(model, optimizer, batch)
            total += loss * count
            tokens += count
        history.append(total / tokens)
        print(f"epoch {epoch + 1}: loss per character {history[-1]:.4f}")
    return history


def main():
    subjects = load_subjects()
    vocabulary = Vocabulary(subjects)
    lines = [vocabulary.encode(subject) for subject in subjects]
    model = SubjectModel(len(vocabulary))
    train(model, lines)


if __name__ == "__main__":
    main()
