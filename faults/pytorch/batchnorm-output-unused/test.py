import oracle


@oracle.inside
def look_at_norms(model, features):
    """The batch normalisations, and those whose output can be shifted without changing the logits."""
    import torch
    from torch import nn

    model.eval()
    norms = [(name, layer) for name, layer in model.named_modules() if isinstance(layer, nn.BatchNorm1d)]
    idle = []
    with torch.no_grad():
        logits = model(features)
        for name, layer in norms:
            hook = layer.register_forward_hook(lambda layer, inputs, output: output + 1.0)
            if torch.allclose(model(features), logits, atol=1e-4):
                idle.append(name)
            hook.remove()
    return [name for name, _ in norms], idle


train = oracle.load("train")
training, testing = oracle.call(train.load_data)
model = oracle.call(train.train, *training)
accuracy = oracle.call(train.evaluate, model, *testing)
oracle.check(accuracy >= 0.8, f"test accuracy {accuracy:.3f}, expected at least 0.8")

norms, idle = look_at_norms(model, testing[0])
oracle.check(len(norms) >= 3, f"{len(norms)} batch normalisations, expected one for each hidden layer")
# What a layer yields has to matter.
oracle.check(not idle, f"the logits do not depend on the output of {', '.join(idle)}")
