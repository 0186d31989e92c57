"""Linear layers with weights of 8 bits, a scale for each output channel."""

import torch
from torch import nn

WEIGHT_MAX = 127
INPUT_MAX = 255
ACCUMULATOR_MAX = 2**31 - 1


def quantize(values, scale, low, high):
    return torch.clamp(torch.round(values * scale), low, high)


def channel_scales(weight):
    """Scales that spread each row of the weights over the range of 8 bits."""
    largest = weight.abs().amax(dim=1, keepdim=True)
    return WEIGHT_MAX / largest.clamp(min=1e-8)


class QuantizedLinear(nn.Module):
    """Stands in for a linear layer whose inputs are never negative."""

    def __init__(self, layer, input_max):
        super().__init__()
        weight, bias = layer.weight.data, layer.bias.data
        self.input_scale = INPUT_MAX / input_max
        weight_scale = channel_scales(weight)
        self.accumulator_scale = self.input_scale * weight_scale
        self.weight = quantize(weight, weight_scale, -WEIGHT_MAX, WEIGHT_MAX)
        self.bias = quantize(
            bias, self.accumulator_scale, -ACCUMULATOR_MAX, ACCUMULATOR_MAX
        )

    def forward(self, inputs):
        inputs = quantize(inputs, self.input_scale, 0, INPUT_MAX)
        sums = nn.functional.linear(inputs, self.weight, self.bias)
        return sums / self.accumulator_scale.t()


@torch.no_grad()
def record_inputs(model, batch):
    """The largest input of each linear layer on a batch of examples."""
    largest, hooks = {}, []
    for name, layer in model.named_children():
        if isinstance(layer, nn.Linear):
            def watch(_, inputs, name=name):
                largest[name] = inputs[0].max().item()
            hooks.append(layer.register_forward_pre_hook(watch))
    model(batch)
    for hook in hooks:
        hook.remove()
    return largest


def quantize_model(model, batch):
    largest = record_inputs(model, batch)
    layers = []
    for name, layer in model.named_children():
        if isinstance(layer, nn.Linear):
            layer = QuantizedLinear(layer, largest[name])
        layers.append(layer)
    return nn.Sequential(*layers)
