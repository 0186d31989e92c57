"""Sentences as rows of word indices: reading, words, vocabulary, padding, splitting."""

import collections
import pathlib
import re

import numpy as np
import torch
from torch.utils.data import DataLoader, TensorDataset

PAD, UNKNOWN = 0, 1
HAM_FOLDERS = ("easy-ham-1", "easy-ham-2", "hard-ham-1")
SPAM_FOLDERS = ("spam-1", "spam-2")
TAG = re.compile(r"<[^>]*>|&[a-z]+;|=\n|=[0-9A-F]{2}")
WORD = re.compile(r"[a-z]+(?:'[a-z]+)?|[0-9]+|[!?$%]")


def tokenise(text, length):
    """The first `length` words of a text."""
    return [match.group() for _, match in zip(range(length), WORD.finditer(text.lower()))]


def read_mail(path, length):
    """The words with which a mail begins: its subject, then its body without markup."""
    header, _, body = path.read_text(encoding="latin-1").partition("\n\n")
    subject = re.search(r"^Subject:(.*)$", header, re.MULTILINE)
    title = subject.group(1) if subject else ""
    return tokenise(title + " " + TAG.sub(" ", body[:3000]), length)


def choose(items, limit):
    """At most `limit` items, evenly spread over all of them."""
    if limit is None or len(items) <= limit:
        return items
    return [items[i * len(items) // limit] for i in range(limit)]


def read_mails(root, limit, length):
    """Ham (0) and spam (1)."""
    sentences, labels = [], []
    for label, folders in enumerate((HAM_FOLDERS, SPAM_FOLDERS)):
        paths = [path for folder in folders for path in sorted((root / folder).glob("*.txt"))]
        for path in choose(paths, limit):
            sentences.append(read_mail(path, length))
            labels.append(label)
    return sentences, labels


def read_polarity(root, limit, length):
    """Negative (0) and positive (1) sentences, one on each line of *.neg and *.pos."""
    sentences, labels = [], []
    for label, pattern in enumerate(("*.neg", "*.pos")):
        lines = []
        for path in sorted(root.glob(pattern)):
            lines += path.read_text(encoding="latin-1").splitlines()
        for line in choose(lines, limit):
            sentences.append(tokenise(line, length))
            labels.append(label)
    return sentences, labels


def read_corpus(folder, limit=None, length=50):
    """Sentences and labels of a polarity corpus, or else of a folder of mails."""
    root = pathlib.Path(folder)
    reader = read_polarity if any(root.glob("*.pos")) else read_mails
    sentences, labels = reader(root, limit, length)
    if not sentences:
        raise FileNotFoundError(f"{root}: neither mails nor *.pos and *.neg files")
    return sentences, labels


def build_vocabulary(sentences, size, min_count=2):
    """The most frequent words, each with its index; 0 and 1 are padding and unknown words."""
    counts = collections.Counter(word for sentence in sentences for word in sentence)
    frequent = [word for word, count in counts.most_common(size) if count >= min_count]
    return {word: index for index, word in enumerate(frequent, start=UNKNOWN + 1)}


def encode(sentences, vocabulary, length):
    """One row of word indices for each sentence, padded at its end."""
    rows = np.full((len(sentences), length), PAD, dtype=np.int64)
    for row, sentence in zip(rows, sentences):
        indices = [vocabulary.get(word, UNKNOWN) for word in sentence[:length]]
        row[: len(indices)] = indices
    return rows


def split_indices(count, test_share, rng):
    """Shuffled indices for training, validation and test; the last two are of equal size."""
    order = rng.permutation(count)
    held_out = int(count * test_share)
    return order[2 * held_out :], order[:held_out], order[held_out : 2 * held_out]


def make_loader(rows, labels, batch_size, shuffle=False, seed=0):
    dataset = TensorDataset(torch.from_numpy(rows), torch.from_numpy(labels))
    generator = torch.Generator().manual_seed(seed)
    return DataLoader(dataset, batch_size=batch_size, shuffle=shuffle, generator=generator)


def load_data(folder, limit, length, vocabulary_size, batch_size, seed):
    """The vocabulary, and loaders of the training, validation and test set."""
    sentences, labels = read_corpus(folder, limit, length)
    labels = np.array(labels)
    parts = split_indices(len(sentences), 0.15, np.random.default_rng(seed))
    vocabulary = build_vocabulary([sentences[i] for i in parts[0]], vocabulary_size)
    rows = encode(sentences, vocabulary, length)
    loaders = []
    for number, part in enumerate(parts):
        loaders.append(make_loader(rows[part], labels[part], batch_size, shuffle=number == 0, seed=seed))
    return vocabulary, loaders
