"""Mails as rows of word indices."""

import collections
import pathlib
import re

import torch

PAD, UNKNOWN = 0, 1
TOKEN = re.compile(r"[a-z']+|[0-9]+|[!?$]")


def read_mails(folder, limit):
    """The words of the subject and of the first lines of each mail."""
    mails = []
    for path in sorted(pathlib.Path(folder).glob("*.txt"))[:limit]:
        header, _, body = path.read_text(encoding="latin-1").partition("\n\n")
        subject = re.search(r"^Subject:(.*)$", header, re.MULTILINE)
        text = (subject.group(1) if subject else "") + " " + body[:600]
        mails.append(TOKEN.findall(text.lower()))
    return mails


def load_mails(root="data/spam", limit=400):
    ham = read_mails(f"{root}/easy-ham-1", limit)
    spam = read_mails(f"{root}/spam-1", limit)
    mails = [(words, 0) for words in ham] + [(words, 1) for words in spam]
    order = torch.randperm(len(mails)).tolist()
    mails = [mails[i] for i in order]
    held_out = len(mails) // 4
    return mails[held_out:], mails[:held_out]


def build_vocabulary(mails, size):
    counts = collections.Counter(word for words, _ in mails for word in words)
    return {word: i + 2 for i, (word, _) in enumerate(counts.most_common(size))}


def encode(mails, vocabulary, length):
    rows = []
    for words, _ in mails:
        row = [vocabulary.get(word, UNKNOWN) for word in words[:length]]
        rows.append(row + [PAD] * (length - len(row)))
    return torch.tensor(rows), torch.tensor([label for _, label in mails])
