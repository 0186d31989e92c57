"""Train a network that says which category each quarter of a scene belongs to."""

import torch
from torch import nn

import scenes


def load_data(count, first=0):
    images, masks = scenes.make_scenes(count, first)
    masks = scenes.merge_categories(masks)
    return torch.from_numpy(images)[:, None], torch.from_numpy(masks)


def make_model(channels, hidden=64):
    return nn.Sequential(
        nn.Conv2d(1, hidden, 8, stride=8), nn.ReLU(),
        nn.Conv2d(hidden, hidden, 1), nn.ReLU(),
        nn.Conv2d(hidden, channels, 1),
        nn.Upsample(scale_factor=8),
    )


def train(model, images, masks, epochs=12):
    optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)
    criterion = nn.CrossEntropyLoss()
    classes = masks.argmax(dim=1)
    for epoch in range(epochs):
        total = 0.0
        for batch in torch.randperm(len(images)).split(20):
            optimizer.zero_grad()
            loss = criterion(model(images[batch]), classes[batch])
            loss.backward()
            optimizer.step()
            total += loss.item() * len(batch)
        print(f"epoch {epoch + 1}: loss {total / len(images):.3f}")


@torch.no_grad()
def accuracy(model, images, masks):
    return (model(images).argmax(dim=1) == masks.argmax(dim=1)).float().mean().item()


def main():
    images, masks = load_data(300)
    test_images, test_masks = load_data(100, first=1200)
    model = make_model(masks.shape[1])
    train(model, images, masks)
    names = [scenes.CATEGORIES[channel + 1] for channel in scenes.used_categories(masks.numpy())]
    print("categories:", ", ".join(names))
    print(f"accuracy {accuracy(model, test_images, test_masks):.3f}")


if __name__ == "__main__":
    main()
