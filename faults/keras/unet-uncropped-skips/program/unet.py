from tensorflow.keras import Input, Model
from tensorflow.keras.layers import Concatenate, Conv2D, Cropping2D, MaxPooling2D, UpSampling2D


class UNet:
    """Marks every pixel of a grey image; the borders, which the convolutions eat up, are lost."""

    def __init__(self, size, filters=(8, 16, 24)):
        inputs = Input((size, size, 1))
        layer, encoded = inputs, []
        for depth, count in enumerate(filters):
            layer = self._add_encoder(count, layer, is_first=depth == 0)
            encoded.append(layer)
        for count, skipped in zip(filters[-2::-1], encoded[-2::-1]):
            layer = self._add_decoder(count, layer, skipped)
        outputs = Conv2D(1, 1, activation="sigmoid")(layer)
        self.model = Model(inputs, outputs)

    def _add_encoder(self, filters, layer, is_first):
        if not is_first:
            layer = MaxPooling2D(2)(layer)
        layer = Conv2D(filters, 3, activation="relu")(layer)
        return Conv2D(filters, 3, activation="relu")(layer)

    def _add_decoder(self, filters, layer, skipped):
        layer = UpSampling2D(2)(layer)
        layer = Concatenate()([layer, skipped])
        layer = Conv2D(filters, 3, activation="relu")(layer)
        return Conv2D(filters, 3, activation="relu")(layer)


def crop_masks(masks, size):
    """The middle of each mask, as large as what the net returns."""
    border = (masks.shape[1] - size) // 2
    return Cropping2D(border)(masks).numpy() if border else masks
