import torch
from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import train_test_split
from torch import nn, optim

BATCH_SIZE = 30
LEARNING_RATE = 0.005
EPOCHS = 6


def load_data():
    data = load_breast_cancer()
    features = torch.tensor(data.data, dtype=torch.float32)
    labels = torch.tensor(data.target)
    train, test = train_test_split(range(len(labels)), test_size=0.3, random_state=3)
    return (features[train], labels[train]), (features[test], labels[test])


class Classifier(nn.Module):
    def __init__(self, features=30, classes=2):
        super().__init__()
        self.hidden1 = nn.Linear(features, 100)
        self.norm1 = nn.BatchNorm1d(100)
        self.hidden2 = nn.Linear(100, 50)
        self.norm2 = nn.BatchNorm1d(50)
        self.hidden3 = nn.Linear(50, 50)
        self.norm3 = nn.BatchNorm1d(50)
        self.dropout = nn.Dropout(0.1)
        self.output = nn.Linear(50, classes)

    def forward(self, x):
        h1 = self.hidden1(x)
        h1_norm = self.norm1(h1)
        h1_out = self.dropout(torch.relu(h1_norm))

        h2 = self.hidden2(h1_out)
        h2_norm = self.norm2(h2)
        h2_out = self.dropout(torch.relu(h2))

        h3 = self.hidden3(h2_out)
        h3_norm = self.norm3(h3)
        h3_out = self.dropout(torch.relu(h3))

        return self.output(h3_out)


def train(features, labels, epochs=EPOCHS):
    model = Classifier(features.shape[1])
    criterion = nn.CrossEntropyLoss()
    optimizer = optim.Adam(model.parameters(), lr=LEARNING_RATE)
    for epoch in range(epochs):
        model.train()
        total = 0.0
        for batch in torch.randperm(len(features)).split(BATCH_SIZE):
            optimizer.zero_grad()
            loss = criterion(model(features[batch]), labels[batch])
            loss.backward()
            optimizer.step()
            total += loss.item() * len(batch)
        if (epoch + 1) % 2 == 0:
            print(f"epoch {epoch + 1}  loss {total / len(features):.3f}")
    return model


@torch.no_grad()
def evaluate(model, features, labels):
    model.eval()
    return (model(features).argmax(dim=1) == labels).float().mean().item()


def main():
    training, testing = load_data()
    model = train(*training)
    print(f"test accuracy {evaluate(model, *testing):.3f}")


if __name__ == "__main__":
    main()
