"""Train a gated graph network on two-hop questions: a kind of bAbI task 15.

Every node has one "is-a" edge and one "afraid-of" edge. The question marks a node; the
answer is the node that its kind is afraid of.
"""

import argparse

import torch
from torch import nn, optim
from torch.utils.data import DataLoader, TensorDataset

from model import GGNN

NODES = 6
EDGE_TYPES = 2


def make_graphs(count):
    targets = torch.randint(NODES, (count, EDGE_TYPES, NODES))
    adjacency = nn.functional.one_hot(targets, NODES).float()
    questions = torch.randint(NODES, (count,))
    annotation = nn.functional.one_hot(questions, NODES).float().unsqueeze(-1)
    rows = torch.arange(count)
    kinds = targets[rows, 0, questions]
    answers = targets[rows, 1, kinds]
    return TensorDataset(annotation, adjacency, answers)


def train_epoch(epoch, loader, model, criterion, optimizer, log_every=8):
    model.train()
    total = 0.0
    for step, (annotation, adjacency, target) in enumerate(loader):
        optimizer.zero_grad()
        output = model(annotation, adjacency)
        loss = criterion(output, target)
        loss.backward()
        optimizer.step()

        total += loss.data[0]
        if step % log_every == 0:
            print(f"[{epoch}][{step}/{len(loader)}] loss {total / (step + 1):.4f}")
    return total / len(loader)


def evaluate(loader, model, criterion):
    model.eval()
    test_loss, correct = 0.0, 0
    with torch.no_grad():
        for annotation, adjacency, target in loader:
            output = model(annotation, adjacency)
            test_loss += criterion(output, target).data[0]
            correct += (output.argmax(dim=1) == target).sum().item()
    test_loss /= len(loader)
    accuracy = correct / len(loader.dataset)
    print(f"test: average loss {test_loss:.4f}, accuracy {correct}/{len(loader.dataset)} ({accuracy:.0%})")
    return test_loss, accuracy


def main(arguments=None):
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", type=int, default=4)
    parser.add_argument("--batch-size", type=int, default=64)
    parser.add_argument("--lr", type=float, default=0.02)
    options = parser.parse_args(arguments)

    train_loader = DataLoader(make_graphs(1024), batch_size=options.batch_size, shuffle=True)
    test_loader = DataLoader(make_graphs(256), batch_size=options.batch_size)
    model = GGNN(edge_types=EDGE_TYPES)
    criterion = nn.CrossEntropyLoss()
    optimizer = optim.Adam(model.parameters(), lr=options.lr)

    losses = []
    for epoch in range(options.epochs):
        losses.append(train_epoch(epoch, train_loader, model, criterion, optimizer))
    test_loss, accuracy = evaluate(test_loader, model, criterion)
    return losses, test_loss, accuracy


if __name__ == "__main__":
    main()
