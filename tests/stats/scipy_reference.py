"""Prints seeded random samples and what NumPy and SciPy make of them, as one JSON list."""

import json

import numpy as np
from scipy import stats

random = np.random.default_rng(20200208)


def draw(size):
    """A sample of one of several kinds, half of them rounded so that ties occur."""
    kind = random.integers(4)
    if kind == 0:
        values = random.normal(random.uniform(-5, 5), random.uniform(0.1, 3), size)
    elif kind == 1:
        values = random.exponential(2, size)
    elif kind == 2:
        values = random.uniform(0, 1, size)
    else:
        values = random.standard_cauchy(size)
    return np.round(values, 1) if random.integers(2) else values


def kappa(first, second):
    categories = np.union1d(first, second)
    agreed = np.mean(first == second)
    chance = sum(np.mean(first == c) * np.mean(second == c) for c in categories)
    return (agreed - chance) / (1 - chance)


def adjusted(p):
    order = np.argsort(p, kind="stable")
    scaled = p[order] * len(p) / np.arange(1, len(p) + 1)
    result = np.empty(len(p))
    result[order] = np.minimum(1, np.minimum.accumulate(scaled[::-1])[::-1])
    return result


def holm(p):
    """By the definition: the largest of the scaled values up to each one's rank."""
    ranks = stats.rankdata(p, method="ordinal")
    scaled = p * (len(p) - ranks + 1)
    return np.array([min(1, scaled[ranks <= rank].max()) for rank in ranks])


def case():
    a, b, c = (draw(int(random.integers(2, 60))) for _ in range(3))
    ties = len(np.unique(np.concatenate([a, b]))) < len(a) + len(b)
    exact = not ties and len(a) * len(b) <= 400
    student = stats.ttest_ind(a, b)
    welch = stats.ttest_ind(a, b, equal_var=False)
    rank = stats.mannwhitneyu(
        a, b, alternative="two-sided", method="exact" if exact else "asymptotic"
    )
    anova = stats.f_oneway(a, b, c)
    trials = int(random.integers(1, 200))
    successes = int(random.integers(0, trials + 1))
    level = float(random.uniform(0.5, 0.999))
    wilson = stats.binomtest(successes, trials).proportion_ci(level, method="wilson")
    first = random.integers(0, 4, 40)
    second = np.where(random.uniform(size=40) < 0.6, first, random.integers(0, 4, 40))
    p = random.uniform(0, 1, int(random.integers(1, 30))) ** 3
    quartiles = np.percentile(a, [25, 50, 75])
    reach = 1.5 * stats.iqr(a)
    return {
        "a": a.tolist(),
        "b": b.tolist(),
        "c": c.tolist(),
        "student": [student.statistic, student.pvalue],
        "welch": [welch.statistic, welch.pvalue],
        "mann_whitney": [rank.statistic, rank.pvalue],
        "anova": [anova.statistic, anova.pvalue],
        "wilson": [successes, trials, level, wilson.low, wilson.high],
        "kappa": [first.tolist(), second.tolist(), kappa(first, second)],
        "p": [p.tolist(), adjusted(p).tolist(), holm(p).tolist()],
        "box": [
            *quartiles,
            int(np.sum(a < quartiles[0] - reach)),
            int(np.sum(a > quartiles[2] + reach)),
        ],
    }


def bootstrap():
    sample = random.exponential(3, 40)
    interval = stats.bootstrap(
        (sample,), np.mean, n_resamples=20000, method="BCa", random_state=random
    ).confidence_interval
    return {"sample": sample.tolist(), "interval": [interval.low, interval.high]}


print(
    json.dumps(
        {"cases": [case() for _ in range(200)], "bootstrap": [bootstrap() for _ in range(5)]},
        default=float,
    )
)
