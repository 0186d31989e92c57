import math

import numpy
import oracle

program = oracle.load("poisson")


def log_likelihood(x, y, state):
    linear = state[0] + x @ state[1:]
    terms = y * linear - numpy.exp(linear) - numpy.array([math.lgamma(count + 1.0) for count in y])
    return float(terms.sum() - (state[1:] ** 2).sum() / 2)


def check(model, x, y):
    value = float(oracle.call(model.compute_log_likelihood))
    expected = log_likelihood(x, y, model.free_state)
    oracle.check(
        abs(value - expected) <= 1e-6 * abs(expected), f"the log likelihood is {value:.4f}, expected {expected:.4f}"
    )
    return value


models = []
for days in (60, 25):
    x, y = oracle.call(program.make_calls, days)
    models.append((program.PoissonRegression(x, y), x, y))
for model, x, y in models:
    start = check(model, x, y)
    oracle.call(model.optimize)
    end = check(model, x, y)
    oracle.check(end > start + 1, f"the optimiser gets from {start:.2f} to {end:.2f} only")
    new, _ = oracle.call(program.make_calls, 10)
    state = model.free_state
    oracle.check(
        numpy.allclose(oracle.call(model.predict, new), numpy.exp(state[0] + new @ state[1:])),
        "the predicted rates are wrong",
    )
