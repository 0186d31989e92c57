"""Check what defines each operator on before.pt and CODE_SETTING.pt, as tests/data/weights/make.py
makes them; prints what does not hold."""

import os

import torch

DENSE = ["conv", "same", "hidden", "square", "other", "output"]


def load(path):
    saved = torch.load(path)
    assert saved["epoch"] == 3
    return saved["model_state_dict"]


before = load("before.pt")
after = {name[:-3]: load(name) for name in os.listdir(".")
         if name.endswith(".pt") and name.startswith("MU")}


def changed_keys(name):
    return sorted(k for k in before if not torch.equal(before[k], after[name][k]))


def changed_share(name, key):
    return (before[key] != after[name][key]).float().mean().item()


def changed_rows(name, layer):
    rows = (before[layer + ".weight"] != after[name][layer + ".weight"]).flatten(1).any(1)
    return rows.nonzero().flatten().tolist()


def near(share, expected, count):
    return abs(share - expected) <= 0.51 / count + 1e-9


for name, state in after.items():
    assert list(state) == list(before), name
    for key in before:
        assert state[key].shape == before[key].shape, (name, key)
        assert state[key].dtype == before[key].dtype, (name, key)
    assert changed_keys(name), name

for name in ("MU111_0.1", "MU141_0.1"):
    for key in before:
        if before[key].dim() >= 2:
            assert near(changed_share(name, key), 0.1, before[key].numel()), (name, key)
        else:
            assert key not in changed_keys(name)
assert near(changed_share("MU111_0.5", "hidden.weight"), 0.5, 640)
difference = (after["MU111_0.5"]["hidden.weight"] - before["hidden.weight"]).flatten()
difference = difference[difference != 0]
assert 0.8 < difference.std() / before["hidden.weight"].std() < 1.2
chosen = before["hidden.weight"] != after["MU141_0.1"]["hidden.weight"]
assert (after["MU141_0.1"]["hidden.weight"][chosen] == 0).all()

for layer in DENSE:
    weight, key = before[layer + ".weight"], layer + ".weight"
    count = max(1, round(0.1 * len(weight)))
    shuffled = after["MU112_0.1"][key]
    assert len(changed_rows("MU112_0.1", layer)) == count, layer
    assert torch.equal(shuffled.flatten(1).sort(1)[0], weight.flatten(1).sort(1)[0])

    inverted, rows = after["MU114_0.1"], changed_rows("MU114_0.1", layer)
    assert len(rows) == count
    assert torch.equal(-inverted[key][rows], weight[rows])
    assert torch.equal(-inverted[layer + ".bias"][rows], before[layer + ".bias"][rows])

    switched, rows = after["MU115_0.1"], changed_rows("MU115_0.1", layer)
    assert len(rows) == max(2, count)

    def neurons(state):
        parts = [state[key].flatten(1), state[layer + ".bias"][:, None]]
        return sorted(map(tuple, torch.cat(parts, 1).tolist()))
    assert neurons(switched) == neurons(before) and switched[key].ne(weight).any()

    rows = changed_rows("MU142_0.1", layer)
    assert len(rows) == count
    assert (after["MU142_0.1"][key][rows] == 0).all()
    assert (after["MU142_0.1"][layer + ".bias"][rows] == 0).all()

    columns = (after["MU113_0.1"][key] == 0).flatten(2).all(2).all(0) if weight.dim() > 2 \
        else (after["MU113_0.1"][key] == 0).all(0)
    expected = 0 if layer == "conv" else max(1, round(0.1 * weight.shape[1]))
    assert int(columns.sum()) == expected, layer

(layer,) = {key.split(".")[0] for key in changed_keys("MU116_")}
module = {"norm": torch.nn.BatchNorm2d(8), "same": torch.nn.Conv2d(8, 8, 3, padding=1)}.get(
    layer, torch.nn.Linear(20, 20))
module.load_state_dict({key[len(layer) + 1:]: value for key, value in after["MU116_"].items()
                        if key.startswith(layer + ".")})
x = torch.randn(2, 8, 7, 7) if layer in ("norm", "same") else torch.randn(2, 20)
assert torch.allclose(module.eval()(x), x, atol=1e-4), layer

(layer,) = {key.split(".")[0] for key in changed_keys("MU117_")}
x = torch.randn(4, 20)


def dense(state, value):
    return value @ state[layer + ".weight"].T + state[layer + ".bias"]


assert torch.allclose(dense(after["MU117_"], x), dense(before, dense(before, x)), atol=1e-5)

(layer,) = {key.split(".")[0] for key in changed_keys("MU119_")}
origin = {"square": "other", "other": "square"}[layer]
assert torch.equal(after["MU119_"][layer + ".weight"], before[origin + ".weight"])
assert torch.equal(after["MU119_"][layer + ".bias"], before[origin + ".bias"])

assert changed_keys("MU121_0.1") == ["lstm.weight_hh_l0", "lstm.weight_ih_l0"]
assert near(changed_share("MU121_0.1", "lstm.weight_hh_l0"), 0.1, 100)
assert torch.equal(after["MU122_1"]["hidden.weight"],
                   torch.round(before["hidden.weight"], decimals=1))

for name in ("MU127_", "MU128_", "MU129_1"):
    gates = set()
    for key in ("weight_ih_l0", "weight_hh_l0", "bias_ih_l0", "bias_hh_l0"):
        old, new = before["lstm." + key].reshape(4, -1), after[name]["lstm." + key].reshape(4, -1)
        gates |= {gate for gate in range(4) if not torch.equal(old[gate], new[gate])}
    assert len(gates) == 1, name
    assert all(key.startswith("lstm.") for key in changed_keys(name))
    block = after[name]["lstm.weight_hh_l0"].reshape(4, -1)[gates.pop()]
    if name == "MU127_":
        assert (block == 0).all()
    elif name == "MU129_1":
        assert torch.equal(block, torch.round(block, decimals=1))

assert changed_keys("MU131_0.5") == ["conv.weight"]
assert int((after["MU131_0.5"]["conv.weight"] == 0).flatten(2).all(2).all(0).sum()) == 2
rows = changed_rows("MU132_0.1", "hidden")
assert len(rows) == 2 and (after["MU132_0.1"]["hidden.bias"][rows] == 0).all()
assert (after["MU132_0.1"]["square.weight"][:, rows] == 0).all()
assert len(changed_rows("MU132_0.1", "output")) == 4  # by its columns alone
assert torch.equal(after["MU132_0.1"]["output.bias"], before["output.bias"])

for name, suffix in (("MU134_10", "bias"), ("MU135_10", "weight")):
    (key,) = changed_keys(name)
    assert suffix in key
    place = before[key] != after[name][key]
    assert int(place.sum()) == 1
    assert torch.allclose(after[name][key][place], before[key][place] * 10)
print("all hold")
