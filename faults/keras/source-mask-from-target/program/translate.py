"""Learn to transcribe words of one script into another, where the next letter matters."""

import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers

from blocks import DecoderBlock, Embedded, EncoderBlock, padding_mask

LETTERS = 12          # letters are 1 to 12, 0 is padding
START, END = 13, 14
LONGEST = 12

# How a letter is written before a hard letter, or at the end, and before a soft one (7 to 12).
HARD = np.array([0, 7, 3, 11, 1, 9, 12, 5, 2, 10, 4, 8, 6])
SOFT = np.array([0, 2, 8, 4, 6, 10, 5, 12, 7, 3, 1, 11, 9])


class Transcriber(keras.Model):
    def __init__(self, width=32, heads=2, hidden=48):
        super().__init__()
        self.embedded = Embedded(END + 1, LONGEST, width)
        self.encoder = EncoderBlock(width, heads, hidden)
        self.decoder = DecoderBlock(width, heads, hidden)
        self.scores = layers.Dense(END + 1)

    def call(self, inputs):
        source, target = inputs
        encoded = self.encoder(self.embedded(source), padding_mask(source))
        decoded = self.decoder(self.embedded(target), encoded, padding_mask(target))
        return self.scores(decoded)


def draw_words(count, shortest=3, longest=9):
    """Words, what the decoder is given, and what it should answer."""
    source = np.zeros((count, LONGEST), "int32")
    given = np.zeros((count, LONGEST), "int32")
    answer = np.zeros((count, LONGEST), "int32")
    for row, size in enumerate(np.random.randint(shortest, longest + 1, count)):
        word = np.random.randint(1, LETTERS + 1, size)
        source[row, :size] = word
        before_soft = np.append(word[1:] > 6, False)
        answer[row, :size] = given[row, 1 : size + 1] = np.where(before_soft, SOFT[word], HARD[word])
        given[row, 0], answer[row, size] = START, END
    return source, given, answer


def train(source, given, answer, epochs=14):
    model = Transcriber()
    model.compile(
        optimizer=keras.optimizers.Adam(4e-3),
        loss=keras.losses.SparseCategoricalCrossentropy(from_logits=True),
    )
    weights = (answer > 0).astype("float32")
    history = model.fit([source, given], answer, sample_weight=weights, batch_size=64, epochs=epochs, verbose=0)
    return model, history.history["loss"]


def transcribe(model, source):
    """Greedy transcription of a batch of padded words."""
    given = np.zeros((len(source), LONGEST), "int32")
    given[:, 0] = START
    for place in range(LONGEST - 1):
        scores = np.asarray(model([source, given], training=False))[:, place]
        given[:, place + 1] = np.where(np.isin(given[:, place], (0, END)), 0, scores.argmax(axis=1))
    return given[:, 1:]


def main():
    model, losses = train(*draw_words(1600))
    print("loss by epoch:", " ".join(f"{loss:.3f}" for loss in losses))
    source, given, answer = draw_words(200)
    scores = np.asarray(model([source, given], training=False))
    letters = answer > 0
    print(f"letters right with the answer at hand: {np.mean((scores.argmax(-1) == answer)[letters]):.3f}")
    found = transcribe(model, source)
    print(f"letters right in free transcription:   {np.mean((found == answer[:, :-1])[letters[:, :-1]]):.3f}")


if __name__ == "__main__":
    main()
