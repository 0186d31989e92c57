import oracle

train = oracle.load("train")
import torch
from torch import nn

training, testing = oracle.call(train.load_data)
model = oracle.call(train.train, *training)
accuracy = oracle.call(train.evaluate, model, *testing)
oracle.check(accuracy >= 0.8, f"test accuracy {accuracy:.3f}, expected at least 0.8")

model.eval()
features = testing[0]
norms = [(name, layer) for name, layer in model.named_modules() if isinstance(layer, nn.BatchNorm1d)]
oracle.check(len(norms) >= 3, f"{len(norms)} batch normalisations, expected one for each hidden layer")

# What a layer yields has to matter: shift it and look at the logits.
with torch.no_grad():
    logits = model(features)
    idle = []
    for name, layer in norms:
        hook = layer.register_forward_hook(lambda layer, inputs, output: output + 1.0)
        if torch.allclose(model(features), logits, atol=1e-4):
            idle.append(name)
        hook.remove()
oracle.check(not idle, f"the logits do not depend on the output of {', '.join(idle)}")
