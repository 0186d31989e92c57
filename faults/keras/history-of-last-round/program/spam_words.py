"""A spam filter on word counts. Trains in rounds and shows its favourite words in between."""

import csv
import pathlib
import re
import sys
from collections import Counter

import numpy as np
from tensorflow.keras import Sequential, layers, optimizers

FOLDERS = {"easy-ham-1": 0, "spam-1": 1}
VOCABULARY = 300
ROUNDS = 6


def read_mails(root="data/spam", each=250):
    texts, labels = [], []
    for folder, label in FOLDERS.items():
        for path in sorted(pathlib.Path(root, folder).glob("*.txt"))[:each]:
            texts.append(re.findall(r"[a-z]{3,}", path.read_text(encoding="latin-1").lower()))
            labels.append(label)
    order = np.random.permutation(len(texts))
    return [texts[i] for i in order], np.array(labels, dtype="float32")[order]


def count_words(texts, words):
    index = {word: column for column, word in enumerate(words)}
    table = np.zeros((len(texts), len(words)), dtype="float32")
    for row, text in enumerate(texts):
        for word in text:
            if word in index:
                table[row, index[word]] += 1
    return np.log1p(table)


def build_model(size):
    model = Sequential(name="filter")
    model.add(layers.Input(shape=(size,)))
    model.add(layers.Dense(1, activation="sigmoid"))
    model.compile(loss="binary_crossentropy", optimizer=optimizers.Adam(0.003), metrics=["accuracy"])
    return model


def show_words(model, words, count=6):
    weights = model.layers[-1].get_weights()[0][:, 0]
    print("  looks like spam:", " ".join(words[i] for i in weights.argsort()[::-1][:count]))


def train(model, table, labels, words, rounds=ROUNDS):
    """Return the learning curve: a list of values, one for each round, under each name."""
    for number in range(rounds):
        print(f"round {number + 1}")
        result = model.fit(table, labels, epochs=1, validation_split=0.2, verbose=0)
        show_words(model, words)
    return result.history


def save_curve(curve, file):
    writer = csv.writer(file)
    writer.writerow(["round", *curve])
    for number, values in enumerate(zip(*curve.values()), start=1):
        writer.writerow([number, *(f"{value:.4f}" for value in values)])


def main():
    texts, labels = read_mails()
    frequent = Counter(word for text in texts for word in set(text))
    words = [word for word, _ in frequent.most_common(VOCABULARY)]
    model = build_model(len(words))
    curve = train(model, count_words(texts, words), labels, words)
    save_curve(curve, sys.stdout)


if __name__ == "__main__":
    main()
