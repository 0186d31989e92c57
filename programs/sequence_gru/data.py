"""The subjects of mails as rows of words: reading, vocabulary, encoding, splitting."""

import collections
import email.header
import pathlib
import re

import numpy as np
import torch
from torch.nn.utils.rnn import pad_sequence
from torch.utils.data import DataLoader, Dataset

PAD, UNKNOWN = 0, 1
FOLDERS = (("easy-ham-1", "easy-ham-2", "hard-ham-1"), ("spam-1", "spam-2"))
SUBJECT = re.compile(r"^Subject:[ \t]*(\S.*)$", re.MULTILINE)
WORD = re.compile(r"[a-z]+|[0-9]|[^\sa-z0-9]")
# Lists put their name in front of each subject, which would give the answer away.
PREFIX = re.compile(r"^(?:\s*(?:\[[^\]]*\]|re:|fwd?:))+", re.IGNORECASE)


def decode(subject):
    """Subjects may be given in pieces of several encodings."""
    pieces = []
    for piece, encoding in email.header.decode_header(subject):
        pieces.append(piece if isinstance(piece, str) else piece.decode("latin-1"))
    return "".join(pieces)


def read_subject(path):
    """The subject of a mail in lower case; empty if it has none."""
    found = SUBJECT.search(path.read_text(encoding="latin-1").partition("\n\n")[0])
    return PREFIX.sub("", decode(found.group(1))).strip().lower() if found else ""


def read_subjects(folder, limit):
    """Subjects of ham (0) and spam (1), each subject once, at most `limit` of each."""
    subjects, labels = [], []
    for label, names in enumerate(FOLDERS):
        paths = [path for name in names for path in sorted((pathlib.Path(folder) / name).glob("*.txt"))]
        step = max(1, len(paths) // (2 * limit))
        found = dict.fromkeys(read_subject(path) for path in paths[::step])
        chosen = [subject for subject in found if subject][:limit]
        subjects += chosen
        labels += [label] * len(chosen)
    return subjects, labels


def build_vocabulary(subjects, min_count=2):
    """Words that occur several times, and how each of them is numbered."""
    counts = collections.Counter(word for subject in subjects for word in WORD.findall(subject))
    frequent = sorted(word for word, count in counts.items() if count >= min_count)
    return {word: index for index, word in enumerate(frequent, start=UNKNOWN + 1)}


def encode(subject, vocabulary, length):
    """Indices of the first words."""
    words = WORD.findall(subject)[:length]
    return torch.tensor([vocabulary.get(word, UNKNOWN) for word in words])


class Subjects(Dataset):
    def __init__(self, subjects, labels, vocabulary, length):
        super().__init__()
        self.rows = [encode(subject, vocabulary, length) for subject in subjects]
        self.labels = labels

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, index):
        return self.rows[index], self.labels[index]


def collate(items):
    """A batch: padded rows, their lengths, labels."""
    rows, labels = zip(*items)
    lengths = torch.tensor([len(row) for row in rows])
    return pad_sequence(rows, batch_first=True, padding_value=PAD), lengths, torch.tensor(labels)


def load_data(folder, limit, length, batch_size, seed):
    """The vocabulary, and loaders of the training and the test set."""
    subjects, labels = read_subjects(folder, limit)
    order = np.random.default_rng(seed).permutation(len(subjects)).tolist()
    held_out = len(order) // 4
    vocabulary = build_vocabulary([subjects[i] for i in order[held_out:]])
    loaders = []
    for part, shuffle in ((order[held_out:], True), (order[:held_out], False)):
        dataset = Subjects([subjects[i] for i in part], [labels[i] for i in part], vocabulary, length)
        generator = torch.Generator().manual_seed(seed)
        loaders.append(
            DataLoader(dataset, batch_size, shuffle=shuffle, collate_fn=collate, generator=generator)
        )
    return vocabulary, loaders
