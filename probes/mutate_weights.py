"""Change saved PyTorch weights: one small function an operator.

Reads the JSON file BATCH, {"weights": path of a .pt file, "changes": [{"operator": "MU111",
"setting": "0.1", "seed": 1}]}, and writes to the result descriptor one line of JSON, a list of
{"bytes": size, "note": what was changed} or {"error": why not}, and behind it the new files.

Only the numbers change, so that the weights still fit the program that saved them. What follows is
read off the names and shapes alone: a `weight` of two or more axes belongs to a dense or
convolutional layer whose neurons are its first axis, but for embeddings, known by their name; layers
are in the order in which they were saved.
"""

import collections.abc
import io
import itertools
import json
import os
import sys

import torch

# Where checkpoints keep the weights, the usual names first.
PLACES = ("state_dict", "model_state_dict", "model", "net", "weights", "params", "parameters")


class Unsuitable(Exception):
    """Nothing in these weights that the operator could change."""


def is_state(value):
    return (isinstance(value, collections.abc.Mapping) and len(value) > 0
            and all(isinstance(item, torch.Tensor) for item in value.values()))


def find_state(loaded):
    if is_state(loaded):
        return loaded
    if isinstance(loaded, torch.nn.Module):
        return loaded.state_dict()
    if isinstance(loaded, collections.abc.Mapping):
        for name in [*PLACES, *loaded]:
            if name in loaded and is_state(loaded[name]):
                return loaded[name]
    raise Unsuitable("there is no state_dict in this file")


class Layer:
    """A dense or convolutional layer: a row of the weight is a neuron."""

    def __init__(self, name, weight, bias):
        self.name, self.weight, self.bias = name, weight, bias

    def rows(self):
        """Everything that comes in a row for each neuron."""
        return [self.weight] if self.bias is None else [self.weight, self.bias]


class Weights:
    def __init__(self, state):
        self.state = state

    def tensors(self):
        """All weights of two or more axes, by name: of every kind of layer."""
        found = [(key, tensor) for key, tensor in self.state.items()
                 if "weight" in key.rsplit(".", 1)[-1] and tensor.dim() >= 2
                 and tensor.is_floating_point()]
        return found or unsuitable("there are no weights of two axes")

    def layers(self):
        found = []
        for key, tensor in self.tensors():
            if (key == "weight" or key.endswith(".weight")) and "emb" not in key.lower():
                bias = self.state.get(key[:-len("weight")] + "bias")
                found.append(Layer(key[:-len(".weight")] or key, tensor, bias))
        return found or unsuitable("there is no dense or convolutional layer")

    def recurrent(self):
        """[name, the tensors whose rows are the gates' neurons, how many gates]."""
        found = []
        for key, tensor in self.state.items():
            if "weight_hh" in key and tensor.dim() == 2 and tensor.shape[0] % tensor.shape[1] == 0:
                parts = [self.state[name] for name in
                         (key, key.replace("weight_hh", "weight_ih"),
                          key.replace("weight_hh", "bias_hh"), key.replace("weight_hh", "bias_ih"))
                         if name in self.state]
                found.append((key.replace(".weight_hh_", " "), parts,
                              tensor.shape[0] // tensor.shape[1]))
        return found or unsuitable("there is no recurrent layer")


def unsuitable(why):
    raise Unsuitable(why)


def some(count, share, random, least=1):
    """Positions of a share of `count` things, in random order."""
    number = min(count, max(least, round(float(share) * count)))
    return torch.randperm(count, generator=random)[:number]


def one(items, random):
    return items[int(torch.randint(len(items), (1,), generator=random))]


def noise(tensor, random):
    """Normal noise as wide as the numbers of the tensor are spread."""
    wide = tensor.float().std(unbiased=False)
    wide = wide if wide > 0 else torch.ones(())
    return (torch.randn(tensor.shape, generator=random) * wide).to(tensor.dtype)


def fuzz(named, share, random):
    changed = total = 0
    for _, tensor in named:
        flat = tensor.view(-1)
        chosen = some(flat.numel(), share, random)
        flat[chosen] += noise(flat, random)[chosen]
        changed, total = changed + len(chosen), total + flat.numel()
    return f"noise on {changed} of {total} weights"


def of_neurons(weights, share, random, change, least=1):
    """Do `change(layer, rows)` to a share of the neurons of every layer."""
    changed = total = 0
    for layer in weights.layers():
        count = layer.weight.shape[0]
        if count < least:
            continue
        rows = some(count, share, random, least)
        change(layer, rows)
        changed, total = changed + len(rows), total + count
    return f"{changed} of {total} neurons"


def gaussian_fuzzing(weights, share, random):
    return fuzz(weights.tensors(), share, random)


def weight_shuffling(weights, share, random):
    def change(layer, rows):
        for row in rows:
            flat = layer.weight[row].reshape(-1)
            order = torch.randperm(flat.numel(), generator=random)
            layer.weight[row] = flat[order].reshape(layer.weight[row].shape)
    return "incoming weights shuffled of " + of_neurons(weights, share, random, change)


def neuron_effect_block(weights, share, random):
    """A neuron's outgoing weights are a column of the layer behind it; inputs are no neurons."""
    behind = weights.layers()[1:] or unsuitable("there is no layer behind another")
    changed = total = 0
    for layer in behind:
        columns = some(layer.weight.shape[1], share, random)
        layer.weight[:, columns] = 0
        changed, total = changed + len(columns), total + layer.weight.shape[1]
    return f"effect blocked of {changed} of {total} neurons"


def neuron_activation_inverse(weights, share, random):
    def change(layer, rows):
        for part in layer.rows():
            part[rows] = -part[rows]
    return "sign inverted of " + of_neurons(weights, share, random, change)


def neuron_switch(weights, share, random):
    def change(layer, rows):
        for part in layer.rows():
            part[rows] = part[rows.roll(1)]
    return "places exchanged of " + of_neurons(weights, share, random, change, least=2)


def is_square(layer):
    shape = layer.weight.shape
    return shape[0] == shape[1] and all(size % 2 == 1 for size in shape[2:])


def layer_deactivation(weights, _, random):
    """What a layer would pass on unchanged: the identity, as weights."""
    candidates = [layer for layer in weights.layers() if is_square(layer)]
    norms = [key[:-len(".running_mean")] for key in weights.state if key.endswith(".running_mean")]
    chosen = one(candidates + norms or unsuitable("no layer has as many outputs as inputs"), random)
    if isinstance(chosen, str):
        for part, value in (("weight", 1), ("bias", 0), ("running_mean", 0), ("running_var", 1)):
            if f"{chosen}.{part}" in weights.state:
                weights.state[f"{chosen}.{part}"].fill_(value)
        return f"{chosen} deactivated"
    if chosen.weight.dim() == 2:
        torch.nn.init.eye_(chosen.weight)
    else:
        torch.nn.init.dirac_(chosen.weight)
    if chosen.bias is not None:
        chosen.bias.zero_()
    return f"{chosen.name} deactivated"


def layer_duplication(weights, _, random):
    """A dense layer twice in a row is one dense layer: W(Wx + b) + b = WWx + (Wb + b)."""
    candidates = [layer for layer in weights.layers()
                  if layer.weight.dim() == 2 and is_square(layer)]
    layer = one(candidates or unsuitable("no dense layer has as many outputs as inputs"), random)
    if layer.bias is not None:
        layer.bias += layer.weight @ layer.bias
    layer.weight.copy_(layer.weight @ layer.weight)
    return f"{layer.name} twice"


def layer_copy(weights, _, random):
    layers = weights.layers()
    pairs = [(a, b) for a in layers for b in layers if a is not b
             and [part.shape for part in a.rows()] == [part.shape for part in b.rows()]]
    source, target = one(pairs or unsuitable("no two layers have the same shape"), random)
    for part, other in zip(source.rows(), target.rows(), strict=True):
        other.copy_(part)
    return f"{source.name} copied over {target.name}"


def recurrent_weight_fuzzing(weights, share, random):
    return fuzz([(name, part) for name, parts, _ in weights.recurrent() for part in parts
                 if part.dim() == 2], share, random)


def precision_reduction(weights, digits, _):
    for _, tensor in weights.tensors():
        tensor.copy_(torch.round(tensor.float(), decimals=int(digits)))
    return f"weights rounded to {digits} decimals"


def of_gate(weights, random, change):
    name, parts, gates = one(weights.recurrent(), random)
    gate = int(torch.randint(gates, (1,), generator=random))
    for part in parts:
        size = part.shape[0] // gates
        change(part[gate * size:(gate + 1) * size])
    return f"gate {gate} of {name}"


def gate_clear(weights, _, random):
    return of_gate(weights, random, lambda block: block.zero_()) + " cleared"


def gate_fuzzing(weights, _, random):
    return "noise on " + of_gate(weights, random, lambda block: block.add_(noise(block, random)))


def gate_precision_reduction(weights, digits, random):
    return of_gate(weights, random, lambda block: block.copy_(
        torch.round(block.float(), decimals=int(digits)))) + f" rounded to {digits} decimals"


def input_deletion(weights, share, random):
    layer = weights.layers()[0]
    columns = some(layer.weight.shape[1], share, random)
    layer.weight[:, columns] = 0
    return f"{len(columns)} of {layer.weight.shape[1]} inputs of {layer.name} deleted"


def hidden_neuron_deletion(weights, share, random):
    layers = weights.layers()
    changed = total = 0
    for layer, behind in itertools.pairwise(layers):
        rows = some(layer.weight.shape[0], share, random)
        for part in layer.rows():
            part[rows] = 0
        if behind.weight.shape[1] == layer.weight.shape[0]:
            behind.weight[:, rows] = 0
        changed, total = changed + len(rows), total + layer.weight.shape[0]
    return (f"{changed} of {total} hidden neurons deleted" if total
            else unsuitable("there is no hidden layer"))


def scale_one(named, factor, random, what):
    candidates = [(name, tensor) for name, tensor in named if bool((tensor != 0).any())]
    name, tensor = one(candidates or unsuitable(f"every {what} is 0"), random)
    flat = tensor.view(-1)
    at = one(torch.nonzero(flat).view(-1), random)
    flat[at] *= float(factor)
    return f"{what} {int(at)} of {name} times {factor}"


def bias_change(weights, factor, random):
    biases = [(layer.name, layer.bias) for layer in weights.layers() if layer.bias is not None]
    return scale_one(biases or unsuitable("no layer has a bias"), factor, random, "bias")


def weight_change(weights, factor, random):
    return scale_one(weights.tensors(), factor, random, "weight")


def weight_inhibition(weights, share, random):
    changed = total = 0
    for _, tensor in weights.tensors():
        flat = tensor.view(-1)
        chosen = some(flat.numel(), share, random)
        flat[chosen] = 0
        changed, total = changed + len(chosen), total + flat.numel()
    return f"{changed} of {total} weights set to 0"


def neuron_inhibition(weights, share, random):
    def change(layer, rows):
        for part in layer.rows():
            part[rows] = 0
    return "incoming weights set to 0 of " + of_neurons(weights, share, random, change)


OPERATORS = {
    "MU111": gaussian_fuzzing, "MU112": weight_shuffling, "MU113": neuron_effect_block,
    "MU114": neuron_activation_inverse, "MU115": neuron_switch, "MU116": layer_deactivation,
    "MU117": layer_duplication, "MU119": layer_copy, "MU121": recurrent_weight_fuzzing,
    "MU122": precision_reduction, "MU127": gate_clear, "MU128": gate_fuzzing,
    "MU129": gate_precision_reduction, "MU131": input_deletion, "MU132": hidden_neuron_deletion,
    "MU134": bias_change, "MU135": weight_change, "MU141": weight_inhibition,
    "MU142": neuron_inhibition,
}


def apply(data, change):
    loaded = torch.load(io.BytesIO(data), map_location="cpu")
    state = find_state(loaded)
    before = {key: tensor.clone() for key, tensor in state.items()}
    random = torch.Generator().manual_seed(change["seed"])
    with torch.no_grad():
        note = OPERATORS[change["operator"]](Weights(state), change["setting"], random)
    if all(torch.equal(before[key], tensor) for key, tensor in state.items()):
        raise Unsuitable("it changes nothing in these weights")
    changed = io.BytesIO()
    torch.save(loaded, changed)
    return note, changed.getvalue()


def main():
    torch.set_num_threads(1)
    with open(sys.argv[1], encoding="utf-8") as file:
        batch = json.load(file)
    with open(batch["weights"], "rb") as file:
        data = file.read()
    try:
        find_state(torch.load(io.BytesIO(data), map_location="cpu"))
    except Unsuitable as error:
        sys.exit(str(error))
    except Exception as error:  # of whatever kind a file that is none brings about
        sys.exit(f"torch.load cannot read it ({type(error).__name__}: {str(error).splitlines()[0]})"
                 if str(error) else f"torch.load cannot read it ({type(error).__name__})")
    head, files = [], []
    for change in batch["changes"]:
        try:
            note, changed = apply(data, change)
            head.append({"bytes": len(changed), "note": note})
            files.append(changed)
        except Unsuitable as error:
            head.append({"error": str(error)})
    with os.fdopen(int(os.environ["FAULTLINE_RESULT_FD"]), "wb") as result:
        result.write(json.dumps(head).encode() + b"\n" + b"".join(files))


main()
