import torch
from torch.nn.functional import cross_entropy

import oracle


@oracle.inside
def places_after_a_step(model, sentences):
    loss = model.forward_loss(sentences)
    loss.backward()
    return {loss.device.type} | {parameter.grad.device.type for parameter in model.parameters()}


train = oracle.load("train")
sentences = oracle.call(train.load_sentences, 12)

# On the CPU the loss is the mean over the sentences, and it goes down.
train.device = torch.device("cpu")
model = train.SequenceTagger()
features, lengths, _ = oracle.call(model, sentences[:5])
expected = sum(
    cross_entropy(scores[:length], torch.tensor(gold)) for scores, length, (_, gold) in zip(features, lengths, sentences)
)
loss = oracle.call(model.forward_loss, sentences[:5])
oracle.check(torch.allclose(loss, expected / 5, atol=1e-4), f"loss {loss.item():.4f}, expected {expected.item() / 5:.4f}")
before = oracle.call(model.forward_loss, sentences[:60]).item()
oracle.call(train.train, model, sentences[:60], epochs=3)
after = oracle.call(model.forward_loss, sentences[:60]).item()
oracle.check(after < 0.8 * before, f"the loss went from {before:.4f} to {after:.4f}")

# The device `meta` stands for an accelerator: its tensors are not in the memory of the CPU.
train.device = torch.device("meta")
model = train.SequenceTagger().to(train.device)
print("one step on another device than the CPU")
places = places_after_a_step(model, sentences[:5])
oracle.check(places == {"meta"}, f"loss and gradients are on {places}")
