import sys

import numpy as np

from unet import UNet, crop_masks

SIZE = 60


def draw_cells(count, size=SIZE):
    """Noisy pictures of bright cells, and the masks of the cells."""
    rows, columns = np.mgrid[:size, :size]
    masks = np.zeros((count, size, size, 1), "float32")
    for mask in masks:
        for _ in range(6):
            y, x, radius = *np.random.uniform(0, size, 2), np.random.uniform(5, 10)
            mask[(rows - y) ** 2 + (columns - x) ** 2 < radius**2] = 1
    return (masks + 0.3 * np.random.randn(*masks.shape)).astype("float32"), masks


def train(pictures, masks, epochs=8):
    model = UNet(SIZE).model
    model.compile(optimizer="adam", loss="binary_crossentropy")
    size = model.output_shape[1]
    print(f"pictures of {SIZE} pixels, masks of {size}")
    model.optimizer.learning_rate = 0.003
    model.fit(pictures, crop_masks(masks, size), batch_size=4, epochs=epochs, verbose=0)
    return model


def overlap(model, pictures, masks):
    """Intersection over union of the marked and the true pixels."""
    marked = model.predict(pictures, verbose=0) > 0.5
    true = crop_masks(masks, marked.shape[1]) > 0.5
    return np.sum(marked & true) / np.sum(marked | true)


def main(arguments):
    model = train(*draw_cells(40), epochs=int(arguments[0]) if arguments else 8)
    print(f"intersection over union {overlap(model, *draw_cells(20)):.3f}")


if __name__ == "__main__":
    main(sys.argv[1:])
