"""A character language model of e-mail, and text generated from it."""

import pathlib

import torch
from torch import nn

MAILS = pathlib.Path("data/spam/easy-ham-1")


class Dictionary:
    def __init__(self, text):
        self.items = sorted(set(text))
        self.ids = {item: number for number, item in enumerate(self.items)}

    def __len__(self):
        return len(self.items)

    def encode(self, text):
        return torch.tensor([self.ids[item] for item in text])


class LanguageModel(nn.Module):
    def __init__(self, dictionary, embedding_size=24, hidden_size=96):
        super().__init__()
        self.dictionary = dictionary
        self.hidden_size = hidden_size
        self.encoder = nn.Embedding(len(dictionary), embedding_size)
        self.rnn = nn.LSTM(embedding_size, hidden_size)
        self.decoder = nn.Linear(hidden_size, len(dictionary))

    def init_hidden(self, batch):
        return torch.zeros(1, batch, self.hidden_size), torch.zeros(1, batch, self.hidden_size)

    def forward(self, characters, hidden):
        output, hidden = self.rnn(self.encoder(characters), hidden)
        return self.decoder(output), hidden

    def generate_text(self, prefix="\n", number_of_characters=1000, temperature=1.0):
        self.eval()
        characters = list(prefix)
        hidden = self.init_hidden(1)
        for character in prefix[:-1]:
            _, hidden = self.forward(self.dictionary.encode(character).view(1, 1), hidden)

        current = self.dictionary.encode(prefix[-1]).view(1, 1)
        for _ in range(number_of_characters):
            prediction, hidden = self.forward(current, hidden)
            weights = prediction.squeeze().div(temperature).softmax(dim=0)
            current = torch.multinomial(weights, 1).view(1, 1)
            characters.append(self.dictionary.items[current.item()])
        return "".join(characters)


def load_text(mails=12):
    paths = sorted(MAILS.glob("*.txt"))[:mails]
    bodies = [path.read_text(encoding="latin-1").partition("\n\n")[2] for path in paths]
    return "".join(bodies)


def batches(data, batch, length):
    columns = data[: len(data) // batch * batch].view(batch, -1).t()
    for start in range(0, len(columns) - 1, length):
        size = min(length, len(columns) - 1 - start)
        yield columns[start : start + size], columns[start + 1 : start + 1 + size]


def train(model, data, epochs=3, batch=32, length=40):
    optimizer = torch.optim.Adam(model.parameters(), lr=0.005)
    criterion = nn.CrossEntropyLoss()
    history = []
    for epoch in range(epochs):
        model.train()
        hidden = model.init_hidden(batch)
        total = steps = 0
        for characters, following in batches(data, batch, length):
            hidden = tuple(state.detach() for state in hidden)
            optimizer.zero_grad()
            prediction, hidden = model(characters, hidden)
            loss = criterion(prediction.reshape(-1, prediction.size(-1)), following.reshape(-1))
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 0.5)
            optimizer.step()
            total += loss.item()
            steps += 1
        history.append(total / steps)
        print(f"epoch {epoch + 1}: loss {history[-1]:.3f}")
    return history


def main():
    text = load_text()
    dictionary = Dictionary(text)
    model = LanguageModel(dictionary)
    train(model, dictionary.encode(text))
    print(model.generate_text(number_of_characters=4000, temperature=0.8))


if __name__ == "__main__":
    main()
