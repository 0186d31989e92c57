import re
from collections import Counter
from pathlib import Path

import torch

DATA = Path("data/spam")
FOLDERS = {"easy-ham-1": 0, "spam-1": 1}


def read_mails(per_folder=200):
    texts, labels = [], []
    for folder, label in FOLDERS.items():
        for path in sorted((DATA / folder).glob("*.txt"))[:per_folder]:
            mail = path.read_text(encoding="latin-1")
            _, _, body = mail.partition("\n\n")
            texts.append(body)
            labels.append(label)
    return texts, torch.tensor(labels)


class Preprocessor:
    """Maps texts to rows of word numbers: the most frequent words, counted from 0, then padding."""

    def __init__(self, max_features, max_length):
        self.max_features = max_features
        self.max_length = max_length
        self.padding = max_features
        self.word_index = {}

    @staticmethod
    def tokenize(text):
        return re.findall(r"[a-z]{2,}", text.lower())

    def fit(self, texts):
        counts = Counter(word for text in texts for word in self.tokenize(text))
        self.word_index = {word: i for i, (word, _) in enumerate(counts.most_common(self.max_features))}

    def build_sequences(self, texts):
        rows = []
        for text in texts:
            row = [self.word_index[word] for word in self.tokenize(text) if word in self.word_index]
            row = row[: self.max_length]
            rows.append(row + [self.padding] * (self.max_length - len(row)))
        return torch.tensor(rows)
