# 1-D convolutions over the thirty measurements of a breast tumour
import numpy as np
from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import train_test_split
from sklearn.preprocessing import StandardScaler
from tensorflow.keras import Input, Sequential
from tensorflow.keras.layers import Conv1D, Dense, Dropout, Flatten, MaxPooling1D

nb_epoch = 12
batch_size = 32


def load_data():
    data = load_breast_cancer()
    x = StandardScaler().fit_transform(data.data).astype(np.float32)
    y = data.target.astype(np.float32)
    return train_test_split(x, y, test_size=0.3, stratify=y)


def create_model(input_shape):
    model = Sequential([
        Input(shape=input_shape),
        Conv1D(filters=24, kernel_size=5, activation="relu"),
        MaxPooling1D(pool_size=2),
        Flatten(),
        Dropout(0.2),
        Dense(24, activation="relu"),
        Dense(1, activation="sigmoid"),
    ])
    model.compile(loss="binary_crossentropy", optimizer="adam", metrics=["accuracy"])
    return model


def run():
    xtrain, xtest, ytrain, ytest = load_data()
    model = create_model(xtrain.shape[1:])
    model.fit(xtrain, ytrain, batch_size=batch_size, epochs=nb_epoch, verbose=0)
    predicted = model.predict(xtest, verbose=0)
    return model, predicted[:, 0] > 0.5, ytest > 0.5


if __name__ == "__main__":
    model, predicted, actual = run()
    model.summary()
    print("benign and malignant:", np.sum(actual), np.sum(~actual))
    print("test accuracy: %.3f" % np.mean(predicted == actual))
