"""
How fast does diabetes progress within a year, and how sure can we be?

Monte Carlo dropout (Gal and Ghahramani 2016): several networks that share
their weights answer the same question, and their spread says how much the
answer can be trusted.
"""
import numpy as np
from sklearn.datasets import load_diabetes
from tensorflow.keras import Input, Model
from tensorflow.keras.layers import Activation, BatchNormalization, Dense, Dropout


class ProgressionModel:

    def __init__(self, features, units=(64, 32), rate=0.2):
        inputs = Input(shape=(features,))
        x = inputs
        for n in units:
            x = Dense(n)(x)
            x = BatchNormalization(momentum=0.9)(x)
            x = Activation('relu')(x)
            x = Dropout(rate)(x)
        self.network = Model(inputs, Dense(1)(x))
        self.network.compile(optimizer='adam', loss='mse')
        self.centre, self.scale = 0.0, 1.0

    def fit(self, samples, progression, epochs=25):
        self.centre, self.scale = progression.mean(), progression.std()
        target = (progression - self.centre) / self.scale
        return self.network.fit(samples, target, batch_size=32, epochs=epochs, verbose=0)

    def predict(self, samples, draws=12):
        """Mean and standard deviation of several draws for each sample."""
        answers = np.stack([
            self.network.predict(samples, batch_size=256, verbose=0)[:, 0] for _ in range(draws)
        ])
        answers = answers * self.scale + self.centre
        return answers.mean(axis=0), answers.std(axis=0)


def load():
    samples, progression = load_diabetes(return_X_y=True)
    samples = (samples / samples.std(axis=0)).astype('float32')
    order = np.random.permutation(len(samples))
    samples, progression = samples[order], progression[order].astype('float32')
    return samples[:342], progression[:342], samples[342:], progression[342:]


def main():
    samples, progression, new, actual = load()
    model = ProgressionModel(samples.shape[1])
    model.fit(samples, progression)
    mean, deviation = model.predict(new)
    for m, d, a in list(zip(mean, deviation, actual))[:10]:
        print(f'{m:6.1f} +/- {2 * d:5.1f}   (was {a:5.1f})')
    unsure = deviation > np.median(deviation)
    error = np.abs(mean - actual)
    print(f'mean error {error[unsure].mean():.1f} where unsure, {error[~unsure].mean():.1f} elsewhere')


if __name__ == '__main__':
    main()
