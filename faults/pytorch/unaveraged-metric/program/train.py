import torch
from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import train_test_split
from sklearn.preprocessing import StandardScaler
from torch import nn

import metrics

METRICS = ["accuracy", "cross_entropy", "auc", "recall@0.5"]


def load_data():
    """Tumours with label 1 for the malignant ones."""
    data = load_breast_cancer()
    x_train, x_test, y_train, y_test = train_test_split(
        data.data, 1 - data.target, test_size=0.3, stratify=data.target
    )
    scaler = StandardScaler().fit(x_train)
    arrays = scaler.transform(x_train), y_train, scaler.transform(x_test), y_test
    return [torch.tensor(array, dtype=torch.float32) for array in arrays]


class Classifier:
    """A network with the usual three methods: fit, predict and evaluate."""

    def __init__(self, features, hidden=16):
        self.network = nn.Sequential(
            nn.Linear(features, hidden), nn.ReLU(), nn.Linear(hidden, 1)
        )

    def fit(self, x, y, epochs=20, batch_size=32):
        optimizer = torch.optim.Adam(self.network.parameters(), lr=0.01)
        criterion = nn.BCEWithLogitsLoss()
        for _ in range(epochs):
            for batch in torch.randperm(len(x)).split(batch_size):
                optimizer.zero_grad()
                loss = criterion(self.network(x[batch]).squeeze(1), y[batch])
                loss.backward()
                optimizer.step()

    @torch.no_grad()
    def predict(self, x):
        return torch.sigmoid(self.network(x).squeeze(1))

    def evaluate(self, x, y, names=METRICS):
        """The value of each metric on a set of examples."""
        predictions = self.predict(x)
        result = {}
        for name in names:
            if name in metrics.LIST_METRICS:
                result[name] = metrics.LIST_METRICS[name](y, predictions)
            else:
                result[name] = metrics.EXAMPLE_METRICS[name](y, predictions).numpy()
        return result


def main():
    x_train, y_train, x_test, y_test = load_data()
    model = Classifier(x_train.shape[1])
    model.fit(x_train, y_train)
    for name, value in model.evaluate(x_test, y_test).items():
        print(name, value)


if __name__ == "__main__":
    main()
