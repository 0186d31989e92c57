"""Tag the words of mails: addresses, links, numbers, names and other words."""

import pathlib
import re

import torch
from torch import nn
from torch.nn.utils.rnn import pad_sequence

MAILS = pathlib.Path("data/spam/easy-ham-1")
TAGS = ["word", "name", "number", "address", "link", "mark"]
RULES = [
    ("address", r"\S+@\S+"),
    ("link", r"<?(https?|ftp)://\S+|www\.\S+"),
    ("number", r"[-+$#]?\d[\d.,:/%-]*"),
    ("name", r"[A-Z][A-Za-z'-]+[.,]?"),
    ("word", r"[A-Za-z'-]+[.,;:?!]?"),
]
CHARACTERS = 128

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


def tag_of(word):
    for tag, rule in RULES:
        if re.fullmatch(rule, word):
            return TAGS.index(tag)
    return TAGS.index("mark")


def load_sentences(mails=60, longest=25):
    sentences = []
    for path in sorted(MAILS.glob("*.txt"))[:mails]:
        body = path.read_text(encoding="latin-1").partition("\n\n")[2]
        for line in body.splitlines()[:20]:
            words = line.split()[:longest]
            if len(words) > 2:
                sentences.append((words, [tag_of(word) for word in words]))
    return sentences


def word_features(word):
    """How often each character occurs, and which ones come first and last."""
    codes = [min(ord(character), CHARACTERS - 1) for character in word]
    features = torch.zeros(3, CHARACTERS)
    for code in codes:
        features[0, code] += 1
    features[1, codes[0]] = 1
    features[2, codes[-1]] = 1
    return features.flatten()


class SequenceTagger(nn.Module):
    def __init__(self, hidden=32):
        super().__init__()
        self.project = nn.Linear(3 * CHARACTERS, hidden)
        self.rnn = nn.LSTM(hidden, hidden, batch_first=True, bidirectional=True)
        self.out = nn.Linear(2 * hidden, len(TAGS))

    def forward(self, sentences):
        """Scores, lengths and gold tags of a batch of sentences."""
        words = [torch.stack([word_features(word) for word in sentence]) for sentence, _ in sentences]
        lengths = [len(sentence) for sentence, _ in sentences]
        tags = [torch.tensor(gold, device=device) for _, gold in sentences]
        padded = pad_sequence(words, batch_first=True).to(device)
        states, _ = self.rnn(torch.tanh(self.project(padded)))
        return self.out(states), lengths, tags

    def forward_loss(self, sentences):
        features, lengths, tags = self.forward(sentences)
        return self.calculate_loss(features, lengths, tags)

    def calculate_loss(self, features, lengths, tags):
        score = 0
        for sentence_features, length, sentence_tags in zip(features, lengths, tags):
            sentence_features = sentence_features[:length]
            tag_tensor = torch.LongTensor(sentence_tags)
            tag_tensor = tag_tensor.to(device)
            score += nn.functional.cross_entropy(sentence_features, tag_tensor)
        return score / len(lengths)


def train(model, sentences, epochs=3, batch_size=16):
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    for epoch in range(epochs):
        model.train()
        total = 0.0
        batches = torch.randperm(len(sentences)).split(batch_size)
        for rows in batches:
            optimizer.zero_grad()
            loss = model.forward_loss([sentences[row] for row in rows])
            loss.backward()
            optimizer.step()
            total += loss.item()
        print(f"epoch {epoch + 1}: loss {total / len(batches):.4f}")


def evaluate(model, sentences):
    model.eval()
    correct = words = 0
    with torch.no_grad():
        features, lengths, tags = model(sentences)
    for sentence_features, length, gold in zip(features, lengths, tags):
        correct += (sentence_features[:length].argmax(dim=1) == gold).sum().item()
        words += length
    return correct / words


def main():
    sentences = load_sentences()
    split = len(sentences) * 4 // 5
    model = SequenceTagger().to(device)
    train(model, sentences[:split])
    print(f"accuracy {evaluate(model, sentences[split:]):.3f} on {device}")


if __name__ == "__main__":
    main()
