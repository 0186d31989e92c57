import torch

import oracle


@oracle.inside
def embed(model, piece_ids, spans):
    """The vectors of the words, and the parameters whose gradients are not finite."""
    vectors = model.embedder(piece_ids, spans)
    vectors.sum().backward()
    broken = [
        name
        for name, parameter in model.named_parameters()
        if parameter.grad is not None and not parameter.grad.isfinite().all()
    ]
    model.zero_grad()
    return vectors, broken


train = oracle.load("train")
samples, labels, number_of_pieces = oracle.call(train.load, 80)
model = train.SpamFilter(number_of_pieces)

piece_ids = torch.tensor([[3, 5, 7, 0]])
spans = torch.tensor([[(0, 2), (2, 2), (2, 3)]])
vectors, broken = embed(model, piece_ids, spans)
oracle.check(
    vectors[0, 1].abs().max().item() == 0 and vectors[0, 0].abs().min().item() > 0,
    "a word without pieces should get a zero vector, and only such a word",
)
print(f"gradients that are not finite: {len(broken)}", *broken)
oracle.check(not broken, "a word without pieces makes gradients NaN")

history = oracle.call(train.train, model, samples, labels, epochs=4)
accuracy = oracle.call(train.accuracy, model, samples, labels)
oracle.check(accuracy >= 0.8, f"accuracy {accuracy:.3f} on the training mails, expected at least 0.8")
