import numpy as np
import oracle


@oracle.inside
def different(networks):
    weights = {id(weight) for network in networks for weight in network.trainable_weights}
    return len(networks), len(weights), sum(len(network.trainable_weights) for network in networks)


crossval = oracle.load("crossval")
samples, labels = oracle.call(crossval.load)
networks, scores = oracle.call(crossval.cross_validate, samples, labels)
print(f"scores {scores}")
count, own, all_of_them = different(networks)
oracle.check(len(scores) == 3 and count == 3, f"{len(scores)} scores and {count} networks for three folds")
oracle.check(own == all_of_them > 0, "folds share weights: later folds are tested on what earlier ones have learned")
oracle.check(len(set(scores)) > 1, "every fold has the same score")
oracle.check(np.min(scores) >= 0.88, f"the worst fold has an accuracy of {np.min(scores):.3f}, expected at least 0.88")
