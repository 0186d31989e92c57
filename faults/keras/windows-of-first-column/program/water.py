# Tomorrow's water use of a town from the last days: volume, temperature and rainfall.

import numpy as np
from tensorflow.keras.layers import LSTM, Dense
from tensorflow.keras.models import Sequential
from tensorflow.keras.optimizers import Adam

LOOK_BACK = 5
COLUMNS = ["volume", "temperature", "rainfall"]


def simulate(days):
    """Daily values of the three columns, each between 0 and 1 or so."""
    t = np.arange(days)
    temperature = np.zeros(days)
    temperature[0] = 0.5
    noise = np.random.normal(0, 0.12, days)
    for day in range(1, days):
        temperature[day] = 0.5 + 0.7 * (temperature[day - 1] - 0.5) + noise[day]
    rainfall = np.random.rand(days) * (np.random.rand(days) < 0.4)
    volume = np.zeros(days)
    for day in range(days):
        warm = temperature[day - 1] if day else 0.5
        wet = rainfall[day - 1] if day else 0.0
        volume[day] = 0.2 + 0.8 * warm - 0.35 * wet + 0.05 * np.sin(2 * np.pi * t[day] / 7)
    volume += np.random.normal(0, 0.02, days)
    return np.stack([volume, temperature, rainfall], axis=1).astype("float32")


def create_dataset(dataset, look_back=LOOK_BACK):
    """Windows of look_back days, and the volume of the day after each."""
    data_x, data_y = [], []
    for i in range(len(dataset) - look_back):
        data_x.append(dataset[i : i + look_back, 0])
        data_y.append(dataset[i + look_back, 0])
    data_x = np.array(data_x)
    data_x = np.reshape(data_x, (data_x.shape[0], look_back, -1))
    return data_x, np.array(data_y)


def create_model(look_back, columns):
    model = Sequential()
    model.add(LSTM(16, input_shape=(look_back, columns)))
    model.add(Dense(1))
    model.compile(loss="mean_squared_error", optimizer=Adam(0.01))
    return model


def train(dataset, epochs=15):
    x, y = create_dataset(dataset)
    model = create_model(x.shape[1], x.shape[2])
    history = model.fit(x, y, epochs=epochs, batch_size=32, verbose=0)
    return model, history.history["loss"]


def forecast(model, dataset):
    """The volume of each day from the one after the first window on."""
    x, _ = create_dataset(dataset)
    return model.predict(x, verbose=0)[:, 0]


def main():
    dataset = simulate(1100)
    training, testing = dataset[:800], dataset[800:]
    model, losses = train(training)
    print("%d columns: %s" % (dataset.shape[1], ", ".join(COLUMNS)))
    print("training loss %.5f" % losses[-1])
    predicted = forecast(model, testing)
    actual = testing[LOOK_BACK:, 0]
    print("root mean squared error %.4f" % np.sqrt(np.mean((predicted - actual) ** 2)))
    print("always the mean         %.4f" % actual.std())


if __name__ == "__main__":
    main()
