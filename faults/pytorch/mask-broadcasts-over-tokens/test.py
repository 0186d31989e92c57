import torch
from torch.nn.functional import cross_entropy

import oracle


@oracle.inside
def step(train, model, lines):
    """The characters that a step counts, and the elements of the largest tensor that it computes."""
    import torch
    from torch.utils._python_dispatch import TorchDispatchMode

    class Largest(TorchDispatchMode):
        elements = 0

        def __torch_dispatch__(self, function, types, args=(), kwargs=None):
            result = function(*args, **(kwargs or {}))
            if isinstance(result, torch.Tensor):
                self.elements = max(self.elements, result.numel())
            return result

    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    with Largest() as largest:
        _, count = train.train_step(model, optimizer, lines)
    return count, largest.elements


train = oracle.load("train")
subjects = oracle.call(train.load_subjects, 64)
vocabulary = train.Vocabulary(subjects)
lines = [vocabulary.encode(subject) for subject in subjects]
model = train.SubjectModel(len(vocabulary))

tokens = len(lines) * (max(len(line) for line in lines) - 1)
count, largest = step(train, model, lines)
oracle.check(count == sum(len(line) - 1 for line in lines), f"{count} characters counted")
oracle.check(
    largest <= 400 * tokens,
    f"a step over {tokens} characters computes a tensor of {largest} elements",
)

scores = torch.randn(40, 7)
target = torch.randint(1, 7, (40,))
mask = torch.arange(40) < 25
loss, count = oracle.call(train.masked_nll_loss, scores, target, mask)
reference = cross_entropy(scores[:25], target[:25])
oracle.check(
    torch.allclose(loss, reference, atol=1e-5) and count == 25,
    f"the masked loss is {loss.item():.4f}, expected {reference.item():.4f}",
)
