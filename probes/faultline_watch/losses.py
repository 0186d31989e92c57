"""Calls of loss functions: in training what they were given, without gradients an evaluation."""

import math

import torch

from . import facts

NAMES = """cross_entropy nll_loss mse_loss l1_loss smooth_l1_loss huber_loss binary_cross_entropy
binary_cross_entropy_with_logits kl_div poisson_nll_loss gaussian_nll_loss hinge_embedding_loss soft_margin_loss
multi_margin_loss multilabel_margin_loss multilabel_soft_margin_loss margin_ranking_loss cosine_embedding_loss
triplet_margin_loss ctc_loss""".split()


def prediction_and_target(args, kwargs):
    tensors = list(args[:2])
    if len(tensors) < 1:
        tensors.append(kwargs.get("input"))
    if len(tensors) < 2:
        tensors.append(kwargs.get("target"))
    return [tensor if isinstance(tensor, torch.Tensor) else None for tensor in tensors]


def reduction_of(kind, kwargs):
    return kwargs.get("reduction", "mean")


class Evaluations:
    """Losses that were computed without gradients since the last training step."""

    def __init__(self):
        self.clear()

    def clear(self):
        self.losses, self.hits, self.site, self.training_mode = [], [], None, False

    def add(self, kind, args, kwargs, result, site, training_mode):
        if not isinstance(result, torch.Tensor) or result.numel() == 0:
            return
        self.site = self.site or site()
        self.losses.append(float(result.detach().double().mean()))
        prediction, target = prediction_and_target(args, kwargs)
        if prediction is not None and target is not None:
            share = facts.accuracy(prediction, target, kind)
            if share is not None:
                self.hits.append((share, len(prediction)))
        self.training_mode = self.training_mode or training_mode()

    def tell(self, stream, step):
        if not self.losses:
            return
        rows = sum(count for _, count in self.hits)
        stream.event("evaluation", step=step, loss=sum(self.losses) / len(self.losses),
                     accuracy=sum(share * count for share, count in self.hits) / rows if rows else math.nan,
                     batches=len(self.losses), training_mode=self.training_mode, site=self.site)
        self.clear()
