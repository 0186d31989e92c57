"""Metrics of a classifier of two classes, from labels and probabilities."""


def binary_accuracy(labels, probabilities):
    return ((probabilities > 0.5) == (labels > 0.5)).float()


def binary_cross_entropy(labels, probabilities):
    probabilities = probabilities.clamp(1e-7, 1 - 1e-7)
    return -(labels * probabilities.log() + (1 - labels) * (1 - probabilities).log())


def brier_score(labels, probabilities):
    return (labels - probabilities).square()


class RocAuc:
    """How often a case with label 1 gets more than one with label 0."""

    def __call__(self, labels, probabilities):
        higher = probabilities[labels == 1][:, None]
        lower = probabilities[labels == 0][None, :]
        return ((higher > lower).float() + 0.5 * (higher == lower).float()).mean().item()


class RecallAt:
    """Recall of label 1 among the `share` of cases with the highest probability."""

    def __init__(self, share):
        self.share = share

    def __call__(self, labels, probabilities):
        top = probabilities.argsort(descending=True)[:round(self.share * len(labels))]
        return (labels[top].sum() / labels.sum()).item()


EXAMPLE_METRICS = {
    "accuracy": binary_accuracy,
    "cross_entropy": binary_cross_entropy,
    "brier": brier_score,
}
LIST_METRICS = {"auc": RocAuc(), "recall@0.5": RecallAt(0.5)}
