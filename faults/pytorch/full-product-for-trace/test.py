import torch
from torch.distributions import MultivariateNormal, kl_divergence

import oracle


@oracle.inside
def divergence(gaussian, p, q):
    """KL(p || q), and the scalar multiplications of all matrix products that it takes."""
    from torch.utils._python_dispatch import TorchDispatchMode

    class Multiplications(TorchDispatchMode):
        count = 0

        def __torch_dispatch__(self, function, types, args=(), kwargs=None):
            result = function(*args, **(kwargs or {}))
            name = function.overloadpacket.__name__
            if name in ("mm", "bmm", "addmm", "baddbmm", "mv", "dot"):
                left = args[1] if name in ("addmm", "baddbmm") else args[0]
                self.count += result.numel() * left.shape[-1]
            return result

    for distribution in (p, q):  # what they keep is not counted
        distribution.covariance, distribution.precision, distribution.log_det
    with Multiplications() as counter:
        value = gaussian.kl_divergence(p, q)
    return value, counter.count


train = oracle.load("train")
gaussian = oracle.load("gaussian")


def random_gaussian(batch, k):
    raw = torch.eye(k).flatten() + torch.randn(batch, k * k) / k
    mean, scale = torch.randn(batch, k), train.build_scale(raw, k)
    return gaussian.Gaussian(mean, scale), mean, scale


def multiplications(batch, k):
    (p, p_mean, p_scale), (q, q_mean, q_scale) = random_gaussian(batch, k), random_gaussian(batch, k)
    value, count = divergence(gaussian, p, q)
    expected = kl_divergence(
        MultivariateNormal(p_mean, scale_tril=p_scale), MultivariateNormal(q_mean, scale_tril=q_scale)
    )
    worst = ((value - expected).abs() / expected.abs().clamp(min=1)).max().item()
    oracle.check(value.shape == (batch,) and worst < 1e-3, f"the divergence is off by {worst:.2g}")
    return count


batch, k = 8, 64
count = multiplications(batch, k)
entries = batch * k * k
print(f"{count} multiplications for {entries} entries of the covariances")
oracle.check(
    count <= 8 * entries,
    f"the divergence costs {count / entries:.0f} multiplications for each entry of a covariance",
)

images, labels = oracle.call(train.load_data)
history = oracle.call(train.train, train.DigitVAE(latent=8), images[:400], labels[:400], epochs=4)
oracle.check(history[-1] < 0.9 * history[0], f"the loss went from {history[0]:.2f} to {history[-1]:.2f}")
