"""Find names of persons and places in sentences, a window of words at a time."""

import numpy as np
from tensorflow.keras import Input, Sequential, layers

import embeddings

LEXICON = {
    "O": "the a and sees meets likes walks sleeps eats here then often old new".split(),
    "PER": "ana bruno carla diego elisa fabio gil helena ivo joana".split(),
    "LOC": "lisbon porto recife manaus belem natal faro braga sintra olinda".split(),
}
LABELS = sorted(LEXICON)
WINDOW = 2


def write_sentences(count, length=8):
    sentences = []
    for _ in range(count):
        labels = np.random.choice(LABELS, size=length, p=[0.2, 0.6, 0.2])
        sentences.append([(np.random.choice(LEXICON[label]), label) for label in labels])
    return sentences


def create_windows(sentences, word2idx, window=WINDOW):
    inputs, targets = [], []
    for sentence in sentences:
        indices = [word2idx.get(word, embeddings.UNKNOWN) for word, _ in sentence]
        padded = [embeddings.PAD] * window + indices + [embeddings.PAD] * window
        for place, (_, label) in enumerate(sentence):
            inputs.append(padded[place : place + 2 * window + 1])
            targets.append(LABELS.index(label))
    return np.array(inputs), np.array(targets)


def create_model(weights, units=24):
    model = Sequential()
    model.add(Input(shape=(2 * WINDOW + 1,), dtype="int32"))
    model.add(embeddings.embedding_layer(weights))
    model.add(layers.Flatten())
    model.add(layers.Dense(units, activation="relu"))
    model.add(layers.Dropout(0.1))
    model.add(layers.Dense(len(LABELS), activation="softmax"))
    model.compile(loss="sparse_categorical_crossentropy", optimizer="adam", metrics=["accuracy"])
    return model


def main():
    groups = [label for label in LABELS for _ in LEXICON[label]]
    words = [word for label in LABELS for word in LEXICON[label]]
    word2idx, vectors = embeddings.make_vectors(words, groups)
    model = create_model(vectors)
    model.fit(*create_windows(write_sentences(150), word2idx), epochs=5, verbose=0)
    loss, accuracy = model.evaluate(*create_windows(write_sentences(40), word2idx), verbose=0)
    print(f"Accuracy: {100 * accuracy:.1f}")


if __name__ == "__main__":
    main()
