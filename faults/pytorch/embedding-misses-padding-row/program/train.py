import torch
from torch import nn, optim

from preprocess import Preprocessor, read_mails

EPOCHS = 6
BATCH_SIZE = 32


class TextCNN(nn.Module):
    """Convolutions over n-grams of words, as for sentence classification."""

    def __init__(self, preprocessor, embedding_size=32, filters=16, ngrams=(2, 3)):
        super().__init__()
        self.embedding = nn.Embedding(preprocessor.max_features, embedding_size)
        self.convolutions = nn.ModuleList(nn.Conv1d(embedding_size, filters, n) for n in ngrams)
        self.dropout = nn.Dropout(0.2)
        self.output = nn.Linear(filters * len(ngrams), 2)

    def forward(self, tokens):
        x = self.embedding(tokens).transpose(1, 2)
        pooled = [torch.relu(convolution(x)).amax(dim=2) for convolution in self.convolutions]
        return self.output(self.dropout(torch.cat(pooled, dim=1)))


def load_data():
    texts, labels = read_mails()
    preprocessor = Preprocessor(max_features=1000, max_length=80)
    preprocessor.fit(texts)
    sequences = preprocessor.build_sequences(texts)
    testing = torch.arange(len(labels)) % 4 == 0
    return preprocessor, (sequences[~testing], labels[~testing]), (sequences[testing], labels[testing])


def train(preprocessor, sequences, labels, epochs=EPOCHS):
    model = TextCNN(preprocessor)
    criterion = nn.CrossEntropyLoss()
    optimizer = optim.Adam(model.parameters(), lr=5e-3)
    for epoch in range(epochs):
        model.train()
        total = 0.0
        for batch in torch.randperm(len(sequences)).split(BATCH_SIZE):
            optimizer.zero_grad()
            loss = criterion(model(sequences[batch]), labels[batch])
            loss.backward()
            optimizer.step()
            total += loss.item() * len(batch)
        print(f"epoch {epoch + 1}  loss {total / len(sequences):.3f}")
    return model


@torch.no_grad()
def evaluate(model, sequences, labels):
    model.eval()
    return (model(sequences).argmax(dim=1) == labels).float().mean().item()


def main():
    preprocessor, training, testing = load_data()
    model = train(preprocessor, *training)
    print(f"test accuracy {evaluate(model, *testing):.3f}")


if __name__ == "__main__":
    main()
