import argparse

import torch
from torch import nn

import data


def parse_arguments(arguments=None):
    parser = argparse.ArgumentParser(description="Train a spam filter")
    parser.add_argument("--epochs", type=int, default=8)
    parser.add_argument("--batch", type=int, default=40)
    parser.add_argument("--words", type=int, default=2000, help="size of the vocabulary")
    parser.add_argument("--length", type=int, default=60, help="words kept of each mail")
    parser.add_argument("--width", type=int, default=24)
    parser.add_argument("--optimizer", default="adadelta", choices=["adadelta", "adam", "sgd"])
    parser.add_argument("--eta", type=float, default=0.32, help="learning rate")
    parser.add_argument("--clip", type=float, default=5.0)
    return parser.parse_args(arguments)


class WordConvolution(nn.Module):
    def __init__(self, words, width):
        super().__init__()
        self.embedding = nn.Embedding(words, width, padding_idx=data.PAD)
        nn.init.uniform_(self.embedding.weight, -0.25, 0.25)
        self.convolution = nn.Conv1d(width, width, kernel_size=3, padding=1)
        self.output = nn.Linear(width, 2)

    def forward(self, mails):
        words = self.embedding(mails).transpose(1, 2)
        return self.output(torch.relu(self.convolution(words)).amax(dim=2))


def make_optimizer(name, parameters, eta):
    if name == "adadelta":
        return torch.optim.Adadelta(parameters, lr=eta, rho=0.95, eps=1e-6)
    if name == "adam":
        return torch.optim.Adam(parameters, lr=eta)
    return torch.optim.SGD(parameters, lr=eta, momentum=0.9)


def train(model, x, y, options):
    optimizer = make_optimizer(options.optimizer, model.parameters(), options.eta)
    criterion = nn.CrossEntropyLoss()
    losses = []
    for epoch in range(options.epochs):
        total = 0.0
        for batch in torch.randperm(len(x)).split(options.batch):
            optimizer.zero_grad()
            loss = criterion(model(x[batch]), y[batch])
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), options.clip)
            optimizer.step()
            total += loss.item() * len(batch)
        losses.append(total / len(x))
        print(f"epoch {epoch + 1}: loss {losses[-1]:.3f}")
    return losses


@torch.no_grad()
def accuracy(model, x, y):
    return (model(x).argmax(dim=1) == y).float().mean().item()


def main(arguments=None):
    options = parse_arguments(arguments)
    train_mails, test_mails = data.load_mails()
    vocabulary = data.build_vocabulary(train_mails, options.words)
    x_train, y_train = data.encode(train_mails, vocabulary, options.length)
    x_test, y_test = data.encode(test_mails, vocabulary, options.length)

    model = WordConvolution(len(vocabulary) + 2, options.width)
    losses = train(model, x_train, y_train, options)
    result = accuracy(model, x_test, y_test)
    print(f"test accuracy {result:.3f}")
    return losses, result


if __name__ == "__main__":
    main()
