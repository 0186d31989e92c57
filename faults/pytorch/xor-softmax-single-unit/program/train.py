import torch
from torch import nn, optim

INPUTS = torch.tensor([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]])
TARGETS = torch.tensor([[0.0], [1.0], [1.0], [0.0]])

EPOCHS = 1500


class XorNet(nn.Module):
    def __init__(self, hidden=8):
        super().__init__()
        self.hidden = nn.Linear(2, hidden)
        self.output = nn.Linear(hidden, 1)

    def forward(self, x):
        x = torch.sigmoid(self.hidden(x))
        return torch.softmax(self.output(x), dim=1)


def train(epochs=EPOCHS):
    model = XorNet()
    criterion = nn.MSELoss()
    optimizer = optim.SGD(model.parameters(), lr=0.5, momentum=0.9, nesterov=True)
    history = []
    for epoch in range(epochs):
        optimizer.zero_grad()
        loss = criterion(model(INPUTS), TARGETS)
        loss.backward()
        optimizer.step()
        history.append(loss.item())
        if (epoch + 1) % 250 == 0:
            print(f"epoch {epoch + 1:4d}  loss {loss.item():.4f}")
    return model, history


@torch.no_grad()
def predict(model, inputs):
    return (model(inputs) > 0.5).float()


def main():
    model, _ = train()
    predictions = predict(model, INPUTS)
    for x, y in zip(INPUTS.tolist(), predictions.squeeze(1).tolist()):
        print(f"{x[0]:.0f} xor {x[1]:.0f} = {y:.0f}")
    accuracy = (predictions == TARGETS).float().mean().item()
    print(f"accuracy {accuracy:.2f}")


if __name__ == "__main__":
    main()
